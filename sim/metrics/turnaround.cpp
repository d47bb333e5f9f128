// Turnaround = end - submit of tagged jobs; unfinished ones enter with the time so far, a lower bound. The
// human pause before a promoted job is no part of it.
//
// `promoted_turnaround_s` is that of promoted jobs alone (their chain began in the window): with it and the
// prototypes' turnaround_s, time to result follows for any number of prototypes a result.
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

void measure_turnaround(const RunView& run, Metrics& metrics) {
  for_each_scope(run, metrics, [&](const RunView::Rows& rows, MetricSet& set) {
    Mean all, promoted;
    for (const std::uint32_t job : rows) {
      if (!run.started(job) && !run.unfinished(job)) continue;
      const double turnaround_s = run.turnaround_s(job);
      all.add(turnaround_s);
      if (run.requests.parent[job] != kNoJob) promoted.add(turnaround_s);
    }
    set.values.push_back({"turnaround_s", "s", all.value()});
    set.values.push_back({"promoted_turnaround_s", "s", promoted.value()});
  });
}

}  // namespace fleetsim
