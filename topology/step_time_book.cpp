#include "topology/step_time_book.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/base/assert.hpp"
#include "topology/run_time_ratio.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {
namespace {

int nodes_needed(int gpus, const NodeType& node) {
  return (gpus + node.gpus - 1) / node.gpus;
}

}  // namespace

const Fabric& StepTimeBook::fabric(const NodeType& node, int nodes) {
  const auto known = fabrics_.find({node.name, nodes});
  if (known != fabrics_.end()) return known->second;
  const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), &node);
  return fabrics_.emplace(std::pair(node.name, nodes), Fabric::build(spec_, all)).first->second;
}

const StepTimeBook::Step& StepTimeBook::packed(const ModelType& model, int gpus, const NodeType& node) {
  const std::tuple key(model.name, node.name, gpus, false);
  const auto known = steps_.find(key);
  if (known != steps_.end()) return known->second;
  const StepTime step =
      step_time(model, {gpus}, fabric(node, nodes_needed(gpus, node)), packed_placement(gpus, node.gpus));
  return steps_.emplace(key, Step{to_seconds(step.total), step.efficiency}).first->second;
}

/// The same nodes, but half of them behind the first leaf switch and half behind the second.
const StepTimeBook::Step& StepTimeBook::crossing(const ModelType& model, int gpus, const NodeType& node) {
  const std::tuple key(model.name, node.name, gpus, true);
  const auto known = steps_.find(key);
  if (known != steps_.end()) return known->second;
  const int needed = nodes_needed(gpus, node);
  // One node more than a single switch has ports for, so that the fabric has leaves at all.
  const int one_switch = spec_.adapters_per_node > 0 ? spec_.link.switch_ports / spec_.adapters_per_node : 0;
  const int several = std::max(needed, one_switch + 1);
  const int per_leaf = fabric(node, several).nodes_per_leaf();
  if (needed > per_leaf) return packed(model, gpus, node);  // crosses anyway
  const Fabric& wide = fabric(node, std::max(several, per_leaf + needed));
  const StepTime step =
      step_time(model, {gpus}, wide, packed_placement(gpus, node.gpus, per_leaf - needed / 2));
  return steps_.emplace(key, Step{to_seconds(step.total), step.efficiency}).first->second;
}

double StepTimeBook::run_time_ratio(const ModelType& model, int gpus, const NodeType& target,
                                    const NodeType& reference, bool crosses_leaves) {
  FLEETSIM_ASSERT(gpus >= 1 && target.gpus >= 1 && reference.gpus >= 1);
  const bool joined = spec_.shape != FabricShape::none;
  const bool several_targets = nodes_needed(gpus, target) > 1;
  if (several_targets && !joined) return std::numeric_limits<double>::infinity();
  const bool reference_holds = joined || nodes_needed(gpus, reference) == 1;
  const double reference_s = packed(model, reference_holds ? gpus : 1, reference).seconds;
  const bool crosses = crosses_leaves && several_targets && spec_.shape == FabricShape::leaf_spine;
  const double target_s = (crosses ? crossing(model, gpus, target) : packed(model, gpus, target)).seconds;
  FLEETSIM_ASSERT(reference_s > 0.0);
  return target_s / reference_s;
}

double StepTimeBook::efficiency(const ModelType& model, int gpus, const NodeType& node) {
  return packed(model, gpus, node).efficiency;
}

}  // namespace fleetsim
