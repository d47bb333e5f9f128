#include "sim/study/constraints.hpp"
#include "sim/base/assert.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/year_caps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// What a constraint bounds: metrics of a class, of a group of users, or of the whole run.
const std::map<std::string, Summary>& bounded(const Constraint& constraint,
                                              const CandidateResult& candidate) {
  if (constraint.job_class) {
    FLEETSIM_ASSERT(index(*constraint.job_class) < candidate.classes.size());
    return candidate.classes[index(*constraint.job_class)].metrics;
  }
  if (!constraint.group) return candidate.metrics;
  FLEETSIM_ASSERT(*constraint.group < candidate.groups.size());
  return candidate.groups[*constraint.group].metrics;
}

/// Why the candidate does not keep it; empty when it does.
std::string broken(const Constraint& constraint, const CandidateResult& candidate) {
  const auto& metrics = bounded(constraint, candidate);
  const auto found = metrics.find(constraint.metric);
  if (found == metrics.end() || std::isnan(found->second.mean))
    return fmt::format("{}: not defined in any replication", constraint.text);
  const double mean = found->second.mean;
  const bool kept = constraint.at_most ? mean <= constraint.bound : mean >= constraint.bound;
  return kept ? std::string{}
              : fmt::format("{}: mean {}", constraint.text, in_words(mean, found->second.unit));
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
  for (const Constraint& constraint : scenario.study.constraints)
    if (std::string reason = broken(constraint, candidate); !reason.empty())
      refuse(candidate, std::move(reason));
}

bool keeps_limits(const StudySpec& study, const CandidateResult& candidate) {
  if (study.limits.empty()) return candidate.feasible;
  // What the scenario's own constraints said is no limit; everything else that was said is built in.
  const auto own = [&](const std::string& reason) {
    return std::any_of(study.constraints.begin(), study.constraints.end(),
                       [&](const Constraint& c) { return reason == broken(c, candidate); });
  };
  return std::all_of(candidate.reasons.begin(), candidate.reasons.end(), own) &&
         std::all_of(study.limits.begin(), study.limits.end(),
                     [&](const Constraint& c) { return broken(c, candidate).empty(); });
}

namespace {

/// Half the width of a one-sided t interval of a summary, from that of its 95 % interval; of replications
/// that agree, at the error that ties have.
double half_width(const Summary& s, double error, double error_of_ties) {
  constexpr double kNoBound = std::numeric_limits<double>::infinity();
  if (s.n < 2) return kNoBound;
  if (s.ci95_high == s.mean) return 1.0 - error_of_ties <= tie_confidence(s.n) ? 0.0 : kNoBound;
  const double standard_error = (s.ci95_high - s.mean) / t_quantile(0.975, s.n - 1);
  return t_quantile(1.0 - error, s.n - 1) * standard_error;
}

/// A bound and the summary that it is held against; null: undefined in every replication.
struct Bound {
  std::string text;
  const Summary* value = nullptr;
  double bound = 0.0;
  bool at_most = true;
};

const Summary* defined(const std::map<std::string, Summary>& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return found == metrics.end() || found->second.n == 0 ? nullptr : &found->second;
}

std::vector<Bound> bounds_of(const Scenario& scenario, const std::vector<Constraint>& constraints,
                             const CandidateResult& candidate) {
  std::vector<Bound> all{
      {"unserved work <= 1 %", defined(candidate.metrics, "unserved_share"), kUnservedLimit, true},
      {"unfinished jobs <= 1 %", defined(candidate.metrics, "unfinished_tagged_share"), kUnfinishedLimit,
       true}};
  for (const NodePool& pool : scenario.pools) {
    if (const Summary* growth = defined(candidate.metrics, pool_metric("backlog_growth", pool.name)))
      all.push_back(
          {fmt::format("growth of the backlog of {} <= 1 %", pool.name), growth, kBacklogLimit, true});
  }
  for (const Constraint& own : constraints) {
    all.push_back({own.text, defined(bounded(own, candidate), own.metric), own.bound, own.at_most});
  }
  return all;
}

/// Most replications in which any figure is defined.
int most_defined(const CandidateResult& candidate) {
  int most = 0;
  for (const auto& [name, s] : candidate.metrics) most = std::max(most, s.n);
  return most;
}

/// Why the bound is surely broken, at this one-sided error; empty: it may be kept.
std::string surely_beyond(const Bound& b, double error) {
  const double half = half_width(*b.value, error, error);
  const double nearest = b.at_most ? b.value->mean - half : b.value->mean + half;
  if (!(b.at_most ? nearest > b.bound : nearest < b.bound)) return {};
  return fmt::format("surely breaks {} ({} {})", b.text, b.at_most ? "at least" : "at most",
                     in_words(nearest, b.value->unit));
}

/// Why it is not surely kept, at this one-sided error; empty: it is.
std::string not_surely_within(const Bound& b, double error) {
  if (b.value == nullptr) return fmt::format("{}: not defined in any replication", b.text);
  const double half = half_width(*b.value, error, std::max(error, kConstraintError));
  const double farthest = b.at_most ? b.value->mean + half : b.value->mean - half;
  if (b.at_most ? farthest <= b.bound : farthest >= b.bound) return {};
  if (!std::isfinite(farthest))
    return fmt::format("{}: mean {}, without an interval", b.text, in_words(b.value->mean, b.value->unit));
  return fmt::format("{}: mean {}, perhaps {}", b.text, in_words(b.value->mean, b.value->unit),
                     in_words(farthest, b.value->unit));
}

/// Why the candidate surely breaks a bound, or has no result at all; empty: it may keep all.
std::string beyond_bounds(const Scenario& scenario, const std::vector<Constraint>& constraints,
                          const CandidateResult& candidate, double error) {
  const bool enough = 1.0 - error <= tie_confidence(most_defined(candidate));
  for (const ObjectiveValue& value : candidate.objective)
    if (value.hours.n == 0 && enough)
      return "no result in any replication, so the time to a result is not defined";
  const std::vector<Bound> bounds = bounds_of(scenario, constraints, candidate);
  for (const Bound& b : bounds) {
    if (b.value == nullptr && enough) return fmt::format("{}: not defined in any replication", b.text);
    if (b.value == nullptr) continue;
    if (std::string why = surely_beyond(b, error / static_cast<double>(bounds.size())); !why.empty())
      return why;
  }
  return {};
}

}  // namespace

Keeps keeps_constraints(const Scenario& scenario, const CandidateResult& candidate, double error) {
  return judge_limits(scenario, scenario.study.constraints, candidate, {error, error}).keeps;
}

std::string surely_broken(const Scenario& scenario, const CandidateResult& candidate, double error) {
  return beyond_bounds(scenario, scenario.study.constraints, candidate, error);
}

LimitsJudgement judge_bounds(const Scenario& scenario, const std::vector<Constraint>& own,
                             const CandidateResult& candidate, const LimitErrors& errors) {
  if (candidate.end_point) return {Keeps::broken, candidate.reasons.empty() ? "" : candidate.reasons.front()};
  if (std::string why = beyond_bounds(scenario, own, candidate, errors.broken); !why.empty())
    return {Keeps::broken, why};
  for (const ObjectiveValue& value : candidate.objective)
    if (value.hours.n == 0)
      return {Keeps::open, "no result in any replication, so the time to a result is not defined"};
  for (const Bound& b : bounds_of(scenario, own, candidate))
    if (std::string why = not_surely_within(b, errors.kept); !why.empty()) return {Keeps::open, why};
  return {Keeps::surely, {}};
}

LimitsJudgement judge_limits(const Scenario& scenario, const std::vector<Constraint>& own,
                             const CandidateResult& candidate, const LimitErrors& errors) {
  const Keeps caps = candidate.end_point ? Keeps::open : keeps_caps(scenario, use_range(scenario, candidate));
  if (caps == Keeps::broken)
    return {caps, candidate.over_caps.empty() ? "breaks a year's cap" : candidate.over_caps.front()};
  LimitsJudgement bounds = judge_bounds(scenario, own, candidate, errors);
  if (bounds.keeps == Keeps::surely && caps == Keeps::open) return {caps, "a year's cap may be broken"};
  return bounds;
}

}  // namespace fleetsim
