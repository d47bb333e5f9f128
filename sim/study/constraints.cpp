#include "sim/study/constraints.hpp"
#include "sim/base/assert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fleetsim {

namespace {

void refuse(CandidateResult& candidate, std::string reason) {
  candidate.feasible = false;
  candidate.reasons.push_back(std::move(reason));
}

/// Seconds as hours; other units as they are.
std::string in_words(double value, const std::string& unit) {
  if (unit == "s") return fmt::format("{:.2f} h", value / 3600.0);
  if (unit == "ratio") return fmt::format("{:.2f} %", 100.0 * value);
  return fmt::format("{:.4g} {}", value, unit);
}

void at_most_share(CandidateResult& candidate, const char* metric, double limit, const char* what) {
  const auto found = candidate.metrics.find(metric);
  if (found == candidate.metrics.end() || std::isnan(found->second.mean)) {
    refuse(candidate, fmt::format("{} is not defined in any replication", metric));
  } else if (found->second.mean > limit) {
    refuse(candidate, fmt::format("{:.1f} % of the {} (limit {:.0f} %)", 100.0 * found->second.mean, what,
                                  100.0 * limit));
  }
}

void backlog(const Scenario& scenario, CandidateResult& candidate) {
  for (const NodePool& pool : scenario.pools) {
    const auto found = candidate.metrics.find(pool_metric("backlog_growth", pool.name));
    if (found == candidate.metrics.end()) continue;
    const Summary& growth = found->second;
    // Surely above the limit, as in the choice of the best set: what the warm-up leaves behind is small but,
    // with many replications, surely above zero.
    const bool sure = growth.n == 1 || growth.ci95_low > kBacklogLimit;
    if (!(growth.mean > kBacklogLimit) || !sure) continue;
    candidate.saturated = true;
    std::string interval;
    if (growth.n > 1)
      interval = fmt::format(" (95 %: {:.1f} to {:.1f})", 100.0 * growth.ci95_low, 100.0 * growth.ci95_high);
    refuse(candidate, fmt::format("saturated: the backlog of pool {} grows by {:.1f} % of its GPU-hours{}",
                                  pool.name, 100.0 * growth.mean, interval));
  }
}

void own_constraint(const Constraint& constraint, CandidateResult& candidate) {
  const auto* metrics = &candidate.metrics;
  if (constraint.job_class) {
    const std::size_t i = index(*constraint.job_class);
    FLEETSIM_ASSERT(i < candidate.classes.size());
    metrics = &candidate.classes[i].metrics;
  }
  const auto found = metrics->find(constraint.metric);
  if (found == metrics->end() || std::isnan(found->second.mean)) {
    refuse(candidate, fmt::format("{}: not defined in any replication", constraint.text));
    return;
  }
  const double mean = found->second.mean;
  const bool kept = constraint.at_most ? mean <= constraint.bound : mean >= constraint.bound;
  if (!kept)
    refuse(candidate, fmt::format("{}: mean {}", constraint.text, in_words(mean, found->second.unit)));
}

}  // namespace

std::string pool_metric(const char* metric, const std::string& pool) {
  return fmt::format("{}({})", metric, pool);
}

std::vector<ClassId> homeless_classes(const Scenario& scenario) {
  const auto has_nodes = [&](const Partition& partition) {
    return std::any_of(partition.pools.begin(), partition.pools.end(),
                       [&](PoolId p) { return scenario.pools[index(p)].count > 0; });
  };
  const SharingRule rule = scenario.scheduler.sharing;
  const auto& partitions = scenario.scheduler.partitions;
  std::vector<ClassId> homeless;
  for (std::size_t c = 0; c < scenario.workload.classes.size(); ++c) {
    const std::size_t own = index(scenario.workload.classes[c].partition);
    bool home = false;
    for (std::size_t p = 0; p < partitions.size(); ++p) {
      const bool open = p == own || rule == SharingRule::one_pool ||
                        (rule != SharingRule::strict && partitions[p].overflow_max_time.has_value());
      home = home || (open && has_nodes(partitions[p]));
    }
    if (!home) homeless.push_back(static_cast<ClassId>(c));
  }
  return homeless;
}

void apply_constraints(const Scenario& scenario, CandidateResult& candidate) {
  for (const ClassId c : homeless_classes(scenario)) {
    candidate.end_point = true;
    const JobClass& job_class = scenario.workload.classes[index(c)];
    const auto& partitions = scenario.scheduler.partitions;
    refuse(candidate,
           fmt::format("end point: with {} sharing class {} can run nowhere (partition {} has no nodes)",
                       to_string(scenario.scheduler.sharing), job_class.name,
                       index(job_class.partition) < partitions.size()
                           ? partitions[index(job_class.partition)].name
                           : "?"));
  }
  at_most_share(candidate, "unserved_share", kUnservedLimit, "work is unserved");
  at_most_share(candidate, "unfinished_tagged_share", kUnfinishedLimit,
                "jobs that are followed stay unfinished");
  backlog(scenario, candidate);
  const auto undefined = [](const ObjectiveValue& value) { return value.hours.n == 0; };
  if (std::any_of(candidate.objective.begin(), candidate.objective.end(), undefined))
    refuse(candidate, "no result in any replication, so the time to a result is not defined");
  for (const Constraint& constraint : scenario.study.constraints) own_constraint(constraint, candidate);
}

}  // namespace fleetsim
