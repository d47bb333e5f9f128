#include "sim/private_machines.hpp"

#include <fmt/format.h>

#include "sim/base/assert.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

bool has_private_machines(const Scenario& scenario) {
  return scenario.scheduler.sharing == SharingRule::private_machines;
}

std::string private_problem(const Scenario& scenario) {
  const int users = scenario.workload.users;
  if (scenario.pools.size() != 1)
    return fmt::format("private machines are of one pool, the fleet has {}", scenario.pools.size());
  if (scenario.workload.trace != nullptr) return "users of a recorded workload have no private machines";
  if (!scenario.availability.deliveries.empty()) return "private machines are all there from the start";
  if (scenario.pools.front().count != users)
    return fmt::format("each of {} user{} has a private machine, but {} has {} node{}", users,
                       users == 1 ? "" : "s", scenario.pools.front().name, scenario.pools.front().count,
                       scenario.pools.front().count == 1 ? "" : "s");
  return {};
}

Scenario one_pool_a_user(const Scenario& scenario) {
  Scenario wide = scenario;
  wide.scheduler.sharing = SharingRule::strict;
  wide.pools.clear();
  wide.scheduler.partitions.clear();
  for (int user = 0; user < scenario.workload.users; ++user) {
    NodePool machine = scenario.pools.front();
    machine.name += fmt::format("-{}", user);
    machine.count = 1;
    wide.pools.push_back(machine);
    Partition own;
    own.name = machine.name;
    own.pools = {PoolId{static_cast<std::uint16_t>(user)}};
    wide.scheduler.partitions.push_back(own);
  }
  return wide;
}

void as_one_pool(const Scenario& scenario, Metrics& metrics, EngineResult& outcome) {
  const auto machines = static_cast<double>(metrics.pools.size());
  PoolMetrics all{scenario.pools.front().name, 0.0, 0.0};
  all.present = 0.0;
  for (const PoolMetrics& machine : metrics.pools) {
    all.utilisation_allocated += machine.utilisation_allocated / machines;
    all.backlog_growth += machine.backlog_growth / machines;
    all.present += machine.present / machines;
  }
  metrics.pools = {all};
  for (PoolId& pool : outcome.jobs.pool)
    if (pool != kNoPool && pool != kCloudPool) pool = PoolId{0};
}

}  // namespace fleetsim
