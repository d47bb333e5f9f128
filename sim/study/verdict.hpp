// What the study says about the 66/33 rule, in one status and one or two sentences.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace fleetsim {

/// The rule under one sharing rule and one k.
struct RuleJudgement {
  /// holds: a ranked fleet with its share in the band is in the best set; refuted: every fleet in the band is
  /// significantly and practically worse than the best, or breaks a constraint; undecided: an interval is too
  /// wide, no fleet lies in the band or none outside it, no fleet at all is feasible, there is one
  /// replication only, or the simulated waits of a recorded trace are far from the recorded ones
  /// (credibility.hpp).
  std::string status;
  int in_band = -1;          ///< the ranked fleet in the band with the smallest mean; -1: none
  bool band_empty = true;    ///< no fleet, feasible or not, lies in the band
  bool all_in_band = true;   ///< no fleet, feasible or not, lies outside it: nothing to compare the rule with
  BestSet::Difference loss;  ///< of `in_band` to the best
  double share_low = 0.0, share_high = 0.0;  ///< of the best set; NaN without a feasible fleet
};
[[nodiscard]] RuleJudgement judge_rule(const StudyResult& study, const BestSet& set);

/// The best set of a sharing rule and k; null when the study has none.
[[nodiscard]] const BestSet* find_best_set(const StudyResult& study, SharingRule sharing, double k);

/// The fleet to recommend: the best of the scenario's own sharing rule and k (of a best set with several
/// members the best mean). Without a feasible fleet the one with most results a week (it may be 0: then
/// the first), `feasible` false; -1
/// without candidates.
struct Recommendation {
  int candidate = -1;
  bool feasible = false;
};
[[nodiscard]] Recommendation recommend(const Scenario& base, const StudyResult& study);

/// Unique name of a candidate: fleet and sharing rule, e.g. "13+3 overflow".
[[nodiscard]] std::string full_label(const CandidateResult& candidate);

/// Where the first-order line lies in the band: what a verdict begins with unless cells were simulated.
[[nodiscard]] std::string first_order_sentence(const StudyResult& study);

/// Fills rule_status, s_low, s_high, loss_percent and verdict from candidates, best sets and demand. The
/// range of s is the first-order line (share of node money = s): the share lies in the band while s does.
void conclude(const Scenario& base, StudyResult& study);

}  // namespace fleetsim
