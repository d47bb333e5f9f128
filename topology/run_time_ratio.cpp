// Run time on one node type over run time on another, by the step time of both.
#include "topology/run_time_ratio.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/base/assert.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {
namespace {

int nodes_needed(int gpus, const NodeType& node) {
  return (gpus + node.gpus - 1) / node.gpus;
}

bool has_leaves(FabricShape shape) {
  return shape == FabricShape::leaf_spine || shape == FabricShape::fat_tree || shape == FabricShape::superpod;
}

Fabric uniform_fabric(const FabricSpec& spec, const NodeType& node, int nodes) {
  const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), &node);
  return Fabric::build(spec, all);
}

double packed_step_s(const ModelType& model, int gpus, const NodeType& node, const FabricSpec& spec) {
  const Fabric fabric = uniform_fabric(spec, node, nodes_needed(gpus, node));
  return to_seconds(step_time(model, {gpus}, fabric, packed_placement(gpus, node.gpus)).total);
}

/// The same nodes, but half of them behind the first leaf switch and half behind the second.
double crossing_step_s(const ModelType& model, int gpus, const NodeType& node, const FabricSpec& spec) {
  const int needed = nodes_needed(gpus, node);
  // One node more than a single switch has ports for, so that the fabric has leaves at all.
  const int one_switch = spec.adapters_per_node > 0 ? spec.link.switch_ports / spec.adapters_per_node : 0;
  const int several = std::max(needed, one_switch + 1);
  const int per_leaf = uniform_fabric(spec, node, several).nodes_per_leaf();
  if (needed > per_leaf) return packed_step_s(model, gpus, node, spec);  // crosses anyway
  const Fabric fabric = uniform_fabric(spec, node, std::max(several, per_leaf + needed));
  const int first = per_leaf - needed / 2;
  return to_seconds(step_time(model, {gpus}, fabric, packed_placement(gpus, node.gpus, first)).total);
}

}  // namespace

Placement packed_placement(int gpus, int gpus_per_node, int first) {
  FLEETSIM_ASSERT(gpus >= 1 && gpus_per_node >= 1 && first >= 0);
  Placement placement;
  for (int left = gpus; left > 0; left -= gpus_per_node, ++first) {
    placement.push_back({NodeId{static_cast<std::uint32_t>(first)}, std::min(left, gpus_per_node)});
  }
  return placement;
}

double run_time_ratio(const ModelType& model, int gpus, const NodeType& target, const NodeType& reference,
                      const FabricSpec& fabric, bool crosses_leaves) {
  FLEETSIM_ASSERT(gpus >= 1 && target.gpus >= 1 && reference.gpus >= 1);
  const bool joined = fabric.shape != FabricShape::none;
  const bool several_targets = nodes_needed(gpus, target) > 1;
  if (several_targets && !joined) return std::numeric_limits<double>::infinity();
  const bool reference_holds = joined || nodes_needed(gpus, reference) == 1;
  const double reference_s = packed_step_s(model, reference_holds ? gpus : 1, reference, fabric);
  const bool crossing = crosses_leaves && several_targets && has_leaves(fabric.shape);
  const double target_s =
      crossing ? crossing_step_s(model, gpus, target, fabric) : packed_step_s(model, gpus, target, fabric);
  FLEETSIM_ASSERT(reference_s > 0.0);
  return target_s / reference_s;
}

}  // namespace fleetsim
