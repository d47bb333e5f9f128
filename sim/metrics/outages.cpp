// What outages and checkpoints cost, where the scenario has any.
//   node_availability   = GPU time of the nodes that were up / of those that were there, in the window
//   lost_gpu_hours      = GPU time that outages took from tagged jobs: work and writing since the last
//                         checkpoint; all that a job held when it ends as node-fail
//   checkpoint_gpu_hours = GPU time that tagged jobs spent on writing checkpoints
//   requeued            = times that an outage sent a tagged job back to its queue
#include <algorithm>

#include "sim/engine/outages.hpp"
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

namespace {

struct Spent {
  double lost_h = 0.0, checkpoint_h = 0.0, requeued = 0.0;
};

/// By job: what all its attempts spent.
std::vector<Spent> spent_by_job(const RunView& run) {
  std::vector<Spent> out(run.requests.size());
  for (const Attempt& attempt : run.result.attempts) {
    const std::size_t job = index(attempt.job);
    const auto gpus = static_cast<double>(run.requests.gpus[job]);
    // A job that ends as node-fail takes what its earlier attempts saved with it.
    const bool all_lost = run.jobs.state[job] == JobState::node_fail;
    const bool elsewhere = attempt.preempted || attempt.pool == kCloudPool;  // counted in a family of its own
    const Duration lost = elsewhere ? Duration::zero() : attempt.lost;
    out[job].lost_h += gpus * to_hours(lost + (all_lost ? attempt.kept : Duration::zero()));
    out[job].checkpoint_h += gpus * to_hours(attempt.overhead);
    out[job].requeued += attempt.requeued && !elsewhere ? 1.0 : 0.0;
  }
  for (std::size_t job = 0; job < out.size(); ++job) {
    if (!run.started(job) || run.jobs.state[job] == JobState::node_fail) continue;
    const WorkSplit split = split_as_planned(run.last(job) - run.jobs.start[job], run.input.checkpoint);
    out[job].checkpoint_h += static_cast<double>(run.requests.gpus[job]) * to_hours(split.overhead);
  }
  return out;
}

double availability(const RunView& run) {
  const double window_h = to_hours(run.end - run.begin);
  double there_h = 0.0, down_h = 0.0;
  for (const EnginePool& pool : run.input.pools) there_h += window_h * pool.nodes * pool.gpus_per_node;
  for_each_absence(run.input, run.begin, run.end, [&](std::size_t pool, Instant from, Instant until) {
    there_h -= to_hours(until - from) * run.input.pools[pool].gpus_per_node;
  });
  for_each_failure(run.input, run.begin, run.end, [&](std::size_t pool, Instant from, Instant until) {
    down_h += to_hours(until - from) * run.input.pools[pool].gpus_per_node;
  });
  return ratio_or_undefined(there_h - down_h, there_h);
}

}  // namespace

void measure_outages(const RunView& run, Metrics& metrics) {
  if (run.input.node_events.empty() && run.input.checkpoint.interval <= Duration::zero()) return;
  const std::vector<Spent> spent = spent_by_job(run);
  metrics.all.values.push_back({"node_availability", "ratio", availability(run)});
  for_each_scope(run, metrics, [&](const RunView::Rows& rows, MetricSet& set) {
    Spent sum;
    for (const std::uint32_t job : rows) {
      sum.lost_h += spent[job].lost_h;
      sum.checkpoint_h += spent[job].checkpoint_h;
      sum.requeued += spent[job].requeued;
    }
    set.values.push_back({"lost_gpu_hours", "GPU h", sum.lost_h});
    set.values.push_back({"checkpoint_gpu_hours", "GPU h", sum.checkpoint_h});
    set.values.push_back({"requeued", "times", sum.requeued});
  });
}

}  // namespace fleetsim
