// Work that users asked for and did not get, in GPU-hours of the reference node, over tagged jobs: impossible
// jobs, and jobs killed at their limit or by a node that failed (the whole job counts: what it had computed
// is lost).
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

void measure_unserved(const RunView& run, Metrics& metrics) {
  for_each_scope(run, metrics, [&](const RunView::Rows& rows, MetricSet& set) {
    double submitted = 0.0, impossible = 0.0, killed = 0.0;
    std::int64_t unfinished = 0;
    for (const std::uint32_t job : rows) {
      const double gpu_hours = run.reference_gpu_hours(job);
      submitted += gpu_hours;
      if (run.jobs.state[job] == JobState::impossible) impossible += gpu_hours;
      if (run.jobs.state[job] == JobState::timeout || run.jobs.state[job] == JobState::node_fail)
        killed += gpu_hours;
      if (run.unfinished(job)) ++unfinished;
    }
    set.values.push_back({"unserved_gpu_hours", "GPU h", impossible + killed});
    set.values.push_back({"impossible_gpu_hours", "GPU h", impossible});
    set.values.push_back({"unserved_share", "ratio", ratio_or_undefined(impossible + killed, submitted)});
    set.values.push_back({"impossible_share", "ratio", ratio_or_undefined(impossible, submitted)});
    set.values.push_back(
        {"unfinished_tagged_share", "ratio",
         ratio_or_undefined(static_cast<double>(unfinished), static_cast<double>(rows.size()))});
  });
}

}  // namespace fleetsim
