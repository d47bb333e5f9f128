// The verdict on a rule that says in which band of shares the best fleet lies. Pure: intervals in, one word
// out.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/study/keeping.hpp"

namespace fleetsim {

struct BandFleet {
  int candidate = 0;    ///< what BandJudgement::open names
  bool inside = false;  ///< its share lies in the band
  Keeps keeps = Keeps::open;
};

/// How much worse one fleet is than another, in percent, with its interval. NaN: not known.
struct WorseBy {
  double percent = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
};

struct BandJudgement {
  std::string status = "undecided";  ///< holds | refuted | undecided
  /// Of an undecided rule the fleets that keep it open, in the order given: inside the band those that may be
  /// good enough, outside it those that may be the best and ahead of the band.
  std::vector<int> open;
};

/// `worse(i, j)`: interval of how much worse fleets[i] is than fleets[j]. `zone`: percent that are as good as
/// nothing.
///
/// f is the best mean among the fleets inside the band that surely keep their constraints, h the same outside
/// it.
///   holds:     of every fleet g outside that may keep its constraints (not surely broken) it is sure that f
///   is
///              at most the zone worse than g, or that g is worse than h and therefore not the best
///   refuted:   every fleet inside surely breaks a constraint, or is surely worse than h by more than the
///   zone undecided: anything between; without f it cannot hold, without h it cannot be refuted; so it is
///   without a
///              fleet inside, or outside
/// The two exclude each other: f against h would have to lie on both sides of the zone.
///
/// Error: let every interval cover with 1 - e / (K - 1) for K fleets. Were the rule true, let a be the fleet
/// inside that is nearest to the truly best one: a false "refuted" needs one of the K - 1 intervals of a to
/// fail. Were it false, a false "holds" needs one of the K - 1 of the truly best fleet to fail. So each is
/// said wrongly with at most e (Bonferroni, any dependence), beside what keeps_constraints() may err. With
/// half or twice the replications the same intervals are about the same truth, so one word turns into the
/// other only when an interval fails: a narrower one decides what was open, a wider one opens it again.
/// Source: multiple comparisons with the best, Hsu, Multiple Comparisons (1996), chapter 4.
/// Cost: at most 4 K calls of `worse`.
[[nodiscard]] BandJudgement judge_band(const std::vector<BandFleet>& fleets,
                                       const std::function<WorseBy(std::size_t, std::size_t)>& worse,
                                       double zone);

}  // namespace fleetsim
