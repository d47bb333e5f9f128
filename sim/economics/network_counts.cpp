// How many switches and cables a fabric of n equal nodes has, without a graph.
#include "sim/economics/fleet_cost.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {

std::optional<FabricCounts> fabric_counts(const FabricSpec& spec, int nodes, int gpus_per_node) {
  FabricPlan plan = plan_fabric(spec, nodes, gpus_per_node);
  return plan.problem.empty() ? std::optional(plan.counts) : std::nullopt;
}

int gpus_a_node(const Scenario& scenario, std::span<const int> counts) {
  int gpus = -1;
  for (std::size_t pool = 0; pool < counts.size(); ++pool) {
    if (counts[pool] == 0) continue;
    const int here = scenario.pools[pool].node.gpus;
    gpus = gpus == -1 || gpus == here ? here : 0;
  }
  return gpus == -1 ? 1 : gpus;
}

}  // namespace fleetsim
