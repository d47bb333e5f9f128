// What uncertain prices do to a study's verdict. Method and formulas: docs/price-uncertainty.md
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"

namespace fleetsim {

/// 5 %, 50 % and 95 % of the draws lie at or below.
struct DrawQuantiles {
  double p5 = 0.0, p50 = 0.0, p95 = 0.0;
};

struct PriceRobustness {
  int draws = 0;         ///< of which the figures below are shares
  int asked = 0;         ///< study.price_draws; more than `draws` when more than 400 fleets would be needed
  int replications = 0;  ///< of the fleets that only drawn prices make
  int fleets_added = 0;  ///< these, all in all
  int fleets_left_out = 0;  ///< of scans, beyond the cap

  std::string sharing;  ///< the scenario's own rule, under which all of this holds, e.g. "overflow"
  double k = 30.0;
  std::string scale_pool;   ///< the pool that shares speak of
  std::string recommended;  ///< fleet, e.g. "13+3"; empty: the study recommends none
  double affordable = 0.0;  ///< share of draws in which the budget pays for it, caps of years included
  double in_best_set = 0.0, undecided = 0.0, best = 0.0;  ///< of all draws, also those that do not pay for it

  struct Fleet {
    std::string label;
    std::vector<int> counts;
    double share = 0.0;       ///< of the scale-up pool in node money, prices at their values
    bool of_study = false;    ///< one of the study's own candidates
    double affordable = 0.0;  ///< share of draws in which it is offered and keeps the caps of years
    double in_best_set = 0.0, undecided = 0.0, best = 0.0;  ///< shares of all draws
  };
  /// The study's own, in its order, then those that are best or in a best set in some draw, by that share.
  std::vector<Fleet> fleets;

  double holds = 0.0, refuted = 0.0, rule_undecided = 0.0;  ///< shares of draws, of the 66/33 rule
  bool rule_judged = false;                                 ///< the rule speaks of two pools only
  DrawQuantiles best_share;  ///< of the best maximal fleet, at the drawn prices; NaN: never one
  DrawQuantiles load, s;     ///< of the same jobs at the drawn prices
  DrawQuantiles capex_usd, three_year_usd;  ///< of the recommended fleet

  /// What would be bought at one set of prices: the best of the fleets that the budget then pays for. Empty
  /// label: none keeps all constraints, or some fleets on offer were not simulated.
  struct Choice {
    std::string best;
    double share = 0.0;  ///< of the scale-up pool in node money, at these prices
    double hours = 0.0;  ///< time to a result
    std::string rule;    ///< holds | refuted | undecided
  };
  Choice at_values;  ///< every estimate at its value

  /// One quantity moved over its range, the others at their values.
  struct Flip {
    std::string what;      ///< "fleet": the recommended fleet; "rule": the 66/33 rule
    double at = 0.0;       ///< first value, going away from `value`, at which it is otherwise
    std::string from, to;  ///< in words
  };
  struct Quantity {
    std::string item, unit;
    double low = 0.0, value = 0.0, high = 0.0;
    Money capex_at_low, capex_at_high;  ///< of the recommended fleet
    Money three_year_at_low, three_year_at_high;
    Choice at_low, at_high;
    bool moves_fleets = false;  ///< somewhere in its range other fleets are offered
    std::vector<Flip> flips;    ///< nearest below and above `value`; empty: does not flip within its range
    /// Nearest values at which the replications do not suffice to say whether the fleet is still in the best
    /// set.
    std::optional<double> open_below, open_above;
    int not_looked_at = 0;  ///< segments of the range with fleets beyond the cap
  };
  std::vector<Quantity> quantities;  ///< by descending change of the purchase
};

}  // namespace fleetsim
