// How the fleets that one set of prices offers compare. Private to the room.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sim/study/judge_prices.hpp"

namespace fleetsim {

struct PriceOutcome {
  BestSet set;  ///< of all that are on offer, by number of the plan
  double best_share = std::numeric_limits<double>::quiet_NaN();  ///< of the best maximal fleet
  std::string rule;                                              ///< holds | refuted | undecided
};

class PriceComparison {
 public:
  /// What is given must outlive it.
  PriceComparison(const Scenario& base, const StudyResult& study, const PricePlan& plan,
                  const std::vector<SimulatedFleet>& fleets);
  [[nodiscard]] PriceOutcome outcome(const PriceSituation& situation) const;
  /// What the best fleet of a situation is, and what it takes; see PriceRobustness::Choice. Its share is that
  /// at `prices`, for a situation holds over a range of them.
  [[nodiscard]] PriceRobustness::Choice choice(const PriceSituation& situation, const PriceOutcome& outcome,
                                               const Scenario& prices) const;

 private:
  [[nodiscard]] double level(const SimulatedFleet& fleet) const;
  [[nodiscard]] BestSet compare(const PriceSituation& situation, bool only_maximal) const;
  [[nodiscard]] std::string rule(const PriceSituation& situation, BestSet set, double& best_share) const;
  [[nodiscard]] const SimulatedFleet& fleet(int number) const {
    return fleets_[static_cast<std::size_t>(number)];
  }

  const Scenario& base_;
  const StudyResult& study_;
  const PricePlan& plan_;
  const std::vector<SimulatedFleet>& fleets_;
  int anchor_ = -1;            ///< the study's best fleet
  std::vector<double> level_;  ///< mean of each fleet, as if it had all replications
};

}  // namespace fleetsim
