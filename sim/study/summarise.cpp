// From the replications of one fleet to its row of the study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/base/hash.hpp"
#include "sim/economics/cash_flow.hpp"
#include "sim/metrics/trace_scope.hpp"
#include "sim/study/constraints.hpp"
#include "sim/study/fleet_use.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/study.hpp"
#include "sim/workload/groups.hpp"

namespace fleetsim {

namespace {

/// `pick` finds one set of metrics in a run, or null. Names come from the runs; a name that a run lacks is
/// undefined there.
template <class Pick>
std::map<std::string, Summary> summarise_sets(const std::vector<RunResult>& runs, Pick pick) {
  struct Column {
    std::string unit;
    std::vector<double> values;
  };
  std::map<std::string, Column> columns;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const MetricSet* set = pick(runs[r].metrics);
    if (set == nullptr) continue;
    for (const Metric& m : set->values) {
      Column& column = columns[m.name];
      column.unit = m.unit;
      column.values.resize(runs.size(), kNan);
      column.values[r] = m.value;
    }
  }
  std::map<std::string, Summary> summaries;
  for (const auto& [name, column] : columns) summaries[name] = summarise(column.values, column.unit);
  return summaries;
}

template <class Value>
Summary summarise_runs(const std::vector<RunResult>& runs, const char* unit, Value value) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const RunResult& run : runs) values.push_back(value(run.metrics));
  return summarise(values, unit);
}

void pools(const Scenario& scenario, const std::vector<RunResult>& runs, CandidateResult& result) {
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    const auto of_pool = [p](double PoolMetrics::*field) {
      return [p, field](const Metrics& m) { return p < m.pools.size() ? m.pools[p].*field : kNan; };
    };
    const std::string& name = scenario.pools[p].name;
    const Summary busy = summarise_runs(runs, "ratio", of_pool(&PoolMetrics::utilisation_allocated));
    result.pool_utilisation.push_back(busy);
    result.metrics[pool_metric("utilisation_allocated", name)] = busy;
    result.metrics[pool_metric("backlog_growth", name)] =
        summarise_runs(runs, "ratio", of_pool(&PoolMetrics::backlog_growth));
  }
}

void money(const Scenario& scenario, CandidateResult& result) {
  const Bill bill = bill_of_materials(scenario);
  result.capex = purchase_money(scenario, bill);
  if (scenario.budget > Money{}) result.unspent = scenario.budget - result.capex;
  result.sale = proceeds(scenario);
  result.unpriced = bill.unpriced;
  if (!scenario.pools.empty() && bill.node_money > Money{}) {
    const PoolId scale = scale_pool(scenario);
    result.share = node_price(scenario, scale) * scenario.pools[index(scale)].count / bill.node_money;
  }
  const CostTable cost = cost_of_use(scenario, bill, mean_use(scenario, result));
  result.three_year_cost = cost.total;
  const std::vector<std::string> broken = broken_caps(scenario.economics, cost);
  result.reasons.insert(result.reasons.end(), broken.begin(), broken.end());
  result.feasible = result.feasible && broken.empty();
  result.over_caps = broken;
}

void counts_and_states(const std::vector<RunResult>& runs, CandidateResult& result) {
  ReplayHash hash;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Metrics& m = runs[r].metrics;
    hash.mix(runs[r].replay_hash);
    for (std::size_t s = 0; s < m.states.size(); ++s) {
      const auto state = static_cast<JobState>(s);
      if (state == JobState::dormant || state == JobState::pending || state == JobState::running) continue;
      result.states[to_string(state)] += m.states[s];
    }
    for (const std::string& law : m.broken_laws)
      result.broken_laws.push_back(fmt::format("replication {}: {}", r, law));
  }
  result.replay_hash = hash.value();
}

std::vector<double> mean_by_hour(const std::vector<RunResult>& runs) {
  std::vector<double> sum;
  std::size_t n = 0;
  for (const RunResult& run : runs) {
    const auto& hours = run.metrics.utilisation_by_hour;
    if (hours.empty()) continue;
    sum.resize(std::max(sum.size(), hours.size()), 0.0);
    for (std::size_t h = 0; h < hours.size(); ++h) sum[h] += hours[h];
    ++n;
  }
  for (double& h : sum) h /= static_cast<double>(n);
  return sum;
}

}  // namespace

std::vector<double> objective_ks(const Scenario& scenario) {
  const auto chain = result_chain(scenario);
  if (!chain || !objective_of(scenario.study).of_k) return {};
  std::vector<double> ks{1.0, scenario.study.prototypes_per_result};
  const auto& promotion = scenario.workload.classes[index(chain->prototype)].promotes_to;
  if (promotion && promotion->probability > 0.0) ks.push_back(1.0 / promotion->probability);
  std::sort(ks.begin(), ks.end());
  const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); };
  ks.erase(std::unique(ks.begin(), ks.end(), same), ks.end());
  return ks;
}

namespace {

std::vector<double> seconds_to_result(const Scenario& scenario, const std::vector<RunResult>& runs,
                                      double k) {
  std::vector<double> seconds(runs.size(), kNan);
  const auto chain = result_chain(scenario);
  if (!chain) return seconds;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& classes = runs[r].metrics.classes;
    if (index(chain->prototype) >= classes.size() || index(chain->result) >= classes.size()) continue;
    const double prototype_s = classes[index(chain->prototype)].value("turnaround_s");
    const double result_s = classes[index(chain->result)].value("promoted_turnaround_s");
    seconds[r] = k * prototype_s + result_s;
  }
  return seconds;
}

}  // namespace

std::vector<double> times_to_result(const Scenario& scenario, const std::vector<RunResult>& runs, double k) {
  std::vector<double> hours = seconds_to_result(scenario, runs, k);
  for (double& h : hours) h /= 3600.0;
  return hours;
}

CandidateResult summarise_candidate(const Scenario& scenario, const std::vector<RunResult>& runs,
                                    const std::vector<double>& ks) {
  CandidateResult result;
  result.sharing = scenario.scheduler.sharing;
  for (const NodePool& pool : scenario.pools) result.counts.push_back(pool.count);
  result.label = fleet_label(scenario);
  result.alternative = scenario.alternative;
  result.metrics = summarise_sets(runs, [](const Metrics& m) { return &m.all; });
  // A stored run may have been made for another k.
  if (result_chain(scenario)) {
    result.metrics["time_to_result_s"] =
        summarise(seconds_to_result(scenario, runs, scenario.study.prototypes_per_result), "s");
  }
  std::vector<std::string> scopes;
  for (const JobClass& job_class : scenario.workload.classes) scopes.push_back(job_class.name);
  if (scenario.workload.trace) scopes.emplace_back(kTraceScope);
  for (std::size_t c = 0; c < scopes.size(); ++c) {
    result.classes.push_back({scopes[c], summarise_sets(runs, [c](const Metrics& m) {
                                return c < m.classes.size() ? &m.classes[c] : nullptr;
                              })});
  }
  const std::vector<std::string> groups = group_scopes(scenario.workload);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    result.groups.push_back({groups[g], summarise_sets(runs, [g](const Metrics& m) {
                               return g < m.groups.size() ? &m.groups[g] : nullptr;
                             })});
  }
  pools(scenario, runs, result);
  for (const double k : ks)
    result.objective.push_back({k, summarise(times_to_result(scenario, runs, k), "h")});
  const auto rate = result.metrics.find("results_per_week");
  result.results_per_week = rate == result.metrics.end() ? kNan : rate->second.mean;
  money(scenario, result);
  result.utilisation_by_hour = mean_by_hour(runs);
  counts_and_states(runs, result);
  apply_constraints(scenario, result);
  return result;
}

}  // namespace fleetsim
