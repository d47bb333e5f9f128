// What the fleet costs over the years: the purchase with its charges, then the running lines.
#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "sim/economics/charges.hpp"
#include "sim/economics/cost_lines.hpp"

namespace fleetsim {
namespace {

/// In the order in which they are printed. A new line is a file of its own and one word here.
constexpr std::optional<CostLine> (*kRunning[])(const CostInput&) = {
    sale_line, electricity_line, colocation_line, staff_line, support_line, rent_line, resale_line};

bool has_estimate(const Bill& bill) {
  return std::any_of(bill.lines.begin(), bill.lines.end(),
                     [](const BillLine& line) { return line.unit_price.from.estimate; });
}

}  // namespace

CostTable cost_by_year(const Scenario& scenario, const Bill& bill, Watts mean_it_power, int years) {
  if (years < 1) throw std::invalid_argument("a cost table needs at least one year");
  const auto n = static_cast<std::size_t>(years);
  CostTable table;
  const auto pay_at_once = [&](const std::string& item, Money amount, const std::string& basis) {
    std::vector<Money> by_year(n);
    by_year[0] = amount;
    table.lines.push_back({item, by_year, basis, has_estimate(bill)});
  };
  pay_at_once("Purchase", bill.total, "the bill of materials, paid in year 1");
  for (const Charge& charge : charges_on(scenario.economics, bill.total))
    pay_at_once(charge.item, charge.amount, charge.basis);
  table.capital_lines = table.lines.size();

  const CostInput in{scenario, bill, mean_it_power, n};
  for (const auto line_of : kRunning) {
    if (std::optional<CostLine> line = line_of(in)) table.lines.push_back(std::move(*line));
  }

  table.total_by_year.assign(n, Money{});
  for (const CostLine& line : table.lines) {
    for (std::size_t year = 0; year < n; ++year) table.total_by_year[year] += line.by_year[year];
  }
  for (const Money& year : table.total_by_year) table.total += year;
  return table;
}

CostTable cost_by_year(const Scenario& scenario, const Bill& bill, Watts mean_it_power) {
  return cost_by_year(scenario, bill, mean_it_power, scenario.economics.years);
}

}  // namespace fleetsim
