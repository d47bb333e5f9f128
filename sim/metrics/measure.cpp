#include "sim/metrics/measure.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/assert.hpp"
#include "sim/metrics/run_view.hpp"
#include "sim/metrics/trace_scope.hpp"
#include "sim/workload/groups.hpp"

namespace fleetsim {

namespace {

using Family = void (*)(const RunView&, Metrics&);
// In the order in which the metrics are printed.
constexpr Family kFamilies[] = {
    measure_states,      measure_waits,    measure_turnaround,    measure_slowdown, measure_results,
    measure_utilisation, measure_unserved, measure_fragmentation, measure_backlog,  measure_outages,
    measure_preemptions, measure_groups,   measure_burst,         check_laws};

}  // namespace

RunView::RunView(const Scenario& scenario_, const EngineInput& input_, const EngineResult& result_,
                 const Ledger& ledger_, const RunTimeTable& efficiency_,
                 std::vector<double> burst_efficiency_)
    : scenario(scenario_),
      input(input_),
      result(result_),
      ledger(ledger_),
      efficiency(efficiency_),
      burst_efficiency(std::move(burst_efficiency_)),
      requests(*input_.requests),
      truth(*input_.truth),
      jobs(result_.jobs),
      begin(input_.tag_begin),
      end(input_.tag_end),
      chain(result_chain(scenario_)) {
  const std::size_t n = requests.size();
  FLEETSIM_ASSERT(jobs.state.size() == n);
  tagged.assign(n, 0);
  const std::size_t classes = scenario.workload.classes.size();
  const bool has_trace = scenario.workload.trace != nullptr;
  tagged_by_class.resize(classes + (has_trace ? 1 : 0));
  if (!requests.group.empty()) tagged_by_group.resize(group_scopes(scenario.workload).size());
  for (std::size_t job = 0; job < n; ++job) {
    if (!submitted(job)) continue;
    const JobId parent = requests.parent[job];
    // A parent stands before its child, so its tag is known.
    const bool in_window =
        parent == kNoJob ? jobs.submit[job] >= begin && jobs.submit[job] < end : tagged[index(parent)] != 0;
    if (!in_window) continue;
    tagged[job] = 1;
    tagged_rows.push_back(static_cast<std::uint32_t>(job));
    const std::size_t c = requests.job_class[job] == kNoClass ? classes : index(requests.job_class[job]);
    if (c < tagged_by_class.size()) tagged_by_class[c].push_back(static_cast<std::uint32_t>(job));
    if (!tagged_by_group.empty())
      tagged_by_group[requests.group[job]].push_back(static_cast<std::uint32_t>(job));
  }
  if (result.attempts.empty()) return;
  first_start_of.assign(n, kNever);
  kept_before.assign(n, Duration::zero());
  for (const Attempt& attempt : result.attempts) {
    Instant& first = first_start_of[index(attempt.job)];
    first = std::min(first, attempt.start);
    if (attempt.requeued) kept_before[index(attempt.job)] += attempt.kept + attempt.overhead;
  }
}

Metrics measure(const Scenario& scenario, const EngineInput& input, const EngineResult& result,
                const Ledger& ledger, const RunTimeTable& efficiency,
                const std::vector<double>& burst_efficiency) {
  const RunView run(scenario, input, result, ledger, efficiency, burst_efficiency);
  Metrics metrics;
  for (const JobClass& job_class : scenario.workload.classes) metrics.classes.push_back({job_class.name, {}});
  if (scenario.workload.trace) metrics.classes.push_back({kTraceScope, {}});
  if (!run.tagged_by_group.empty())
    for (const std::string& group : group_scopes(scenario.workload)) metrics.groups.push_back({group, {}});
  for (const EnginePool& pool : input.pools) metrics.pools.push_back({pool.name, 0.0, 0.0});
  for (const Family family : kFamilies) family(run, metrics);
  return metrics;
}

const Metric* MetricSet::find(const std::string& name) const {
  for (const Metric& metric : values)
    if (metric.name == name) return &metric;
  return nullptr;
}

double MetricSet::value(const std::string& name) const {
  const Metric* metric = find(name);
  return metric == nullptr ? kUndefined : metric->value;
}

}  // namespace fleetsim
