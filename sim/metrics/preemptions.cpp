// What jobs on idle nodes of others paid for it, under the sharing rule `preempt`.
//   preemptions         = times that an owner of the nodes sent a tagged job back to its queue
//   preempted_jobs      = tagged jobs to which that happened at least once
//   preempted_gpu_hours = GPU time that it took from tagged jobs: since their start or last checkpoint
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

void measure_preemptions(const RunView& run, Metrics& metrics) {
  if (!run.input.preempt) return;
  std::vector<double> times(run.requests.size()), lost_h(run.requests.size());
  for (const Attempt& attempt : run.result.attempts) {
    if (!attempt.preempted) continue;
    const std::size_t job = index(attempt.job);
    times[job] += 1.0;
    lost_h[job] += static_cast<double>(run.requests.gpus[job]) * to_hours(attempt.lost);
  }
  for_each_scope(run, metrics, [&](const RunView::Rows& rows, MetricSet& set) {
    double all = 0.0, jobs = 0.0, lost = 0.0;
    for (const std::uint32_t job : rows) {
      all += times[job];
      jobs += times[job] > 0.0 ? 1.0 : 0.0;
      lost += lost_h[job];
    }
    set.values.push_back({"preemptions", "times", all});
    set.values.push_back({"preempted_jobs", "jobs", jobs});
    set.values.push_back({"preempted_gpu_hours", "GPU h", lost});
  });
}

}  // namespace fleetsim
