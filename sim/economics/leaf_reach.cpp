#include "sim/economics/leaf_reach.hpp"

#include "sim/cluster/free_map.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {

bool fits_below(const Scenario& scenario, std::size_t pool, int gpus, int leaves) {
  int nodes = 0, first = 0;
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    if (p == pool) first = nodes;
    nodes += scenario.pools[p].count;
  }
  const NodePool& own = scenario.pools[pool];
  if (own.count == 0) return false;
  const FabricPlan plan = plan_fabric(scenario.fabric, nodes, own.node.gpus);
  PoolShape shape{own.count, own.node.gpus, first};
  if (plan.problem.empty() && plan.units > 1) shape.nodes_per_leaf = plan.nodes_per_unit;
  return FreeMap(shape).fits(gpus, leaves);
}

}  // namespace fleetsim
