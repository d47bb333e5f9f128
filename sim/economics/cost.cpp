// What the fleet costs over the years: the purchase with its charges, then the running lines.
#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "sim/economics/charges.hpp"
#include "sim/economics/cost_lines.hpp"
#include "sim/economics/payments.hpp"

namespace fleetsim {
namespace {

/// In the order in which they are printed. A new line is a file of its own and one word here.
constexpr std::optional<CostLine> (*kRunning[])(const CostInput&) = {
    sale_line,    electricity_line, colocation_line, staff_line,
    support_line, rent_line,        burst_line,      resale_line};

bool has_estimate(const Bill& bill) {
  return std::any_of(bill.lines.begin(), bill.lines.end(),
                     [](const BillLine& line) { return line.unit_price.from.estimate; });
}

}  // namespace

CostTable cost_by_year(const Scenario& scenario, const Bill& bill, FleetUse use, int years) {
  if (years < 1) throw std::invalid_argument("a cost table needs at least one year");
  const auto n = static_cast<std::size_t>(years);
  CostTable table;
  const std::vector<Money> paid = bill_by_year(scenario, bill, n);
  const bool at_once = paid[0] == bill.total;
  table.lines.push_back({"Purchase", paid,
                         at_once ? "the bill of materials, paid in year 1"
                                 : "the bill of materials; nodes are paid in the year in which they arrive",
                         has_estimate(bill)});
  for (const Charge& charge : charges_on(scenario.economics, bill.total)) {
    table.lines.push_back({charge.item, spread(charge.amount, paid),
                           charge.basis + (at_once ? "" : ", spread over the years as the bill is"),
                           charge.of_bill && has_estimate(bill)});
  }
  table.capital_lines = table.lines.size();

  const CostInput in{
      scenario, bill, use.mean_it_power, use.burst_gpu_hours, n, presence_by_year(scenario, n)};
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

CostTable cost_by_year(const Scenario& scenario, const Bill& bill, FleetUse use) {
  return cost_by_year(scenario, bill, use, scenario.economics.years);
}

}  // namespace fleetsim
