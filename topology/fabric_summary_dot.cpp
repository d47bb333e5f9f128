// A large fabric as a picture: a few of its units, and what joins them, as counts.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "topology/bisection.hpp"
#include "topology/dot.hpp"
#include "topology/fabric_picture.hpp"
#include "topology/graph.hpp"

namespace fleetsim::dot {
namespace {

constexpr double kLeft = 58, kRoom = kWidth - kLeft - 4;
/// Groups that are drawn; of more, the first ones and the last.
constexpr int kMostGroups = 5;

class SummaryPicture {
 public:
  explicit SummaryPicture(const Fabric& fabric)
      : f_(fabric), p_(fabric.graph().plan), c_(p_.counts), pods_(p_.levels == 3 && p_.rails == 1) {
    groups_ = pods_ ? p_.columns : p_.units;
    for (int i = 0; i < std::min(groups_, kMostGroups); ++i) shown_.push_back(i);
    if (groups_ > kMostGroups) shown_.back() = groups_ - 1;
  }

  std::string draw() {
    std::string out = begin("fabric");
    place_rows();
    draw_cores(out);
    draw_spines(out);
    draw_groups(out);
    draw_totals(out);
    return out + "}\n";
  }

 private:
  void row(std::string& out, const std::string& name, double y) const {
    out += text("row" + name, 2, y, name, kSecond, 11, 'l', false);
  }
  void place_rows() {
    leaf_y_ = node_y_ + 84;
    spine_y_ = leaf_y_ + (pods_ ? 62 : 92);
    core_y_ = spine_y_ + 84;
  }
  [[nodiscard]] double slot_x(std::size_t i) const {
    // Between the last but one and the last there is room for the groups that are left out.
    const bool gap = groups_ > kMostGroups;
    const double slots = static_cast<double>(shown_.size()) + (gap ? 0.4 : 0.0);
    const double shift = gap && i + 1 == shown_.size() ? 0.4 : 0.0;
    return kLeft + kRoom * (static_cast<double>(i) + shift + 0.5) / slots;
  }
  [[nodiscard]] double slot_width() const {
    return std::min(150.0, kRoom / (static_cast<double>(shown_.size()) + 0.4) - 8);
  }
  [[nodiscard]] std::string link_rate() const {
    return gb_per_s(f_.spec().link.usable_rate.value.count()) + " GB/s";
  }
  static Box switches(std::string id, double x, double y, double width, bool solid) {
    Box box{std::move(id), x, y, width, 36};
    box.fill = solid ? kBlue : "white";
    box.ink = solid ? "white" : kBlue;
    return box;
  }

  void draw_cores(std::string& out) const {
    if (c_.core_switches == 0) return;
    row(out, "Core", core_y_);
    Box box = switches("K", kLeft + kRoom / 2, core_y_, 300, true);
    box.title = amount(c_.core_switches, "core switch", "core switches");
    box.lines = {fmt::format("{} from spines", amount(c_.core_cables, "cable", "cables"))};
    out += dot::box(box);
  }

  /// One box for all, one a rail where rails have their own, none where spines belong to the pods below.
  void draw_spines(std::string& out) {
    if (c_.spine_switches == 0 || pods_) return;
    row(out, "Spine", spine_y_);
    const int boxes = p_.blocks_a_column() <= 8 ? p_.blocks_a_column() : 1;
    for (int b = 0; b < boxes; ++b) {
      const double step = kRoom / boxes;
      Box box = switches(fmt::format("S{}", b), kLeft + step * (b + 0.5), spine_y_,
                         boxes == 1 ? 300.0 : step - 6, true);
      if (boxes == 1) {
        box.title = amount(c_.spine_switches, "spine switch", "spine switches");
        box.lines = {fmt::format("{} from leaves", amount(c_.switch_cables, "cable", "cables"))};
      } else {
        box.title = fmt::format("Rail {}", b + 1);
        box.lines = {amount(c_.spine_switches / boxes, "spine", "spines")};
      }
      out += dot::box(box);
      if (c_.core_switches > 0) out += line("K", box.id, kPaleBlue, 1.25, true);
      spines_.push_back(box.id);
    }
    if (boxes > 1)
      out += text("cables", kLeft + kRoom / 2, (leaf_y_ + spine_y_) / 2,
                  amount(c_.switch_cables, "cable", "cables") + " between leaves and spines");
  }

  void draw_groups(std::string& out) {
    if (pods_) row(out, "Spine", spine_y_);
    row(out, "Leaf", leaf_y_);
    row(out, "Nodes", node_y_);
    for (std::size_t i = 0; i < shown_.size(); ++i) draw_group(out, i);
    if (groups_ <= kMostGroups) return;
    const double x = (slot_x(shown_.size() - 2) + slot_x(shown_.size() - 1)) / 2;
    out += text("more", x, leaf_y_, "…", kSecond, 14);
    out += text("more2", x, node_y_, "…", kSecond, 14);
  }

  void draw_group(std::string& out, std::size_t i) {
    const int group = shown_[i], first_unit = pods_ ? p_.first_unit(group) : group;
    const int units = pods_ ? p_.first_unit(group + 1) - first_unit : 1;
    const int first = first_unit * p_.nodes_per_unit;
    const int end = std::min(f_.size(), (first_unit + units) * p_.nodes_per_unit);
    const double x = slot_x(i);
    Box leaf = switches(fmt::format("L{}", group), x, leaf_y_, slot_width(), false);
    const std::string name = fmt::format("{} {}", pods_ ? "Pod" : p_.rails > 1 ? "Unit" : "Leaf", group + 1);
    leaf.title = pods_ ? amount(units, "leaf", "leaves") : name;
    leaf.lines = {p_.rails > 1 ? fmt::format("{} leaves, one a rail", p_.rails)
                               : fmt::format("{} up", amount(uplinks(first_unit, units), "cable", "cables"))};
    out += dot::box(leaf);
    std::string top = leaf.id;
    if (pods_) {
      Box spine = switches(fmt::format("P{}", group), x, spine_y_, slot_width(), true);
      spine.title = name;
      spine.lines = {amount(p_.spines, "spine", "spines")};
      out += dot::box(spine);
      out += line(spine.id, leaf.id, kBlue, 2, true);
      if (c_.core_switches > 0) out += line("K", spine.id, kPaleBlue, 1.25, true);
    }
    for (const std::string& spine : spines_) out += line(spine, leaf.id, kPaleBlue, 1, true);
    draw_nodes(out, leaf.id, x, first, end);
  }

  void draw_nodes(std::string& out, const std::string& leaf, double x, int first, int end) const {
    int gpus = 0;
    for (int n = first; n < end; ++n) gpus += f_.node(NodeId{static_cast<unsigned>(n)}).gpus;
    Box nodes{"N" + leaf, x, node_y_, slot_width(), 36};
    nodes.fill = nodes.border = node_tint(f_, first);
    nodes.ink = kInk;
    nodes.title = amount(end - first, "node", "nodes");
    nodes.lines = {amount(gpus, "GPU", "GPUs")};
    out += dot::box(nodes);
    out += line(leaf, nodes.id, kPaleBlue, 2, true);
    const int adapters = f_.spec().adapters_per_node;
    out +=
        text("r" + leaf, x, (leaf_y_ + node_y_) / 2,
             adapters > 1 ? fmt::format("{} × {} a node", adapters, link_rate()) : link_rate() + " a node");
  }

  [[nodiscard]] int uplinks(int first_unit, int units) const {
    return units * p_.up - (first_unit + units == p_.units ? p_.up - p_.up_last : 0);
  }

  void draw_totals(std::string& out) const {
    int gpus = 0;
    for (int n = 0; n < f_.size(); ++n) gpus += f_.node(NodeId{static_cast<unsigned>(n)}).gpus;
    const double y = node_y_ - 34;
    out += text("total", kLeft, y,
                fmt::format("{} with {}; {}, {}; the halves exchange {} each way. Rates are usable ones.",
                            amount(f_.size(), "node", "nodes"), amount(gpus, "GPU", "GPUs"),
                            amount(c_.switches(), "switch", "switches"),
                            amount(c_.node_cables + c_.switch_cables + c_.core_cables, "cable", "cables"),
                            large_rate(bisection_bandwidth(f_))),
                kSecond, 10, 'l', false);
    out += node_legend(f_, kLeft, y - 18);
  }

  const Fabric& f_;
  const FabricPlan& p_;
  const FabricCounts& c_;
  bool pods_;
  int groups_ = 0;
  std::vector<int> shown_;
  std::vector<std::string> spines_;
  double node_y_ = 18, leaf_y_ = 0, spine_y_ = 0, core_y_ = 0;
};

}  // namespace

std::string fabric_summary(const Fabric& fabric) {
  return SummaryPicture(fabric).draw();
}

}  // namespace fleetsim::dot
