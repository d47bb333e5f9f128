// The least fleet that carries a demand within its limits: the cheapest, as an interval of prices.
#pragma once

#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/scenario.hpp"
#include "sim/study/keeping.hpp"

namespace fleetsim {

struct StudyResult;

/// One fleet of the answer.
struct PricedFleet {
  std::string fleet;  ///< "7+3"; empty: there is none
  Money price;
  LimitsJudgement judged;
};

/// Of one sharing rule.
struct LeastFleet {
  SharingRule sharing{};
  PricedFleet by_mean;  ///< the cheapest whose means keep every limit
  PricedFleet low;      ///< the cheapest that is not surely broken: no cheaper fleet is the answer
  PricedFleet high;     ///< the cheapest that surely keeps every limit: the answer is no dearer
  int open = 0;         ///< neither kept nor broken, and cheaper than `high` (of all where there is none)
  int fleets = 0;
  double confidence = 0.95;
  /// One node less than `by_mean` (than `high` where that is none) in one pool, as far as studied.
  std::vector<PricedFleet> smaller;
};

/// Of every sharing rule of a study that ranks fleets by their price; empty for other objectives.
///
/// With at least `confidence` the price of the least fleet that keeps all limits lies in [low, high]: that no
/// fleet before `low` keeps them is a sequence of tests in the order of prices (see carried_demand()) at half
/// the error; `high` is picked among K fleets, each judged at half the error over K (Bonferroni).
/// Cost: O(K log K).
[[nodiscard]] std::vector<LeastFleet> least_fleets(const Scenario& base, const StudyResult& study);

/// One to three sentences.
[[nodiscard]] std::string least_fleet_text(const LeastFleet& least);

}  // namespace fleetsim
