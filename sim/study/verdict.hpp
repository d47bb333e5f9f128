// What the study says about the 66/33 rule, in one status and one or two sentences.
#pragma once

#include <string>
#include <vector>

#include "sim/study/selection.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// The rule under one sharing rule and one k.
struct RuleJudgement {
  /// That of BestSet::band, see judge_band(); undecided besides where no fleet lies in the band or none
  /// outside it, no fleet at all is feasible, there is one replication only, or the simulated waits of a
  /// recorded trace are far from the recorded ones (credibility.hpp).
  std::string status;
  std::vector<int> open;     ///< candidates that keep it open, where intervals do
  int in_band = -1;          ///< the ranked fleet in the band with the smallest mean; -1: none
  bool band_empty = true;    ///< no fleet, feasible or not, lies in the band
  bool all_in_band = true;   ///< no fleet, feasible or not, lies outside it: nothing to compare the rule with
  BestSet::Difference loss;  ///< of `in_band` to the best
  double share_low = 0.0, share_high = 0.0;  ///< of the best set; NaN without a feasible fleet
};
/// judge_band() over the candidates of `sharing`. `fleets`: their scores, also of those that break a
/// constraint; what is missing has no figure. `level`: coverage of each interval; 0: 1 - 0.04 / (K - 1) for
/// the K fleets that may keep their constraints, four fifths of 5 %, the rest is kConstraintError.
[[nodiscard]] BandJudgement judge_band_of(const StudyResult& study, SharingRule sharing,
                                          const std::vector<CandidateValues>& fleets, double level = 0.0);

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
