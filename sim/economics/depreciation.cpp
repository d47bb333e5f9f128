#include "sim/economics/depreciation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {
namespace {

/// The nodes as paid for, without tax.
Money paid_for_nodes(const Scenario& scenario, const Bill& bill) {
  return bill.node_money - share_of(bill.node_money, scenario.economics.academic_discount);
}

}  // namespace

double book_share(const DepreciationSpec& d, int year) {
  return std::max(d.salvage, 1.0 - (1.0 - d.salvage) * year / d.life_years);
}

double resale_share(const DepreciationSpec& d, int year) {
  if (d.resale_by_year.empty()) return book_share(d, year);
  if (year <= 0) return 1.0;
  return d.resale_by_year[std::min(static_cast<std::size_t>(year), d.resale_by_year.size()) - 1];
}

std::vector<Money> book_value_by_year(const Scenario& scenario, const Bill& bill) {
  std::vector<Money> value;
  const auto& depreciation = scenario.economics.depreciation;
  if (!depreciation || depreciation->life_years <= 0.0) return value;
  for (int year = 1; year <= scenario.economics.years; ++year)
    value.push_back(share_of(paid_for_nodes(scenario, bill), book_share(*depreciation, year)));
  return value;
}

/// Income at the end of the last year: the nodes are sold.
std::optional<CostLine> resale_line(const CostInput& in) {
  const auto& depreciation = in.scenario.economics.depreciation;
  if (!depreciation) return std::nullopt;
  const int years = static_cast<int>(in.years);
  const double share = resale_share(*depreciation, years);
  const Money value = share_of(paid_for_nodes(in.scenario, in.bill), share);
  if (value == Money{}) return std::nullopt;
  std::vector<Money> by_year(in.years);
  by_year.back() = -value;
  const bool straight = depreciation->resale_by_year.empty();
  return CostLine{"Resale", by_year,
                  fmt::format("{:.4g} % of the price of the nodes at the end of year {}, {}", 100.0 * share,
                              years, straight ? "their straight-line book value" : "as the scenario says"),
                  straight};
}

}  // namespace fleetsim
