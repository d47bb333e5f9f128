// How many switches and cables a fabric of n equal-ported nodes has, in closed form. A property test holds it
// equal to what the graph counts.
#include <cmath>

#include "sim/economics/fleet_cost.hpp"

namespace fleetsim {

std::optional<FabricCounts> fabric_counts(const FabricSpec& spec, int nodes) {
  FabricCounts counts;
  counts.nodes = nodes;
  if (spec.shape == FabricShape::none || nodes == 0) return counts;
  const int ports = spec.link.switch_ports;
  const int adapters = spec.adapters_per_node;
  if (adapters < 1) return std::nullopt;
  counts.adapters = nodes * adapters;
  counts.node_cables = counts.adapters;
  if (counts.adapters <= ports) {
    counts.leaf_switches = 1;
    return counts;
  }
  if (spec.shape == FabricShape::single_switch) return std::nullopt;

  const auto uplinks = [&](int on_leaf) {
    return static_cast<int>(std::ceil(on_leaf * adapters / spec.oversubscription - 1e-9));
  };
  int per_leaf = ports / adapters;
  while (per_leaf > 0 && per_leaf * adapters + uplinks(per_leaf) > ports) --per_leaf;
  if (per_leaf == 0) return std::nullopt;
  const int leaves = (nodes + per_leaf - 1) / per_leaf;
  if (leaves > ports) return std::nullopt;  // a spine cannot join them
  const int up = uplinks(per_leaf);
  const int up_last = uplinks(nodes - (leaves - 1) * per_leaf);
  // The fewest spines that take every leaf's evenly spread uplinks; with `up` of them each leaf has one cable
  // a spine, which the check above allows.
  int spines = 1;
  const auto ports_used = [&] {
    return (leaves - 1) * ((up + spines - 1) / spines) + (up_last + spines - 1) / spines;
  };
  while (ports_used() > ports) ++spines;
  counts.leaf_switches = leaves;
  counts.spine_switches = spines;
  counts.switch_cables = (leaves - 1) * up + up_last;
  return counts;
}

}  // namespace fleetsim
