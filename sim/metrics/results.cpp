// From prototype to result.
//   time_to_result_s = k x mean turnaround of tagged prototypes + mean turnaround of results promoted from
//                      tagged prototypes
//   chain_slowdown   = sum of turnarounds over sum of run times along a chain of promotions, mean over chains
//                      whose every submitted job ended; jobs without a promotion are no chain
//   results_per_week = results completed in the window per week of it; completed jobs of any class where no
//                      class promotes
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

namespace {

/// Slowdown of the chain that starts with `root`; none when it has one job only or is not over.
std::optional<double> slowdown_of_chain(const RunView& run, std::size_t root) {
  double turnaround_s = 0.0, run_s = 0.0;
  int length = 0;
  for (JobId id{static_cast<std::uint32_t>(root)}; id != kNoJob; id = run.truth.child[index(id)]) {
    const std::size_t job = index(id);
    if (!run.submitted(job)) break;
    if (!run.served(job)) return std::nullopt;
    turnaround_s += run.turnaround_s(job);
    run_s += run.run_s(job);
    ++length;
  }
  if (length < 2 || !(run_s > 0.0)) return std::nullopt;
  return turnaround_s / run_s;
}

double results_per_week(const RunView& run) {
  const double weeks = to_hours(run.end - run.begin) / to_hours(kWeek);
  std::int64_t results = 0;
  for (std::size_t job = 0; job < run.requests.size(); ++job) {
    if (run.jobs.state[job] != JobState::completed) continue;
    if (run.jobs.end[job] < run.begin || run.jobs.end[job] >= run.end) continue;
    if (!run.chain || run.requests.job_class[job] == run.chain->result) ++results;
  }
  return ratio_or_undefined(static_cast<double>(results), weeks);
}

}  // namespace

void measure_results(const RunView& run, Metrics& metrics) {
  Mean slowdown;
  for (const std::uint32_t job : run.tagged_rows) {
    if (run.requests.parent[job] != kNoJob || run.truth.child[job] == kNoJob) continue;
    if (const auto of_chain = slowdown_of_chain(run, job)) slowdown.add(*of_chain);
  }
  double time_to_result_s = kUndefined;
  if (run.chain) {
    const double prototype_s = metrics.classes[index(run.chain->prototype)].value("turnaround_s");
    const double result_s = metrics.classes[index(run.chain->result)].value("promoted_turnaround_s");
    time_to_result_s = run.scenario.study.prototypes_per_result * prototype_s + result_s;
  }
  metrics.all.values.push_back({"chain_slowdown", "ratio", slowdown.value()});
  metrics.all.values.push_back({"time_to_result_s", "s", time_to_result_s});
  metrics.all.values.push_back({"results_per_week", "1/week", results_per_week(run)});
}

}  // namespace fleetsim
