// What users ask for on this fleet: the requested time limits, and the queue that the sharing rule leads to.
#include <algorithm>
#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/private_machines.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

namespace {

// Users round limits up to quarters of an hour (estimate).
constexpr std::int64_t kLimitGrain_us = 15LL * 60 * 1'000'000;

/// Largest ratio among the pools where the jobs of a queue may run; 1 when there is none.
double slowest(const EngineQueue& queue, const RunTimeTable& table, std::size_t shape) {
  double worst = -1.0;
  for (const PoolId pool : queue.own)
    worst = std::max(worst, table.one_leaf[shape * table.pools + index(pool)]);
  for (const EngineQueue::Overflow& o : queue.overflow)
    worst = std::max(worst, table.one_leaf[shape * table.pools + index(o.pool)]);
  return worst < 0.0 ? 1.0 : worst;
}

Duration rounded_up(double limit_us, Duration most) {
  if (!(limit_us < static_cast<double>(most.count()))) return most;
  const double quarters = std::max(1.0, std::ceil(limit_us / static_cast<double>(kLimitGrain_us)));
  return std::min(most, Duration{static_cast<std::int64_t>(quarters) * kLimitGrain_us});
}

}  // namespace

JobRequests bind(const Scenario& scenario, const Prepared& prepared, const Workload& workload) {
  const bool one_queue = scenario.scheduler.sharing == SharingRule::one_pool;
  const bool own_machine = has_private_machines(scenario);
  const std::size_t queues = prepared.queues.size();
  std::vector<double> ratio(workload.shapes.size() * queues);
  for (std::size_t s = 0; s < workload.shapes.size(); ++s)
    for (std::size_t q = 0; q < queues; ++q)
      ratio[s * queues + q] = slowest(prepared.queues[q], prepared.run_time, s);
  for (std::size_t s = 0; s < prepared.burst.ratio.size(); ++s)
    for (std::size_t q = 0; q < queues; ++q)
      ratio[s * queues + q] = std::max(ratio[s * queues + q], prepared.burst.ratio[s]);

  // Users know how long their jobs take with checkpoints; see with_checkpoints().
  const auto& failures = scenario.availability.failures;
  const bool checkpoints = failures && failures->checkpoint_interval > Duration::zero();
  const double longer =
      checkpoints ? 1.0 + to_seconds(failures->checkpoint_cost) / to_seconds(failures->checkpoint_interval)
                  : 1.0;

  JobRequests bound = workload.requests;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const std::size_t partition = index(bound.queue[i]);
    FLEETSIM_ASSERT(partition < scenario.scheduler.partitions.size());
    const Duration most = scenario.scheduler.partitions[partition].max_time;
    if (one_queue) bound.queue[i] = QueueId{0};
    if (own_machine) bound.queue[i] = QueueId{static_cast<std::uint16_t>(bound.user[i])};
    const double slow = ratio[workload.truth.shape[i] * queues + index(bound.queue[i])] * longer;
    if (bound.job_class[i] == kNoClass) {
      const double stretched = static_cast<double>(bound.limit[i].count()) * std::max(1.0, slow);
      bound.limit[i] = slow > 1.0 ? rounded_up(stretched, most) : std::min(bound.limit[i], most);
    } else {
      const double run_us = static_cast<double>(workload.truth.wall[i].count()) * slow;
      bound.limit[i] = rounded_up(run_us * workload.truth.limit_factor[i], most);
    }
  }
  return bound;
}

}  // namespace fleetsim
