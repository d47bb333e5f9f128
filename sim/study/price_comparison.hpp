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

/// What the caps of years say of one fleet at one set of prices.
struct CapsOfFleet {
  bool kept = true;  ///< by its mean use
  Keeps sure = Keeps::surely;
  friend bool operator==(const CapsOfFleet& a, const CapsOfFleet& b) {
    return a.kept == b.kept && a.sure == b.sure;
  }
};

class PriceComparison {
 public:
  /// What is given must outlive it.
  PriceComparison(const Scenario& base, const StudyResult& study, const PricePlan& plan,
                  const std::vector<SimulatedFleet>& fleets);
  /// Of each fleet of a situation, in its order.
  [[nodiscard]] std::vector<CapsOfFleet> caps(const PriceSituation& situation, const Scenario& prices) const;
  /// The fleets that break a cap are not ranked.
  [[nodiscard]] PriceOutcome outcome(const PriceSituation& situation,
                                     const std::vector<CapsOfFleet>& caps) const;
  /// What the best fleet of a situation is, and what it takes; see PriceRobustness::Choice. Its share is that
  /// at `prices`, for a situation holds over a range of them.
  [[nodiscard]] PriceRobustness::Choice choice(const PriceSituation& situation, const PriceOutcome& outcome,
                                               const Scenario& prices) const;

 private:
  [[nodiscard]] double level(const SimulatedFleet& fleet) const;
  [[nodiscard]] BestSet compare(const PriceSituation& situation, const std::vector<CapsOfFleet>& caps,
                                bool only_maximal) const;
  [[nodiscard]] std::string rule(const PriceSituation& situation, const std::vector<CapsOfFleet>& caps,
                                 BestSet set, double& best_share) const;
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
