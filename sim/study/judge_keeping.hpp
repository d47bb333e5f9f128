// Limits of a candidate of a study, whether it was simulated once or by rounds.
#pragma once

#include <vector>

#include "sim/study/constraints.hpp"

namespace fleetsim {

/// As judge_limits(), of a candidate of `study`. By rounds each error is shared out over the numbers of
/// replications at which a candidate may have been left, and one that was not simulated at all breaks what
/// was known beforehand (screening.hpp).
[[nodiscard]] LimitsJudgement judge_of_study(const Scenario& scenario, const std::vector<Constraint>& own,
                                             const StudyResult& study, const CandidateResult& candidate,
                                             const LimitErrors& errors);

/// The sharing rules of the candidates, in their order.
[[nodiscard]] std::vector<SharingRule> rules_of_study(const StudyResult& study);

}  // namespace fleetsim
