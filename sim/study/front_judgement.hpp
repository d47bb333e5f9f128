// Who dominates whom, with which confidence.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/study/front.hpp"

namespace fleetsim {

/// Two scores of one fleet by replication; lower is better; NaN: not defined there. Never infinite. Fleets
/// may have unequal numbers of replications (all begin with the first): a pair is compared over those that
/// both have.
using FrontScores = std::array<std::vector<double>, 2>;

struct FrontJudgement {
  FrontStanding standing = FrontStanding::on_front;  ///< never left_out
  std::size_t by = 0;  ///< of a dominated one a fleet that dominates it, of an undecided one one that may
  int rivals = 0;      ///< how many do, or may
};

/// Error of one interval, both sides, so that all of them hold together with `confidence`: Bonferroni over
/// the pairs of `fleets`, the figures that need an interval, and the looks at which a pair may be compared. 0
/// when nothing needs one.
[[nodiscard]] double front_error(std::size_t fleets, const std::array<bool, 2>& exact, int looks,
                                 double confidence);

/// Every pair of fleets has an interval of its difference in each figure: paired t at the given error
/// (common random numbers cancel); an `exact` figure has one without width, and so have
/// differences that are the same in so many replications that it is no chance (tie_confidence()), in fewer
/// they have no bounds; a single shared replication gives no bounds, and neither does none. Fleet j dominates
/// fleet i when it is at least as good in both figures and better in one.
///   dominated: for some j that holds for every pair of differences that the two intervals contain
///   on_front:  for no j it holds for any of them
///   undecided: else
/// While all intervals hold, what is called dominated is dominated, and what is called on the front is not.
///
/// Cost: O(K^2 n) for K fleets of n replications: two passes over the differences of each pair and
/// figure, 4.5 million pairs for 3000 fleets; no more memory than O(K). Source: simultaneous t intervals:
/// Dunn, J. American Statistical Association 56 (1961) 52-64; common random numbers: Nelson & Matejcik,
/// Management Science 41 (1995) 1935-1945; the question: Lee, Chew, Teng & Goldsman, Finding the
/// non-dominated Pareto set for multi-objective simulation models, IIE Transactions 42 (2010) 656-674.
[[nodiscard]] std::vector<FrontJudgement> judge_front(const std::vector<FrontScores>& fleets,
                                                      const std::array<bool, 2>& exact, double error);

}  // namespace fleetsim
