// The fabric as a picture: spine switches, leaf switches, nodes, and what their links carry.
#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cmath>

#include "topology/dot.hpp"
#include "topology/fabric_picture.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

constexpr double kLeft = 62, kRoom = dot::kWidth - kLeft - 4;
/// More nodes than this are drawn as one box a leaf.
constexpr int kMostNodes = 40;

/// More switches of a level than this are drawn as counts.
constexpr int kMostSwitches = 16;

class FabricPicture {
 public:
  explicit FabricPicture(const Fabric& fabric)
      : fabric_(fabric),
        g_(fabric.graph()),
        n_(fabric.size()),
        leaves_(static_cast<int>(g_.leaves.size())),
        spines_(static_cast<int>(g_.spines.size())),
        single_(n_ <= kMostNodes) {
    pitch_ = std::min(72.0, kRoom / std::max(1, n_));
    left_ = kLeft + (kRoom - pitch_ * n_) / 2;
    for (int l = 0; l < leaves_; ++l) {
      first_.push_back(l * g_.plan.nodes_per_unit);
      last_.push_back(std::min(n_, (l + 1) * g_.plan.nodes_per_unit) - 1);
    }
    place_leaves();
  }

  std::string draw() {
    std::string out = dot::begin("fabric");
    if (spines_ > 0) out += dot::text("rS", 2, kSpineY, "Spine", dot::kSecond, 11, 'l', false);
    if (leaves_ > 0)
      out += dot::text("rL", 2, kLeafY, spines_ > 0 ? "Leaf" : "Switch", dot::kSecond, 11, 'l', false);
    out += dot::text("rN", 2, kNodeY, single_ ? "Node" : "Nodes", dot::kSecond, 11, 'l', false);
    draw_spines(out);
    draw_leaves(out);
    draw_nodes(out);
    out += dot::node_legend(fabric_, kLeft, kNodeY - 32);
    if (leaves_ > 0)
      out += dot::text("rates", kLeft + kRoom - 160, kNodeY - 32, "rates of links are usable ones",
                       dot::kSecond, 10, 'l', false);
    return out + "}\n";
  }

 private:
  static constexpr double kNodeY = 18, kLeafY = 104, kSpineY = 194;

  [[nodiscard]] double node_x(int i) const { return left_ + (i + 0.5) * pitch_; }
  [[nodiscard]] double leaf_x(int l) const { return leaf_x_[l]; }
  /// Leaves stand over their nodes when these are drawn one by one, moved aside where they would overlap;
  /// else evenly.
  void place_leaves() {
    const double half = leaf_width() / 2, step = leaf_width() + 6;
    for (int l = 0; l < leaves_; ++l) {
      const double over_nodes = (node_x(first_[l]) + node_x(last_[l])) / 2;
      leaf_x_.push_back(single_ ? over_nodes : kLeft + kRoom * (l + 0.5) / leaves_);
    }
    double least = kLeft + half;
    for (int l = 0; l < leaves_; ++l, least = leaf_x_[l - 1] + step) leaf_x_[l] = std::max(leaf_x_[l], least);
    double most = kLeft + kRoom - half;
    for (int l = leaves_ - 1; l >= 0; most = leaf_x_[l] - step, --l) leaf_x_[l] = std::min(leaf_x_[l], most);
  }
  [[nodiscard]] double leaf_width() const { return std::min(128.0, kRoom / std::max(1, leaves_) - 6); }
  [[nodiscard]] std::string rate(int cables) const {
    const std::string one = dot::gb_per_s(fabric_.spec().link.usable_rate.value.count());
    return cables > 1 ? fmt::format("{} × {} GB/s", cables, one) : one + " GB/s";
  }

  void draw_spines(std::string& out) {
    for (int s = 0; s < spines_; ++s) {
      int used = 0;
      for (const auto e : boost::make_iterator_range(boost::in_edges(g_.spines[s], g_.wiring)))
        used += g_.wiring[e].cables;
      const double width = std::min(112.0, kRoom / spines_ - 6);
      dot::Box box{fmt::format("S{}", s), kLeft + kRoom * (s + 0.5) / spines_, kSpineY, width, 34};
      box.fill = dot::kBlue;
      box.ink = "white";
      box.title = width > 50 ? fmt::format("Spine {}", s + 1) : fmt::format("{}", s + 1);
      if (width > 100)
        box.lines = {fmt::format("{} of {} ports used", used, fabric_.spec().link.switch_ports)};
      out += dot::box(box);
      for (const auto e : boost::make_iterator_range(boost::in_edges(g_.spines[s], g_.wiring)))
        out += dot::line(box.id, fmt::format("L{}", g_.wiring[boost::source(e, g_.wiring)].index), dot::kBlue,
                         1.5, true);
    }
  }

  [[nodiscard]] int cables_up(int leaf) const {
    int up = 0;
    for (const auto e : boost::make_iterator_range(boost::out_edges(g_.leaves[leaf], g_.wiring)))
      up += g_.wiring[boost::target(e, g_.wiring)].device == Device::spine ? g_.wiring[e].cables : 0;
    return up;
  }

  void draw_leaves(std::string& out) {
    const double width = leaf_width();
    for (int l = 0; l < leaves_; ++l) {
      dot::Box box{fmt::format("L{}", l), leaf_x(l), kLeafY, width, spines_ > 0 ? 46.0 : 34.0};
      if (spines_ == 0) {
        box.title = "Switch";
        box.lines = {fmt::format("{} of {} ports used", n_ * fabric_.spec().adapters_per_node,
                                 fabric_.spec().link.switch_ports)};
      } else {
        box.title = width > 44 ? fmt::format("Leaf {}", l + 1) : fmt::format("{}", l + 1);
        if (width > 76) box.lines.push_back("nodes " + dot::range(first_[l] + 1, last_[l] + 1));
        if (width > 96) box.lines.push_back("up " + rate(cables_up(l)));
      }
      out += dot::box(box);
    }
    if (leaves_ > 0 && spines_ > 0 && width <= 96) {
      out += dot::text("up", kLeft + kRoom / 2, (kLeafY + kSpineY) / 2,
                       fmt::format("a full leaf: {} up, each way", rate(cables_up(0))));
    }
  }

  void draw_nodes(std::string& out) {
    for (int i = 0; single_ && i < n_; ++i) {
      dot::Box box{fmt::format("N{}", i), node_x(i), kNodeY, std::min(60.0, pitch_ - (n_ > 20 ? 2 : 4)), 26};
      box.fill = box.border = dot::node_tint(fabric_, i);
      box.ink = dot::kInk;
      const std::string number = fmt::format("{}", i + 1);
      box.title_size = n_ > 32 ? 9.5 : 11;
      if (n_ > 32) {
        box.lines = {number};  // two bold figures would not fit
      } else {
        box.title = n_ <= 10 ? "Node " + number : number;
      }
      out += dot::box(box);
      if (leaves_ > 0)
        out += dot::line(fmt::format("L{}", fabric_.leaf_of(NodeId{static_cast<unsigned>(i)})), box.id,
                         dot::kPaleBlue, 1, true);
    }
    for (int l = 0; l < leaves_; ++l) {
      const double x = leaf_x(l);
      if (!single_) {
        dot::Box box{fmt::format("N{}", l), x, kNodeY, leaf_width(), 26};
        box.fill = box.border = dot::node_tint(fabric_, first_[l]);
        box.ink = dot::kInk;
        const int count = last_[l] - first_[l] + 1;
        box.title = leaf_width() > 60 ? fmt::format("{} node{}", count, count == 1 ? "" : "s")
                                      : fmt::format("{}", count);
        out += dot::box(box);
        out += dot::line(fmt::format("L{}", l), box.id, dot::kPaleBlue, 1);
      }
      if (leaf_width() > 96 || l == 0) {
        const std::string each = rate(fabric_.spec().adapters_per_node);
        const bool wide = leaves_ == 1 || leaf_width() > 120;
        out += dot::text(fmt::format("r{}", l), std::max(x, kLeft + 50), (kLeafY + kNodeY) / 2 + 2,
                         wide ? each + " each way" : each);
      }
    }
  }

  const Fabric& fabric_;
  const Fabric::Graph& g_;
  int n_, leaves_, spines_;
  bool single_;
  double pitch_ = 0, left_ = 0;
  std::vector<int> first_, last_;
  std::vector<double> leaf_x_;
};

}  // namespace

namespace dot {

std::string range(int first, int last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}–{}", first, last);
}

std::string_view node_tint(const Fabric& fabric, int node) {
  return kTints[static_cast<std::size_t>(fabric.graph().type_of[node]) % std::size(kTints)];
}

std::string amount(std::int64_t n, const std::string& one, const std::string& many) {
  std::string digits = fmt::format("{}", n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0 && n > 9999; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");  // a narrow space that does not break
  return digits + " " + (n == 1 ? one : many);
}

std::string large_rate(double bytes_per_s) {
  return bytes_per_s >= 1e12 ? fmt::format("{:.3g} TB/s", bytes_per_s / 1e12)
                             : gb_per_s(bytes_per_s) + " GB/s";
}

std::string node_legend(const Fabric& fabric, double x, double y) {
  const Fabric::Graph& g = fabric.graph();
  const int n = fabric.size();
  std::string out;
  for (std::size_t t = 0; t < g.types.size(); ++t) {
    std::string runs;
    int count = 0;
    for (int i = 0; i < n; ++i) {
      if (g.type_of[i] != static_cast<int>(t)) continue;
      int j = i;
      while (j + 1 < n && g.type_of[j + 1] == static_cast<int>(t)) ++j;
      runs += (runs.empty() ? "" : ", ") + range(i + 1, j + 1);
      count += j - i + 1;
      i = j;
    }
    if (runs.size() > 40) runs = fmt::format("{} nodes", count);
    Box box{fmt::format("K{}", t), x + 5, y, 10, 10};
    box.fill = box.border = kTints[t % std::size(kTints)];
    out += dot::box(box);
    out += text(fmt::format("k{}", t), x + 14, y, fmt::format("{}: {}", runs, g.types[t].title), kSecond, 10,
                'l');
    y -= 16;
  }
  return out;
}

}  // namespace dot

std::string Fabric::to_dot() const {
  const FabricPlan& plan = graph_->plan;
  if (!plan.sides.empty()) return dot::torus_picture(*this);
  const bool many = static_cast<int>(graph_->leaves.size()) > kMostSwitches ||
                    static_cast<int>(graph_->spines.size()) > kMostSwitches;
  if (plan.rails > 1 || plan.levels == 3 || many) return dot::fabric_summary(*this);
  return FabricPicture(*this).draw();
}

}  // namespace fleetsim
