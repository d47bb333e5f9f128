// What the economics section adds to a dossier.
#pragma once

#include <string>
#include <vector>

#include "sim/economics/cash_flow.hpp"
#include "sim/economics/charges.hpp"

namespace fleetsim {

struct EconomicsInfo {
  std::vector<Charge> charges;        ///< on the bill, in their order
  Money purchase;                     ///< the bill with its charges
  Money purchase_low, purchase_high;  ///< with every price on the bill at an end of its range
  double discount_rate = 0.0;
  Money present_cost;
  std::vector<Money> book_value_by_year;
  std::vector<CashYear> cash_flow;
  std::vector<std::string> broken_caps;
  std::vector<ExchangeRate> exchange;
  /// Cost of all years over the results of all years; 0: the fleet made none, or none was simulated.
  Money cost_per_result;
  /// Whether the scenario asks for any of it: else nothing is written, and reports say what they said before.
  bool asked = false;
};

/// `results_per_week`: as simulated, may be NaN.
[[nodiscard]] EconomicsInfo economics_info(const Scenario& scenario, const Bill& bill, const CostTable& cost,
                                           double results_per_week);

}  // namespace fleetsim
