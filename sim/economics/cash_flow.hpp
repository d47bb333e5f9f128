// What is paid when, against the caps of the years, and what all of it is worth today.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/economics/economics.hpp"

namespace fleetsim {

struct CashYear {
  Money paid;                ///< all lines of the year; below 0: more comes in
  std::optional<Money> cap;  ///< budget.by_year
};
[[nodiscard]] std::vector<CashYear> cash_flow(const EconomicsSpec& economics, const CostTable& cost);

/// One sentence for every year in which more is paid than its cap allows.
[[nodiscard]] std::vector<std::string> broken_caps(const EconomicsSpec& economics, const CostTable& cost);

/// Sum over years y = 1, 2, ... of what is bought in it over (1 + r)^(y - 1) and what running costs in it
/// over (1 + r)^y: purchases at the start of their year, all else at its end. Whole cents. Source: NIST
/// Handbook 135, life-cycle costing with end-of-year payments.
[[nodiscard]] Money present_cost(const EconomicsSpec& economics, const CostTable& cost);

}  // namespace fleetsim
