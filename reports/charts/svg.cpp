#include "reports/charts/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <sstream>
#include <vector>

#include "sim/base/markup.hpp"

namespace fleetsim {

namespace {

constexpr double kWidth = 640.0;  // px of every figure

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

bool starts_with(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string description(const std::string& name, const std::string& title, const std::string& alt) {
  return fmt::format("<title id=\"{0}-t\">{1}</title>\n<desc id=\"{0}-e\">{2}</desc>\n", name,
                     xml_escaped(title), xml_escaped(alt));
}

std::string opening(const std::string& name) {
  return fmt::format("<svg role=\"img\" aria-labelledby=\"{0}-t {0}-e\"", name);
}

/// A number that a regular expression has already recognised; 0 when it is too long to be one.
double parsed(const std::string& text) {
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string number(double value) {
  return fmt::format("{:.2f}", value);
}

/// A four-cornered polygon of Graphviz as a rect with rounded corners; anything else is returned as it is.
std::string rounded(const std::string& line) {
  static const std::regex kPolygon(
      "^<polygon fill=\"([^\"]*)\" stroke=\"([^\"]*)\"( stroke-width=\"[^\"]*\")?( "
      "stroke-dasharray=\"[^\"]*\")? points=\"([^\"]*)\"/>");
  std::smatch match;
  if (!std::regex_search(line, match, kPolygon)) return line;
  std::string points = match[5];
  std::replace(points.begin(), points.end(), ',', ' ');
  std::istringstream in(points);
  std::vector<double> v;
  for (std::string word; in >> word;) v.push_back(parsed(word));
  if (v.size() != 10) return line;
  double x0 = v[0], x1 = v[0], y0 = v[1], y1 = v[1];
  for (std::size_t i = 0; i < 8; i += 2) {
    x0 = std::min(x0, v[i]), x1 = std::max(x1, v[i]);
    y0 = std::min(y0, v[i + 1]), y1 = std::max(y1, v[i + 1]);
  }
  const std::string stroke = match[2] == "transparent" ? std::string("none") : match[2].str();
  return fmt::format(
      "<rect fill=\"{}\" stroke=\"{}\"{}{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>",
      match[1].str(), stroke, match[3].str(), match[4].str(), number(x0), number(y0), number(x1 - x0),
      number(y1 - y0));
}

/// Graphviz sets text too high in its box.
std::string text_lowered(const std::string& line) {
  static const std::regex kY(" y=\"(-?[0-9.]+)\"");
  std::smatch match;
  if (!starts_with(line, "<text ") || !std::regex_search(line, match, kY)) return line;
  return match.prefix().str() + " y=\"" + number(parsed(match[1].str()) + 1.8) + "\"" + match.suffix().str();
}

/// gnuplot's point symbol 7 by reference -> a circle. Several may stand on one line.
std::string circles(const std::string& line) {
  static const std::regex kUse(
      "<use xlink:href='#gpPt6' transform='translate\\(([-0-9.]+),([-0-9.]+)\\) scale\\(([0-9.]+)\\)' "
      "color='([^']*)'/>");
  return std::regex_replace(line, kUse, "<circle cx='$1' cy='$2' r='$3' fill='$4' stroke='none'/>");
}

}  // namespace

std::string tidy_gnuplot_svg(const std::string& svg, const std::string& name, const std::string& title,
                             const std::string& alt) {
  static const std::regex kTitle("<title>[^<]*</title>"),
      kCurrent(" color=\"([^\"]*)\" stroke=\"currentColor\"");
  std::string out;
  bool in_defs = false;
  for (std::string line : lines_of(svg)) {
    if (starts_with(line, "<title>Gnuplot") || starts_with(line, "<desc>Produced")) continue;
    if (starts_with(line, "<defs>")) in_defs = true;
    if (in_defs) {
      in_defs = !starts_with(line, "</defs>");
      continue;
    }
    line = std::regex_replace(line, kTitle, "");
    line = replaced(line, "shape-rendering='crispEdges'", "");
    line = replaced(line, "font-family=\"Inter:Bold\"", "font-family=\"Inter\" font-weight=\"600\"");
    line = replaced(line, "font-weight=\"bold\"", "font-weight=\"600\"");
    line = circles(line);
    line = std::regex_replace(line, kCurrent, " stroke=\"$1\"");
    line = replaced(line, "\"gnuplot_", "\"" + name + "-");
    if (line.empty()) continue;
    if (line.find("<g id=\"" + name + "-canvas\"") != std::string::npos) out += description(name, title, alt);
    const bool root = line.find_last_not_of(' ') == 3 && starts_with(line, "<svg");
    out += (root ? opening(name) : line) + "\n";
  }
  return out;
}

std::string tidy_graphviz_svg(const std::string& svg, const std::string& name, const std::string& title,
                              const std::string& alt) {
  static const std::regex kTitle("<title>[^<]*</title>"), kId(" id=\"([A-Za-z0-9_]*)\""),
      kBox("^ *viewBox=\"[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)\""), kLink("</?a [^>]*>|</a>");
  std::string out;
  bool comment = false;
  for (std::string line : lines_of(svg)) {
    if (comment || starts_with(line, "<!--")) {
      comment = line.find("-->") == std::string::npos;
      continue;
    }
    if (starts_with(line, "<svg ")) {
      out += opening(name) + "\n";
      continue;
    }
    std::smatch match;
    if (std::regex_search(line, match, kBox)) {
      const double w = parsed(match[1].str()), h = parsed(match[2].str());
      const double wide = std::max(kWidth, w);
      line = fmt::format(" viewBox=\"{} 0 {} {}\"{}", number((w - wide) / 2.0), number(wide), number(h + 6.0),
                         match.suffix().str());
    }
    const bool graph = starts_with(line, "<g id=\"graph0\"");
    line = std::regex_replace(line, kTitle, "");
    line = std::regex_replace(line, kLink, "");
    line = std::regex_replace(line, kId, " id=\"" + name + "-$1\"");
    line = replaced(line, "font-weight=\"bold\"", "font-weight=\"600\"");
    line = text_lowered(rounded(line));
    if (line.empty()) continue;
    if (graph) out += description(name, title, alt);
    out += line + "\n";
  }
  return out;
}

}  // namespace fleetsim
