// What the fleet costs over the years.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/economics/economics.hpp"

namespace fleetsim {
namespace {

bool has_estimate(const Bill& bill) {
  return std::any_of(bill.lines.begin(), bill.lines.end(),
                     [](const BillLine& line) { return line.unit_price.from.estimate; });
}

bool power_is_estimated(const Scenario& scenario) {
  return std::any_of(scenario.pools.begin(), scenario.pools.end(), [](const NodePool& pool) {
    const bool idles = !pool.off_when_idle && (pool.node.base_power_idle.from.estimate ||
                                               pool.node.gpu.idle_power_share.from.estimate);
    return pool.count > 0 &&
           (idles || pool.node.base_power_load.from.estimate || pool.node.gpu.board_power.from.estimate);
  });
}

/// So that printed lines, which show cents, add up to their printed totals.
Money to_cents(Money money) {
  constexpr std::int64_t kMicrosPerCent = 10'000;
  return Money{std::llround(static_cast<double>(money.count()) / kMicrosPerCent) * kMicrosPerCent};
}

/// Rent of all rented nodes; no line where there are none.
void add_rent(const Scenario& scenario, std::size_t years, CostTable& table) {
  Money rent;
  std::string terms;
  bool estimate = false;
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0 || !pool.node.rented()) continue;
    const Figure<Money>& rate = pool.node.cloud_rate;
    rent += rent_a_year(pool.node) * pool.count;
    terms += fmt::format("{}{} {}s x {} x {} h", terms.empty() ? "" : " + ", pool.count * pool.node.gpus,
                         accelerator_word(pool.node.gpu), money_text(rate.value), kHoursPerYear);
    estimate = estimate || rate.from.estimate;
  }
  if (rent == Money{}) return;
  table.lines.push_back({"Cloud rent", std::vector<Money>(years, to_cents(rent)),
                         terms + " a year: reserved, so paid whether used or not", estimate});
}

/// What the nodes draw and what keeps them running; no lines where none is one's own.
void add_upkeep(const Scenario& scenario, const Bill& bill, Watts mean_it_power, std::size_t n,
                CostTable& table) {
  if (all_rented(scenario)) return;
  // kWh a year at the meter = mean IT power x PUE x 8760 h / 1000
  const double kwh = mean_it_power.count() * scenario.site.pue * kHoursPerYear / 1000.0;
  const Money electricity = to_cents(scaled(Money{scenario.site.electricity.count()}, kwh));
  table.lines.push_back({"Electricity", std::vector<Money>(n, electricity),
                         fmt::format("mean IT power {:.2f} kW x PUE {:.2f} x {} h x {:.4g} USD/kWh = {:.0f} "
                                     "kWh a year at the meter",
                                     mean_it_power.count() / 1000.0, scenario.site.pue, kHoursPerYear,
                                     static_cast<double>(scenario.site.electricity.count()) / 1e6, kwh),
                         power_is_estimated(scenario)});

  const bool given = scenario.economics.support.has_value();
  const double support = scenario.economics.support.value_or(scenario.prices.support_per_year.value);
  const bool owns = std::any_of(scenario.pools.begin(), scenario.pools.end(),
                                [](const NodePool& pool) { return pool.existing && pool.count > 0; });
  table.lines.push_back({"Support and repair",
                         std::vector<Money>(n, to_cents(scaled(bill.node_money, support))),
                         fmt::format("{:.4g} % of the purchase price of the nodes a year{}", 100.0 * support,
                                     owns ? "; nodes that are there already have none" : ""),
                         !given && scenario.prices.support_per_year.from.estimate});
}

}  // namespace

Money proceeds(const Scenario& scenario) {
  Money sum;
  for (const NodePool& pool : scenario.pools) sum += pool.resale.value_or(Money{}) * pool.sold;
  return sum;
}

CostTable cost_by_year(const Scenario& scenario, const Bill& bill, Watts mean_it_power, int years) {
  if (years < 1) throw std::invalid_argument("a cost table needs at least one year");
  const auto n = static_cast<std::size_t>(years);
  CostTable table;

  std::vector<Money> purchase(n);
  purchase[0] = bill.total;
  table.lines.push_back({"Purchase", purchase, "the bill of materials, paid in year 1", has_estimate(bill)});

  if (const Money sale = to_cents(proceeds(scenario)); sale > Money{}) {
    std::vector<Money> sold(n);
    sold[0] = -sale;
    table.lines.push_back({"Sale of owned nodes", sold,
                           "nodes that are replaced, at their resale value in the scenario", false});
  }
  add_upkeep(scenario, bill, mean_it_power, n, table);
  add_rent(scenario, n, table);

  table.total_by_year.assign(n, Money{});
  for (const CostLine& line : table.lines) {
    for (std::size_t year = 0; year < n; ++year) table.total_by_year[year] += line.by_year[year];
  }
  for (const Money& year : table.total_by_year) table.total += year;
  return table;
}

}  // namespace fleetsim
