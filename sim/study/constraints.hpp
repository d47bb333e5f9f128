// When a fleet may not be ranked: the built-in constraints and the scenario's own.
#pragma once

#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

inline constexpr double kUnservedLimit = 0.01;  ///< impossible and killed work over all, reference GPU-hours
inline constexpr double kUnfinishedLimit = 0.01;  ///< of the tagged jobs
inline constexpr double kBacklogLimit = 0.01;     ///< growth over the window, in the pool's GPU-hours

/// Classes that may use no node at all under the scenario's sharing rule, because their pools are empty.
[[nodiscard]] std::vector<ClassId> homeless_classes(const Scenario& scenario);

/// Sets feasible, reasons, end_point and saturated of a candidate whose summaries are filled.
///
/// Built in: unserved_share <= 1 %; unfinished_tagged_share <= 1 %; no pool's backlog grows: its mean growth
/// is above 1 % and the 95 % interval excludes 0 (one replication has no interval: its value decides alone).
/// Of the scenario: the mean over replications against the bound. A metric that is undefined in every
/// replication breaks its constraint, and so does a time to a result that is undefined everywhere.
void apply_constraints(const Scenario& scenario, CandidateResult& candidate);

/// Why a candidate surely breaks a constraint of apply_constraints(); empty: it may keep all. A constraint is
/// surely broken when the one-sided t interval of its mean lies beyond the bound, at `error` over the number
/// of constraints (Bonferroni), so a fleet that keeps all is called broken with at most `error`; or when its
/// metric, or the time to a result, is defined in none of so many replications that it is no chance
/// (tie_confidence()). Needs two replications.
[[nodiscard]] std::string surely_broken(const Scenario& scenario, const CandidateResult& candidate,
                                        double error);

/// Error of what keeps_constraints() says of one fleet.
inline constexpr double kConstraintError = 0.01;

/// One-sided errors of a judgement.
struct LimitErrors {
  double kept = 0.025, broken = 0.025;
};
/// Whether a simulated candidate surely keeps all limits: the built-in constraints and `own`. A limit is
/// surely kept when the one-sided t interval of its mean lies within the bound; all must be, so that no
/// limit's error adds to another's (intersection-union test, Berger, Technometrics 24 (1982) 295-300): a
/// fleet that breaks one is called kept with at most `errors.kept`. Surely broken is one of them as in
/// surely_broken() at `errors.broken`. Replications that agree, as 0 unserved jobs in each, prove no more
/// than tie_confidence() says; they keep a bound at kConstraintError, 8 of them, or at `errors.kept` where
/// that is more: an error that many fleets share is of figures that vary. A cap of a year is kept, or broken,
/// when it is so at both ends of the 95 % intervals of what costs depend on, the use of the pools and of
/// rented GPUs. A class that can run nowhere breaks its limits whatever was drawn.
[[nodiscard]] LimitsJudgement judge_limits(const Scenario& scenario, const std::vector<Constraint>& own,
                                           const CandidateResult& candidate, const LimitErrors& errors);

/// That without the caps of years, which depend on prices, as judge_limits() judges them.
[[nodiscard]] LimitsJudgement judge_bounds(const Scenario& scenario, const std::vector<Constraint>& own,
                                           const CandidateResult& candidate, const LimitErrors& errors);

/// judge_limits() of the constraints of apply_constraints(), both errors `error`.
[[nodiscard]] Keeps keeps_constraints(const Scenario& scenario, const CandidateResult& candidate,
                                      double error = kConstraintError);

/// Whether the candidate, whose constraints were applied, keeps the built-in ones and every limit of the
/// study; without limits: whether it is feasible.
[[nodiscard]] bool keeps_limits(const StudySpec& study, const CandidateResult& candidate);

/// Names under which the summaries of one pool stand in CandidateResult::metrics.
[[nodiscard]] std::string pool_metric(const char* metric, const std::string& pool);

}  // namespace fleetsim
