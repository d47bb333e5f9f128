// What the nodes that a fleet replaces bring.
#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

Money proceeds(const Scenario& scenario) {
  Money sum;
  for (const NodePool& pool : scenario.pools) sum += pool.resale.value_or(Money{}) * pool.sold;
  return sum;
}

std::optional<CostLine> sale_line(const CostInput& in) {
  const Money sale = to_cents(proceeds(in.scenario));
  if (sale == Money{}) return std::nullopt;
  std::vector<Money> by_year(in.years);
  by_year[0] = -sale;
  return CostLine{"Sale of owned nodes", by_year,
                  "nodes that are replaced, at their resale value in the scenario, in year 1", false};
}

}  // namespace fleetsim
