// What the demand is measured against: the node money of the budget, the GPU time of the fleet at hand and of
// its partitions.
#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "sim/economics/demand_parts.hpp"
#include "sim/economics/fleet_cost.hpp"

namespace fleetsim {
namespace {

/// GPUs that the work keeps busy, each class on its cheapest nodes.
double busy_gpus(const Scenario& scenario, const ClassDemand& demand) {
  for (const NodePool& pool : scenario.pools)
    if (pool.name == demand.cheapest_node)
      return demand.busy_nodes * pool.node.gpus * (1.0 - demand.impossible_share);
  return 0.0;
}

}  // namespace

void set_node_budget(const Scenario& scenario, OfferedLoad& load) {
  const FleetCost cost(scenario);
  std::vector<int> counts;
  for (const NodePool& pool : scenario.pools) counts.push_back(pool.existing ? pool.count : 0);
  const bool rents = std::any_of(scenario.pools.begin(), scenario.pools.end(),
                                 [](const NodePool& pool) { return pool.count > 0 && pool.node.rented(); });
  if (scenario.budget <= Money{} || rents || bought_pools(scenario) == 0) {
    load.node_budget = {};
    for (std::size_t i = 0; i < counts.size(); ++i)
      load.node_budget += node_worth(scenario, i, bought_pools(scenario) == 0) * scenario.pools[i].count;
    const int years = scenario.economics.years;
    load.node_budget_basis = "what the nodes of this fleet cost";
    if (rents)
      load.node_budget_basis +=
          fmt::format(", rented ones {} rent", years == 1   ? "a year's"
                                               : years == 3 ? "three years'"
                                                            : fmt::format("{} years'", years));
    return;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (cost.node_price(i) > Money{}) counts[i] = std::max(0, cost.most(counts, i));
  }
  const Money fixed = cost.fixed_money(counts).value_or(Money{});
  load.node_budget = cost.bill_budget() - fixed;
  load.node_budget_basis = fmt::format(
      "the {} less {} of shared equipment, that of the fleet with most {} nodes, so that it is the "
      "same for every split",
      cost.bill_budget() == scenario.budget
          ? "capital"
          : fmt::format("bill of {} that the capital pays for", money_text(cost.bill_budget())),
      money_text(fixed), scenario.pools.empty() ? "" : scenario.pools.front().name);
}

double fleet_load(const Scenario& scenario, const OfferedLoad& load) {
  double busy = load.trace ? busy_gpus(scenario, *load.trace) : 0.0, gpus = 0.0;
  for (const ClassDemand& demand : load.classes) busy += busy_gpus(scenario, demand);
  for (const NodePool& pool : scenario.pools) gpus += static_cast<double>(pool.count) * pool.node.gpus;
  return gpus > 0.0 ? busy / gpus : 0.0;
}

/// GPU time that a partition's own classes ask for over the GPU time of its pools; infinite without nodes.
/// Under strict sharing only: elsewhere others lend or take nodes.
std::vector<double> partition_load(const Scenario& scenario, const OfferedLoad& load) {
  const SchedulerSpec& scheduler = scenario.scheduler;
  if (scheduler.sharing != SharingRule::strict) return {};
  std::vector<double> busy(scheduler.partitions.size(), 0.0);
  for (std::size_t c = 0; c < load.classes.size(); ++c)
    busy.at(index(scenario.workload.classes[c].partition)) += busy_gpus(scenario, load.classes[c]);
  if (load.trace) busy.at(index(scenario.workload.trace_partition)) += busy_gpus(scenario, *load.trace);
  for (std::size_t p = 0; p < busy.size(); ++p) {
    double gpus = 0.0;
    for (const PoolId pool : scheduler.partitions[p].pools)
      gpus += static_cast<double>(scenario.pools[index(pool)].count) * scenario.pools[index(pool)].node.gpus;
    if (busy[p] > 0.0) busy[p] = gpus > 0.0 ? busy[p] / gpus : std::numeric_limits<double>::infinity();
  }
  return busy;
}

}  // namespace fleetsim
