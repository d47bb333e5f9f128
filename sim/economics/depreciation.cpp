#include "sim/economics/depreciation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/payments.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {
namespace {

/// The nodes as paid for, without tax, by the year in which they arrive.
std::vector<Money> paid_for_nodes(const Scenario& scenario, const Bill& bill, std::size_t years) {
  std::vector<Money> paid = bill_by_year(scenario, bill, years);
  paid[0] -= bill.total - bill.node_money;
  for (Money& year : paid) year -= share_of(year, scenario.economics.academic_discount);
  return paid;
}

/// Worth of all nodes at the end of `year` (1, 2, ...): each year's by its own age in years.
template <class Share>
Money worth_at(const std::vector<Money>& paid, int year, const Share& share) {
  Money worth;
  for (int bought = 0; bought < year; ++bought)
    worth += share_of(paid[static_cast<std::size_t>(bought)], share(year - bought));
  return worth;
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
  const auto paid = paid_for_nodes(scenario, bill, static_cast<std::size_t>(scenario.economics.years));
  for (int year = 1; year <= scenario.economics.years; ++year)
    value.push_back(worth_at(paid, year, [&](int age) { return book_share(*depreciation, age); }));
  return value;
}

/// Income at the end of the last year: the nodes are sold.
std::optional<CostLine> resale_line(const CostInput& in) {
  const auto& depreciation = in.scenario.economics.depreciation;
  if (!depreciation) return std::nullopt;
  const int years = static_cast<int>(in.years);
  const double share = resale_share(*depreciation, years);
  const Money value = worth_at(paid_for_nodes(in.scenario, in.bill, in.years), years,
                               [&](int age) { return resale_share(*depreciation, age); });
  if (value == Money{}) return std::nullopt;
  std::vector<Money> by_year(in.years);
  by_year.back() = -value;
  const bool straight = depreciation->resale_by_year.empty();
  const bool later = !in.scenario.availability.deliveries.empty();
  return CostLine{"Resale", by_year,
                  fmt::format("{:.4g} % of the price of the nodes at the end of year {}{}, {}", 100.0 * share,
                              years, later ? ", more of those that came later" : "",
                              straight ? "their straight-line book value" : "as the scenario says"),
                  straight};
}

}  // namespace fleetsim
