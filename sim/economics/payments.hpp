// When a bill is paid: nodes when they arrive, everything else at the start.
#pragma once

#include <vector>

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// What of the bill is paid in year 1, 2, ...; sums to bill.total. Nodes that a delivery brings in year y
/// (365 days from t = 0) are paid then with their adapters; those that come behind the last year, in it.
[[nodiscard]] std::vector<Money> bill_by_year(const Scenario& scenario, const Bill& bill, std::size_t years);

/// `amount` spread as `shares` are, in whole cents where it is; the parts sum to it. Precondition: the sum of
/// the shares is not 0.
[[nodiscard]] std::vector<Money> spread(Money amount, const std::vector<Money>& shares);
/// What the years cost without what is bought in them.
[[nodiscard]] std::vector<Money> running_by_year(const CostTable& cost);

}  // namespace fleetsim
