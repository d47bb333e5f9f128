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

/// The purchase as paid, and what is paid in year y over (1 + discount_rate)^y: purchase at the start, all
/// else at the end of its year. Whole cents. Source: NIST Handbook 135, life-cycle costing with end-of-year
/// payments, section 4.
[[nodiscard]] Money present_cost(const EconomicsSpec& economics, const CostTable& cost);

}  // namespace fleetsim
