#include "sim/study/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/front_figures.hpp"
#include "sim/study/front_judgement.hpp"
#include "sim/study/study.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim {

namespace {

/// Why a figure rules the fleet out; empty: it does not.
std::string unfit(const FrontAxis& axis, const std::vector<double>& values) {
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isinf(v); }))
    return fmt::format("{} is infinite in a replication", axis.name);
  if (std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
    return fmt::format("{} is not defined in any replication", axis.name);
  return {};
}

std::string left_out(const Front& front, const CandidateResult& c, const FrontSample& sample) {
  if (!c.feasible) return c.reasons.empty() ? "breaks a constraint" : c.reasons.front();
  for (std::size_t q = 0; q < 2; ++q)
    if (std::string why = unfit(front.axes[q], sample[q]); !why.empty()) return why;
  return {};
}

FrontValue value_of(const FrontAxis& axis, const std::vector<double>& values) {
  const Summary s = summarise(values, axis.unit);
  if (axis.exact && s.n > 0) return {s.mean, s.mean, s.mean, s.n};
  return {s.mean, s.ci95_low, s.ci95_high, s.n};
}

FrontScores scores_of(const Front& front, const FrontSample& sample) {
  FrontScores scores = sample;
  for (std::size_t q = 0; q < 2; ++q)
    if (front.axes[q].larger_is_better)
      for (double& v : scores[q]) v = -v;
  return scores;
}

/// The intervals are as many as the simulated fleets ask for, whether they may be ranked or not: which may is
/// known from the same replications, so that counting these alone would promise too much.
FrontOfRule front_of(const Front& front, SharingRule rule, const StudyResult& study,
                     const std::vector<FrontSample>& samples) {
  FrontOfRule out;
  out.sharing = rule;
  std::vector<FrontScores> scores;
  std::vector<std::size_t> place;  // of the compared fleets in `out`
  std::size_t simulated = 0;
  for (std::size_t i = 0; i < study.candidates.size(); ++i) {
    const CandidateResult& c = study.candidates[i];
    if (c.sharing != rule) continue;
    if (!samples[i][0].empty()) ++simulated;
    FrontFleet fleet;
    fleet.candidate = static_cast<int>(i);
    fleet.label = full_label(c);
    for (std::size_t q = 0; q < 2; ++q) fleet.values[q] = value_of(front.axes[q], samples[i][q]);
    fleet.reason = left_out(front, c, samples[i]);
    if (fleet.reason.empty()) {
      place.push_back(out.fleets.size());
      scores.push_back(scores_of(front, samples[i]));
    } else {
      fleet.standing = FrontStanding::left_out;
    }
    out.fleets.push_back(std::move(fleet));
  }
  const std::array<bool, 2> exact{front.axes[0].exact, front.axes[1].exact};
  out.comparison_error = front_error(simulated, exact, front.looks, front.confidence);
  const std::vector<FrontJudgement> judged = judge_front(scores, exact, out.comparison_error);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    FrontFleet& fleet = out.fleets[place[i]];
    fleet.standing = judged[i].standing;
    fleet.rivals = judged[i].rivals;
    if (fleet.rivals > 0) fleet.by = out.fleets[place[judged[i].by]].label;
  }
  return out;
}

}  // namespace

const char* to_string(FrontStanding standing) {
  switch (standing) {
    case FrontStanding::on_front:
      return "on the front";
    case FrontStanding::undecided:
      return "undecided";
    case FrontStanding::dominated:
      return "dominated";
    case FrontStanding::left_out:
      return "left out";
  }
  return "?";
}

Front lay_out_front(const Scenario& base, const StudyResult& study, const std::vector<FrontSample>& samples,
                    int looks) {
  Front front;
  for (std::size_t q = 0; q < 2; ++q) front.axes[q] = front_axis(base.study.front.at(q), study.candidates);
  front.looks = looks;
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates)
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  for (const SharingRule rule : rules) front.rules.push_back(front_of(front, rule, study, samples));
  return front;
}

const FrontFleet* find_on_front(const Front& front, int candidate) {
  for (const FrontOfRule& rule : front.rules)
    for (const FrontFleet& fleet : rule.fleets)
      if (fleet.candidate == candidate) return &fleet;
  return nullptr;
}

std::string front_guarantee(const Front& front) {
  if (front.axes[0].exact && front.axes[1].exact)
    return "Both figures are the same in every replication, so that fleets are compared exactly.";
  std::string text = fmt::format(
      "With {:.0f} %, in each sharing rule by itself, no fleet that is called dominated is on the true "
      "front, "
      "and every fleet that is called on the front is (paired t intervals of all pairs, Bonferroni; means "
      "over replications are taken as normal).",
      100.0 * front.confidence);
  if (front.looks > 1)
    text += fmt::format(
        " A fleet that was not simulated to the end is judged on the replications that it shares with each "
        "other one, fewer than the rest; the intervals allow for {} such numbers.",
        front.looks);
  return text;
}

}  // namespace fleetsim
