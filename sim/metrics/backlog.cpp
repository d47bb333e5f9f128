// Does a pool's queue grow? Waiting work at an instant is the sum of GPUs x run time (on the pool) of the
// jobs that wait; each job counts at the first pool of its queue on which it can run, own pools first.
#include <set>

#include "sim/metrics/run_view.hpp"

namespace fleetsim {

namespace {

/// [shape * queues + queue] -> pool, kNoPool when the shape can run nowhere in the queue.
std::vector<PoolId> first_pools(const RunView& run) {
  const RunTimeTable& table = run.input.run_time;
  const std::size_t shapes = table.pools == 0 ? 0 : table.one_leaf.size() / table.pools;
  const std::size_t queues = run.input.queues.size();
  std::vector<PoolId> first(shapes * queues, kNoPool);
  for (std::size_t s = 0; s < shapes; ++s) {
    for (std::size_t q = 0; q < queues; ++q) {
      const auto consider = [&](PoolId pool) {
        PoolId& place = first[s * queues + q];
        if (place == kNoPool && table.one_leaf[s * table.pools + index(pool)] >= 0.0) place = pool;
      };
      for (const PoolId pool : run.input.queues[q].own) consider(pool);
      for (const EngineQueue::Overflow& o : run.input.queues[q].overflow) consider(o.pool);
    }
  }
  return first;
}

/// Jobs that ran at the instant in an attempt that an outage ended later. What it kept is not taken off the
/// work that waits afterwards.
std::set<std::size_t> running_before_an_outage(const RunView& run, Instant at) {
  std::set<std::size_t> out;
  for (const Attempt& attempt : run.result.attempts)
    if (attempt.start < at && attempt.end >= at) out.insert(index(attempt.job));
  return out;
}

}  // namespace

void measure_backlog(const RunView& run, Metrics& metrics) {
  const std::vector<PoolId> first = first_pools(run);
  const std::size_t queues = run.input.queues.size();
  std::vector<double> growth_h(run.input.pools.size());
  const auto at_begin_running = running_before_an_outage(run, run.begin);
  const auto at_end_running = running_before_an_outage(run, run.end);
  for (std::size_t job = 0; job < run.requests.size(); ++job) {
    if (!run.submitted(job) || run.jobs.state[job] == JobState::impossible) continue;
    const Instant submit = run.jobs.submit[job];
    const Instant left = run.started(job) ? run.jobs.start[job] : run.last(job);
    const bool at_begin = submit < run.begin && left >= run.begin && at_begin_running.count(job) == 0;
    const bool at_end = submit < run.end && left >= run.end && at_end_running.count(job) == 0;
    if (at_begin == at_end) continue;
    const std::size_t shape = run.truth.shape[job];
    const PoolId pool = first[shape * queues + index(run.requests.queue[job])];
    if (pool == kNoPool) continue;
    const double ratio = run.input.run_time.one_leaf[shape * run.input.run_time.pools + index(pool)];
    growth_h[index(pool)] += (at_end ? 1.0 : -1.0) * run.reference_gpu_hours(job) * ratio;
  }
  const double window_h = to_hours(run.end - run.begin);
  for (std::size_t p = 0; p < growth_h.size(); ++p) {
    const EnginePool& pool = run.input.pools[p];
    const double there_h = window_h * pool.nodes * pool.gpus_per_node;
    metrics.pools[p].backlog_growth = there_h > 0.0 ? growth_h[p] / there_h : 0.0;
  }
}

}  // namespace fleetsim
