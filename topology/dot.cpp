#include "topology/dot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/markup.hpp"

namespace fleetsim::dot {

std::string gb_per_s(double bytes_per_s) {
  const double tenths = std::round(bytes_per_s / 1e8);
  return std::fmod(tenths, 10.0) == 0.0 ? fmt::format("{:.0f}", tenths / 10.0)
                                        : fmt::format("{:.1f}", tenths / 10.0);
}

std::string begin(std::string_view name) {
  return fmt::format(
      "graph {} {{\n  graph [splines=line, bgcolor=transparent, pad=0.02, outputorder=edgesfirst, "
      "fontname=Inter];\n"
      "  node [shape=box, style=filled, fontname=Inter, fontsize=11, fixedsize=true, penwidth=1, "
      "margin=0];\n",
      name);
}

std::string box(const Box& b) {
  std::string label;
  if (!b.title.empty())
    label = fmt::format("<FONT POINT-SIZE=\"{:g}\"><B>{}</B></FONT>", b.title_size, xml_escaped(b.title));
  for (const std::string& words : b.lines) {
    if (!label.empty()) label += "<BR/>";
    label += fmt::format("<FONT POINT-SIZE=\"{:g}\">{}</FONT>", b.title_size > 10 ? 10.0 : 9.5,
                         xml_escaped(words));
  }
  return fmt::format(
      "  {} [pos=\"{:.1f},{:.1f}\", width={:.3f}, height={:.3f}, fillcolor=\"{}\", color=\"{}\", "
      "fontcolor=\"{}\", "
      "label={}];\n",
      b.id, b.x, b.y, b.width / 72, b.height / 72, b.fill, b.border, b.ink,
      label.empty() ? "\"\"" : "<" + label + ">");
}

std::string text(const std::string& id, double x, double y, std::string_view words, std::string_view ink,
                 double size, char align, bool opaque) {
  // Inter is at most about 0.56 em wide in the mean; the box must hold the words, or Graphviz warns.
  double width = 4.0;
  for (const char c : words) width += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0.0 : 0.56 * size;
  std::string label;
  for (const char c : words) {
    if (c == '"' || c == '\\') label += '\\';
    label += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return fmt::format(
      "  {} [pos=\"{:.1f},{:.1f}\", width={:.3f}, height={:.3f}, style=\"{}\", fillcolor=white, color=white, "
      "penwidth=0, fontsize={:g}, fontcolor=\"{}\", label=\"{}{}\"];\n",
      id, align == 'l' ? x + width / 2 : x, y, width / 72, (size + 4) / 72, opaque ? "filled" : "", size, ink,
      label, align == 'l' ? "\\l" : "");
}

std::string line(const std::string& a, const std::string& b, std::string_view colour, double width,
                 bool downwards) {
  return fmt::format("  {}{} -- {}{} [color=\"{}\", penwidth={:g}];\n", a, downwards ? ":s" : "", b,
                     downwards ? ":n" : "", colour, width);
}

}  // namespace fleetsim::dot
