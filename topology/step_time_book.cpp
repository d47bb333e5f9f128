#include "topology/step_time_book.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/base/assert.hpp"
#include "topology/fabric_plan.hpp"
#include "topology/run_time_ratio.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {
namespace {

int nodes_needed(int gpus, const NodeType& node) {
  return (gpus + node.gpus - 1) / node.gpus;
}

/// The fewest nodes from `from` on, at most 2^20, that hang on several leaf switches; 0 when the fabric has
/// no leaves or cannot be wired so far.
int nodes_on_leaves(const FabricSpec& spec, const NodeType& node, int from) {
  if (spec.shape == FabricShape::torus) return 0;
  const auto plan = [&](int nodes) { return plan_fabric(spec, nodes, node.gpus); };
  int high = from;
  while (plan(high).units < 2) {
    if (high > 1 << 20 || !plan(high).problem.empty()) return 0;
    high *= 2;
  }
  int low = from;  // the leaves are as many as ever when nodes are added
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (plan(middle).units < 2) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return plan(low).problem.empty() ? low : 0;
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
  const int several = nodes_on_leaves(spec_, node, needed);
  const int per_leaf = several == 0 ? 0 : plan_fabric(spec_, several, node.gpus).nodes_per_unit;
  if (needed > per_leaf) return packed(model, gpus, node);  // crosses anyway, or never
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
  const bool crosses = crosses_leaves && several_targets;
  const double target_s = (crosses ? crossing(model, gpus, target) : packed(model, gpus, target)).seconds;
  FLEETSIM_ASSERT(reference_s > 0.0);
  return target_s / reference_s;
}

double StepTimeBook::efficiency(const ModelType& model, int gpus, const NodeType& node) {
  return packed(model, gpus, node).efficiency;
}

}  // namespace fleetsim
