#include "topology/fabric_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/torus.hpp"

namespace fleetsim {
namespace {

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

/// Fewest switches that take the cables of `full` switches with `up` each and `last` with `up_last`, every
/// one spread as evenly as it goes, with at most `ports` in use; 0: none do.
int fewest(int full, int up, int last, int up_last, int ports) {
  for (int s = 1; s <= std::max(up, up_last); ++s)
    if (full * ceil_div(up, s) + last * ceil_div(up_last, s) <= ports) return s;
  return 0;
}

int uplinks(const FabricSpec& spec, int adapters_on_leaf) {
  return static_cast<int>(std::ceil(adapters_on_leaf / spec.oversubscription - 1e-9));
}

/// Most nodes with so many adapters on a leaf so that down ports + up ports fit the switch.
int nodes_a_leaf(const FabricSpec& spec, int adapters) {
  int most = spec.link.switch_ports / adapters;
  while (most > 0 && most * adapters + uplinks(spec, most * adapters) > spec.link.switch_ports) --most;
  return most;
}

std::string fault_of(const FabricSpec& spec) {
  const std::string& link = spec.link.name;
  if (spec.link.usable_rate.value.count() <= 0)
    return fmt::format("a fabric over '{}' has no bandwidth", link);
  if (spec.shape == FabricShape::torus && spec.link.switch_ports > 0)
    return fmt::format(
        "'{}' joins adapters through switches; a torus joins accelerators by links of their own, which have "
        "no "
        "switch (tpu-v4-ici, for instance)",
        link);
  if (spec.shape == FabricShape::torus) return {};
  if (spec.adapters_per_node < 1)
    return "a fabric needs at least one adapter in every node; shape none has no fabric";
  if (spec.link.switch_ports < 1)
    return fmt::format("'{}' has no switch, so it joins accelerators in a torus only", link);
  if (!(spec.oversubscription >= 1.0) || !std::isfinite(spec.oversubscription))
    return "oversubscription is leaf down ports over up ports and cannot be below 1";
  if (spec.levels != 0 && spec.levels != 2 && spec.levels != 3)
    return fmt::format("a fat tree has 2 or 3 levels of switches, not {}", spec.levels);
  if (spec.shape == FabricShape::superpod) {
    const int most = nodes_a_leaf(spec, 1);
    if (spec.su_nodes > most)
      return fmt::format(
          "a scalable unit of {} nodes does not fit leaf switches of {} ports, which hold {} with the cables "
          "up",
          spec.su_nodes, spec.link.switch_ports, most);
  }
  return {};
}

class Planner {
 public:
  Planner(const FabricSpec& spec, int nodes)
      : spec_(spec), nodes_(nodes), ports_(spec.link.switch_ports), adapters_(spec.adapters_per_node) {}

  FabricPlan plan() {
    p_.counts.nodes = nodes_;
    p_.counts.adapters = p_.counts.node_cables = nodes_ * adapters_;
    p_.nodes_per_unit = nodes_;
    if (static_cast<std::int64_t>(nodes_) * adapters_ <= ports_) {
      p_.levels = p_.units = p_.columns = 1;  // everything fits one switch
      p_.nodes_per_unit = ports_ / adapters_;
      p_.counts.leaf_switches = 1;
    } else if (spec_.shape == FabricShape::single_switch) {
      p_.problem = fmt::format(
          "{} nodes with {} adapter{} each need {} switch ports and the '{}' switch has {}; take shape "
          "leaf-spine",
          nodes_, adapters_, adapters_ == 1 ? "" : "s", nodes_ * adapters_, spec_.link.name, ports_);
    } else if (plan_units() && !plan_levels()) {
      p_.problem = too_many();
    }
    return std::move(p_);
  }

 private:
  [[nodiscard]] int uplinks_of(int nodes_on_leaf) const {
    return uplinks(spec_, nodes_on_leaf * adapters_ / p_.rails);
  }

  bool plan_units() {
    p_.rails = spec_.shape == FabricShape::superpod ? adapters_ : 1;
    const int most = nodes_a_leaf(spec_, adapters_ / p_.rails);
    p_.nodes_per_unit = spec_.shape == FabricShape::superpod && spec_.su_nodes > 0 ? spec_.su_nodes : most;
    if (most == 0)
      p_.problem =
          fmt::format("a leaf switch with {} ports cannot hold one node with {} adapter{} and its uplinks",
                      ports_, adapters_, adapters_ == 1 ? "" : "s");
    if (!p_.problem.empty()) return false;
    p_.units = ceil_div(nodes_, p_.nodes_per_unit);
    p_.up = uplinks_of(p_.nodes_per_unit);
    p_.up_last = uplinks_of(nodes_ - (p_.units - 1) * p_.nodes_per_unit);
    if (p_.units == 1) p_.up = p_.up_last;
    p_.counts.leaf_switches = p_.units * p_.rails;
    return true;
  }

  [[nodiscard]] bool may_have(int levels) const {
    return spec_.shape == FabricShape::leaf_spine ? levels == 2 : spec_.levels == 0 || spec_.levels == levels;
  }
  bool plan_levels() {
    if (!(may_have(2) && plan_two()) && !(may_have(3) && plan_three())) return false;
    // A leaf that is not full has as many cables to each spine, or fewer flows than cables would collide.
    p_.up_last = std::min(uplinks_of(p_.nodes_per_unit), p_.spines * ceil_div(p_.up_last, p_.spines));
    if (p_.units == 1) p_.up = p_.up_last;
    p_.counts.switch_cables = p_.rails * ((p_.units - 1) * p_.up + p_.up_last);
    return true;
  }

  /// Every leaf reaches every spine.
  bool plan_two() {
    if (p_.counts.leaf_switches > ports_) return false;
    p_.levels = 2;
    p_.columns = 1;
    p_.spines = fewest((p_.units - 1) * p_.rails, p_.up, p_.rails, p_.up_last, ports_);
    p_.counts.spine_switches = p_.spines;
    return p_.spines > 0;
  }

  /// Blocks of at most ports/2 leaves of one rail with their own spines; cores join the blocks. Leaves are
  /// spread evenly over as few blocks as hold them, and all blocks have as many spines: one of a few leaves
  /// and spines would meet the others in a few core groups only. The ports up of a spine are all cabled.
  bool plan_three() {
    const int half = ports_ / 2;
    if (half == 0) return false;
    p_.levels = 3;
    p_.columns = ceil_div(p_.units, half);
    const int blocks = p_.rails * p_.columns;
    const int most = ceil_div(p_.units, p_.columns);
    p_.spines =
        p_.columns == 1 ? fewest(most - 1, p_.up, 1, p_.up_last, half) : fewest(most, p_.up, 0, 0, half);
    if (blocks > ports_ || p_.spines == 0) return false;
    p_.counts.spine_switches = blocks * p_.spines;
    if (blocks == 1) return true;
    p_.spine_up = half;
    p_.cores = fewest(blocks, half, 0, 0, ports_);
    p_.counts.core_switches = p_.spines * p_.cores;
    p_.counts.core_cables = blocks * p_.spines * half;
    return true;
  }

  [[nodiscard]] std::string too_many() const {
    const bool more = spec_.shape != FabricShape::leaf_spine && spec_.levels != 2;
    return fmt::format(
        "{} nodes need {} leaf switches, more than {} of '{}' with {} ports can join; {}", nodes_,
        p_.counts.leaf_switches, more ? "three levels" : "spine switches", spec_.link.name, ports_,
        more ? "a switch with more ports would"
             : "two levels of switches do not reach, shape fat-tree with 3 levels goes further");
  }

  const FabricSpec& spec_;
  int nodes_, ports_, adapters_;
  FabricPlan p_;
};

}  // namespace

FabricPlan plan_fabric(const FabricSpec& spec, int nodes, int gpus_per_node) {
  FabricPlan plan;
  plan.counts.nodes = plan.nodes_per_unit = nodes;
  if (spec.shape == FabricShape::none || nodes == 0) return plan;
  plan.problem = fault_of(spec);
  if (!plan.problem.empty()) return plan;
  if (spec.shape == FabricShape::torus) return plan_torus(spec, nodes, gpus_per_node);
  return Planner(spec, nodes).plan();
}

}  // namespace fleetsim
