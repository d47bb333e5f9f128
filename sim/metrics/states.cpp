// How many jobs ended in which state.
#include "sim/base/assert.hpp"
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

void measure_states(const RunView& run, Metrics& metrics) {
  for (std::size_t job = 0; job < run.requests.size(); ++job) {
    const JobState state = run.jobs.state[job];
    if (state == JobState::dormant) continue;
    FLEETSIM_ASSERT(state != JobState::pending && state != JobState::running);
    ++metrics.states[static_cast<std::size_t>(state)];
    ++metrics.submitted;
    if (run.tagged[job] == 0) continue;
    ++metrics.tagged_states[static_cast<std::size_t>(state)];
    ++metrics.tagged;
  }
  for_each_scope(run, metrics, [](const RunView::Rows& rows, MetricSet& set) {
    set.values.push_back({"tagged_jobs", "jobs", static_cast<double>(rows.size())});
  });
}

}  // namespace fleetsim
