// A torus as a picture: the corners of its lattice, and the links that close each side to a ring.
#include <fmt/format.h>

#include <algorithm>

#include "topology/bisection.hpp"
#include "topology/dot.hpp"
#include "topology/fabric_picture.hpp"
#include "topology/graph.hpp"
#include "topology/torus.hpp"

namespace fleetsim::dot {
namespace {

/// Places of a side that are drawn: all, or the first two and the last two.
std::vector<int> shown(int side) {
  std::vector<int> out;
  for (int i = 0; i < side; ++i)
    if (side <= 4 || i < 2 || i >= side - 2) out.push_back(i);
  return out;
}

class TorusPicture {
 public:
  explicit TorusPicture(const Fabric& fabric) : f_(fabric), g_(fabric.graph()), sides_(g_.plan.sides) {
    sides_.resize(3, 1);
    x_ = shown(sides_[0]);
    y_ = shown(sides_[1]);
    z_ = shown(sides_[2]);
    if (z_.size() > 2) z_ = {0, sides_[2] - 1};
  }

  std::string draw() {
    std::string out = begin("fabric");
    // The layer behind first, so that the front one lies over it.
    for (std::size_t k = z_.size(); k-- > 0;) draw_layer(out, k);
    draw_words(out);
    return out + "}\n";
  }

 private:
  static constexpr double kPitchX = 74, kPitchY = 46, kBackX = 34, kBackY = 23, kEnd = 26;

  [[nodiscard]] double left(std::size_t i, std::size_t k) const {
    return 40 + kPitchX * static_cast<double>(i) + kBackX * static_cast<double>(k);
  }
  [[nodiscard]] double height(std::size_t j, std::size_t k) const {
    return 40 + kPitchY * static_cast<double>(j) + kBackY * static_cast<double>(k);
  }
  static std::string id(std::size_t i, std::size_t j, std::size_t k) {
    return fmt::format("T{}_{}_{}", i, j, k);
  }
  [[nodiscard]] int place(std::size_t i, std::size_t j, std::size_t k) const {
    return x_[i] + sides_[0] * (y_[j] + sides_[1] * z_[k]);
  }
  [[nodiscard]] bool taken(std::size_t i, std::size_t j, std::size_t k) const {
    return g_.places[static_cast<std::size_t>(place(i, j, k))] != kNowhere;
  }

  [[nodiscard]] int block(std::size_t d) const {
    return d < g_.plan.node_sides.size() ? g_.plan.node_sides[d] : 1;
  }

  void draw_layer(std::string& out, std::size_t k) {
    for (std::size_t j = 0; j < y_.size(); ++j) {
      for (std::size_t i = 0; i < x_.size(); ++i) {
        if (!taken(i, j, k)) continue;
        const int shade = x_[i] / block(0) + y_[j] / block(1) + z_[k] / block(2);
        Box box{id(i, j, k), left(i, k), height(j, k), 22, 15};
        box.fill = kTints[shade % 2 == 0 ? 0 : 2];
        box.border = k == 0 ? kBlue : kPaleBlue;
        out += dot::box(box);
        if (i + 1 < x_.size()) join(out, i, j, k, i + 1, j, k, x_[i + 1] - x_[i] > 1);
        if (j + 1 < y_.size()) join(out, i, j, k, i, j + 1, k, y_[j + 1] - y_[j] > 1);
        if (k + 1 < z_.size()) join(out, i, j, k, i, j, k + 1, z_[k + 1] - z_[k] > 1);
        if (k == 0) close(out, i, j);
      }
    }
  }

  /// `jump`: accelerators between the two are not drawn.
  void join(std::string& out, std::size_t i, std::size_t j, std::size_t k, std::size_t a, std::size_t b,
            std::size_t c, bool jump) const {
    if (!taken(a, b, c)) return;
    out += fmt::format("  {} -- {} [color=\"{}\", penwidth={}{}];\n", id(i, j, k), id(a, b, c),
                       k == 0 && c == 0 ? kBlue : kPaleBlue, jump ? 1.0 : 1.25, jump ? ", style=dashed" : "");
  }

  /// The links that leave the front layer at one edge and come back at the other.
  void close(std::string& out, std::size_t i, std::size_t j) {
    const auto stub = [&](const char* name, double x, double y) {
      const std::string end = fmt::format("{}{}_{}", name, i, j);
      out += fmt::format("  {} [pos=\"{:.1f},{:.1f}\", shape=point, width=0.01, height=0.01, style=invis];\n",
                         end, x, y);
      out += fmt::format(
          "  {} -- {} [color=\"{}\", penwidth=1.25, dir=forward, arrowhead=normal, arrowsize=0.5];\n",
          id(i, j, 0), end, kOchre);
    };
    const double x = left(i, 0), y = height(j, 0);
    if (sides_[0] > 2 && i == 0) stub("wl", x - kEnd, y);
    if (sides_[0] > 2 && i + 1 == x_.size()) stub("wr", x + kEnd, y);
    if (sides_[1] > 2 && j == 0) stub("wd", x, y - kEnd + 4);
    if (sides_[1] > 2 && j + 1 == y_.size() && z_.size() == 1) stub("wu", x, y + kEnd - 4);
    if (sides_[2] > 2 && j == 0) stub("wz", x - 17, y - 13);
  }

  void draw_words(std::string& out) const {
    const FabricCounts c = f_.counts();
    int accelerators = 0;
    for (int n = 0; n < f_.size(); ++n) accelerators += f_.node(NodeId{static_cast<unsigned>(n)}).gpus;
    const int each = f_.node(NodeId{0}).gpus;
    std::string sides;
    for (const int s : g_.plan.sides) sides += fmt::format("{}{}", sides.empty() ? "" : " × ", s);
    const std::vector<std::string> words{
        fmt::format("{} = {}", sides, amount(accelerators, "accelerator", "accelerators")),
        fmt::format("{} with {} each, shaded by node", amount(f_.size(), "node", "nodes"), each),
        fmt::format("{} GB/s usable a link, each way", gb_per_s(f_.spec().link.usable_rate.value.count())),
        fmt::format("{} between nodes, no switches", amount(c.torus_cables, "cable", "cables")),
        fmt::format("the halves exchange {} each way", large_rate(bisection_bandwidth(f_))),
        "arrows: come back at the opposite edge",
        "dashed: accelerators left out"};
    const double x = left(x_.size() - 1, z_.size() - 1) + 62;
    double y = height(y_.size() - 1, z_.size() - 1);
    for (std::size_t i = 0; i < words.size(); ++i, y -= i == 1 ? 22 : 17) {
      if (i == 6 && x_.size() == static_cast<std::size_t>(sides_[0]) &&
          y_.size() == static_cast<std::size_t>(sides_[1]) &&
          z_.size() == static_cast<std::size_t>(sides_[2]))
        break;
      out +=
          text(fmt::format("w{}", i), x, y, words[i], i == 0 ? kInk : kSecond, i == 0 ? 13 : 10, 'l', false);
    }
    out += node_legend(f_, x, y - 4);
  }

  const Fabric& f_;
  const Fabric::Graph& g_;
  std::vector<int> sides_, x_, y_, z_;
};

}  // namespace

std::string torus_picture(const Fabric& fabric) {
  return TorusPicture(fabric).draw();
}

}  // namespace fleetsim::dot
