// What bought nodes are still worth.
#pragma once

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// Share of the purchase price left in the books at the end of `year` (0: as bought), straight line:
/// max(salvage, 1 - (1 - salvage) x year / life). Precondition: life_years > 0.
[[nodiscard]] double book_share(const DepreciationSpec& depreciation, int year);

/// Share of the purchase price that a sale at the end of `year` brings: as resale_by_year says, else the book
/// value. A year behind the end of the list counts as its last.
[[nodiscard]] double resale_share(const DepreciationSpec& depreciation, int year);

/// The nodes at the end of year 1, 2, ... in the books: of their price after the academic discount, without
/// tax and what is shared. Empty when the scenario gives no life.
[[nodiscard]] std::vector<Money> book_value_by_year(const Scenario& scenario, const Bill& bill);

}  // namespace fleetsim
