// Which fleets the price draws of a study need: known before anything is simulated, and the same for every
// thread, shard and order.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/economics/price_draw.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// What can be bought at one set of prices, the budget being the scenario's.
struct PriceSituation {
  std::vector<int> fleets;  ///< into PricePlan::fleets, ascending: maximal ones, and the study's that it pays
  std::vector<char> maximal;  ///< of each: no further node is affordable beside it
  std::vector<double> share;  ///< of each: of the scale-up pool in node money, at these prices
  bool whole = true;          ///< false: some of its maximal fleets are beyond the cap
  [[nodiscard]] bool offers(int fleet) const;
};

/// One quantity moved, the others at their values: the situation does not change on [from, to].
struct PriceSegment {
  double from = 0.0, to = 0.0;
  PriceSituation situation;
};

struct PricePlan {
  std::vector<UncertainQuantity> quantities;
  std::vector<std::vector<int>> fleets;  ///< counts by pool; the study's own first, in its order
  std::size_t own = 0;                   ///< so many are the study's
  struct Draw {
    std::vector<double> values;  ///< by quantity
    PriceSituation situation;
    double load = 0.0, s = 0.0;  ///< of the same jobs at these prices
  };
  std::vector<Draw> draws;                       ///< fewer than asked for when they need too many fleets
  PriceSituation nominal;                        ///< all quantities at their values
  std::vector<std::vector<PriceSegment>> scans;  ///< by quantity, ascending and gapless from low to high
  std::int64_t left_out = 0;                     ///< fleets of scans that are not simulated
  [[nodiscard]] std::size_t extra() const { return fleets.size() - own; }
};

/// Width to which breakpoints of a quantity's scan are found: 1 USD, a ten-thousandth of the range for what
/// is no money; and where a stretch of it is halved.
[[nodiscard]] double scan_step(const UncertainQuantity& quantity);
[[nodiscard]] double scan_middle(double from, double to, double step);

/// So many fleets beyond the study's own are simulated for the draws, and so many more for the scans.
inline constexpr std::size_t kMostDrawnFleets = 400, kMostScannedFleets = 200;

/// Fleets of base.study.price_draws draws and of the scans of single quantities. Breakpoints of a scan are
/// found on a grid of 32 steps, each step halved until its ends agree or are 1 USD (a ten-thousandth of the
/// range for what is no money) apart: two changes inside one step that undo each other are not seen.
/// Cost: a list of maximal fleets for each draw and each point of a scan.
[[nodiscard]] PricePlan plan_prices(const Scenario& base, const CandidateSource& candidates);

/// The fleets of a plan that are not the study's, under the scenario's own sharing rule.
class DrawnFleets : public CandidateSource {
 public:
  DrawnFleets(const CandidateSource& of, const PricePlan& plan, SharingRule sharing)
      : of_(of), plan_(plan), sharing_(sharing) {}
  [[nodiscard]] std::size_t size() const override { return plan_.extra(); }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    return of_.fleet(plan_.fleets[plan_.own + i], sharing_);
  }

 private:
  const CandidateSource& of_;
  const PricePlan& plan_;
  SharingRule sharing_;
};

/// Replications of a fleet that only drawn prices make: never more than the study's.
[[nodiscard]] int draw_replications(const Scenario& base);

}  // namespace fleetsim
