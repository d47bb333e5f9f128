#include "sim/study/front_figures.hpp"

#include <algorithm>
#include <cmath>

#include "sim/economics/cash_flow.hpp"
#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

namespace {

const std::map<std::string, Summary>* metrics_of(const FrontMetric& metric, const CandidateResult& c) {
  if (metric.job_class)
    return index(*metric.job_class) < c.classes.size() ? &c.classes[index(*metric.job_class)].metrics
                                                       : nullptr;
  if (metric.group) return *metric.group < c.groups.size() ? &c.groups[*metric.group].metrics : nullptr;
  return &c.metrics;
}

const MetricSet* set_of(const FrontMetric& metric, const Metrics& m) {
  if (metric.job_class)
    return index(*metric.job_class) < m.classes.size() ? &m.classes[index(*metric.job_class)] : nullptr;
  if (metric.group) return *metric.group < m.groups.size() ? &m.groups[*metric.group] : nullptr;
  return &m.all;
}

/// Cost goes with power and with rented GPU-hours in a straight line, so that its mean over replications is
/// the study's cost a year.
std::vector<double> costs_per_year(const Scenario& scenario, const std::vector<RunResult>& runs) {
  const Bill bill = bill_of_materials(scenario);
  std::vector<double> costs;
  for (const RunResult& run : runs) {
    std::vector<double> busy;
    for (const PoolMetrics& pool : run.metrics.pools)
      busy.push_back(std::isnan(pool.utilisation_allocated) ? 0.0 : pool.utilisation_allocated);
    busy.resize(scenario.pools.size(), 0.0);
    const double rented = burst_hours_a_year(scenario, run.metrics.all.value("burst_gpu_hours"));
    const CostTable cost = cost_by_year(scenario, bill, {mean_power(scenario, busy), rented});
    costs.push_back(to_usd(cost.total) / scenario.economics.years);
  }
  return costs;
}

}  // namespace

const std::vector<FrontFigure>& front_figures() {
  static const std::vector<FrontFigure> all = [] {
    std::vector<FrontFigure> made;
    for (const Objective* one : objectives()) made.push_back({one->name, one->meaning, one->needs_chain});
    made.push_back(
        {kCostPerYear, "cost of all years of economics.years over their number, purchase included", false});
    return made;
  }();
  return all;
}

bool more_is_better(const std::string& metric) {
  static const std::vector<std::string> all = {"utilisation_allocated", "utilisation_effective",
                                               "scaling_efficiency", "results_per_week", "group_fairness"};
  return std::find(all.begin(), all.end(), metric) != all.end();
}

FrontAxis front_axis(const FrontMetric& metric, const std::vector<CandidateResult>& candidates) {
  FrontAxis axis;
  axis.name = metric.text;
  if (const Objective* objective = find_objective(metric.metric)) {
    axis.larger_is_better = objective->larger_is_better;
    axis.exact = objective->money;
    axis.unit = objective->value(CandidateResult{}, 0.0).unit;
    return axis;
  }
  if (metric.metric == kCostPerYear) {
    axis.unit = "USD";
    return axis;
  }
  axis.larger_is_better = more_is_better(metric.metric);
  for (const CandidateResult& c : candidates) {
    const auto* metrics = metrics_of(metric, c);
    const auto found = metrics == nullptr ? decltype(metrics->end()){} : metrics->find(metric.metric);
    if (metrics == nullptr || found == metrics->end()) continue;
    axis.unit = found->second.unit;
    break;
  }
  return axis;
}

std::vector<double> front_values(const FrontMetric& metric, const CandidateResult& candidate,
                                 const Scenario& scenario, const std::vector<RunResult>& runs) {
  if (const Objective* objective = find_objective(metric.metric)) {
    std::vector<double> values =
        objective->scores(candidate, scenario, runs, scenario.study.prototypes_per_result);
    if (objective->larger_is_better)
      for (double& v : values) v = -v;
    return values;
  }
  if (metric.metric == kCostPerYear) return costs_per_year(scenario, runs);
  if (metric.metric == "time_to_result_s") {  // a stored run may have been made for another k
    std::vector<double> values = times_to_result(scenario, runs, scenario.study.prototypes_per_result);
    for (double& v : values) v *= 3600.0;
    return values;
  }
  std::vector<double> values;
  for (const RunResult& run : runs) {
    const MetricSet* set = set_of(metric, run.metrics);
    values.push_back(set == nullptr ? std::nan("") : set->value(metric.metric));
  }
  return values;
}

}  // namespace fleetsim
