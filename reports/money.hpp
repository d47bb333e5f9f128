// What the bill and the cost table say when their lines are added up; and the cells of a chart's CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/economics/price_range.hpp"
#include "sim/study/dossier.hpp"

namespace fleetsim {

/// Parts of the cost over all years: nodes by pool, other equipment by group, then running costs.
struct MoneyPart {
  std::string name;  ///< plain text
  Money amount;
  bool running = false;
};
[[nodiscard]] std::vector<MoneyPart> money_parts(const Dossier& dossier);

/// The first line of a cost table is the purchase.
[[nodiscard]] Money sum(const CostLine& line);

/// One text cell of a CSV for the chart scripts: commas become middle dots (gnuplot cuts at commas even
/// inside quotes), quotes and line breaks blanks; a cell that a spreadsheet would run (= + - @) gets a
/// leading apostrophe.
[[nodiscard]] std::string csv_cell(std::string_view raw);

}  // namespace fleetsim
