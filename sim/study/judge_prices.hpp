// From simulated fleets to what price draws and flip prices say.
#pragma once

#include <string>
#include <vector>

#include "sim/study/fleet_use.hpp"
#include "sim/study/keeping.hpp"
#include "sim/study/price_plan.hpp"
#include "sim/study/price_robustness.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// One fleet of a plan as it was simulated; prices do not change what a queue does.
struct SimulatedFleet {
  std::string label;
  bool feasible = true;       ///< but for the caps of years, which are judged at each draw's prices
  std::vector<double> hours;  ///< time to a result under the scenario's own k, by replication
  Keeps keeps = Keeps::open;  ///< its constraints but for the caps of years, as far as that is sure
  PoolUseRange use;           ///< for these
};
/// `scenario`: the candidate's, with its counts. Without hours nothing was simulated, for what is known
/// beforehand: its constraints are broken.
[[nodiscard]] SimulatedFleet simulated_fleet(const Scenario& scenario, const CandidateResult& candidate,
                                             std::vector<double> hours);

/// `fleets`: one for each of plan.fleets, all under the scenario's own sharing rule.
///
/// In each draw (and segment of a scan) the fleets on offer are compared as the study compares its own
/// (compare_with_best). The best is the smallest mean; a fleet with fewer replications than the study counts
/// with   mean over shared replications / anchor's mean over these * anchor's mean over all,   anchor being
/// the study's best fleet: common random numbers make that ratio far steadier than the mean itself. Source:
/// ratio estimator, Cochran, Sampling Techniques (3rd ed. 1977), section 6.4.
/// The rule is judged (judge_rule, judge_band_of) over the maximal fleets of the draw, their shares at its
/// prices.
[[nodiscard]] PriceRobustness judge_prices(const Scenario& base, const StudyResult& study,
                                           const PricePlan& plan, const std::vector<SimulatedFleet>& fleets);

/// "5,100 USD", "8 %", "550 W", "1.2 USD/h".
[[nodiscard]] std::string quantity_text(const std::string& unit, double value);

/// What the verdict adds, one or two sentences that begin with a space.
[[nodiscard]] std::string price_clause(const PriceRobustness& prices);

}  // namespace fleetsim
