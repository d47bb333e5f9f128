#include "sim/study/screening.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/economics/cash_flow.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/constraints.hpp"

namespace fleetsim {

namespace {

/// A job that is killed at its limit asks for less than it was drawn with.
constexpr double kCutOff = 0.01;

std::string saturated(const Scenario& scenario) {
  if (scenario.scheduler.sharing != SharingRule::strict || scenario.workload.trace) return {};
  if (scenario.availability.demand_growth < 0.0) return {};
  if (scenario.scheduler.burst) return {};  // what the fleet cannot do goes to rented GPUs
  const OfferedLoad load = offered_load(scenario);
  if (load.closed_loop) return {};  // whoever waits asks for less
  for (std::size_t p = 0; p < load.partition_load.size(); ++p) {
    const Partition& partition = scenario.scheduler.partitions[p];
    if (partition.pools.size() != 1 || !(load.partition_load[p] > kSurelySaturated)) continue;
    bool bound = true;
    for (std::size_t c = 0; c < load.classes.size(); ++c) {
      if (index(scenario.workload.classes[c].partition) == p && load.classes[c].cut_off_share > kCutOff)
        bound = false;
    }
    if (bound && std::isfinite(load.partition_load[p]))
      return fmt::format("saturated beyond doubt: its jobs ask for {:.0f} % of the GPU time of partition {}",
                         100.0 * load.partition_load[p], partition.name);
  }
  return {};
}

std::string over_a_cap(const Scenario& scenario) {
  const Bill bill = bill_of_materials(scenario);
  const std::vector<double> idle(scenario.pools.size(), 0.0);
  const CostTable cost = cost_by_year(scenario, bill, mean_power(scenario, idle));
  const std::vector<std::string> broken = broken_caps(scenario.economics, cost);
  return broken.empty() ? std::string() : "even when idle: " + broken.front();
}

}  // namespace

std::string known_beforehand(const Scenario& scenario) {
  for (const ClassId c : homeless_classes(scenario))
    return fmt::format("end point: class {} can run nowhere", scenario.workload.classes[index(c)].name);
  std::string reason = over_a_cap(scenario);
  return reason.empty() ? saturated(scenario) : reason;
}

}  // namespace fleetsim
