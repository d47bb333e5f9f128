#include "sim/study/judge_keeping.hpp"

#include <algorithm>

#include "sim/study/selection_rounds.hpp"

namespace fleetsim {

LimitsJudgement judge_of_study(const Scenario& scenario, const std::vector<Constraint>& own,
                               const StudyResult& study, const CandidateResult& candidate,
                               const LimitErrors& errors) {
  if (!study.rounds) return judge_limits(scenario, own, candidate, errors);
  if (candidate.last_round == 0) return {Keeps::broken, candidate.stopped};
  RoundsSettings settings;
  settings.first = study.rounds->first;
  settings.cap = study.rounds->cap;
  const auto n = static_cast<double>(looks(settings).size());
  return judge_limits(scenario, own, candidate, {errors.kept / n, errors.broken / n});
}

std::vector<SharingRule> rules_of_study(const StudyResult& study) {
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates)
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  return rules;
}

}  // namespace fleetsim
