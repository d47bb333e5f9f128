// Rent of all rented nodes.
#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::optional<CostLine> rent_line(const CostInput& in) {
  Money rent;
  std::string terms;
  bool estimate = false;
  for (const NodePool& pool : in.scenario.pools) {
    if (pool.count == 0 || !pool.node.rented()) continue;
    const Figure<Money>& rate = pool.node.cloud_rate;
    rent += rent_a_year(pool.node) * pool.count;
    terms += fmt::format("{}{} {}s x {} x {} h", terms.empty() ? "" : " + ", pool.count * pool.node.gpus,
                         accelerator_word(pool.node.gpu), money_text(rate.value), kHoursPerYear);
    estimate = estimate || rate.from.estimate;
  }
  if (rent == Money{}) return std::nullopt;
  return CostLine{"Cloud rent", std::vector<Money>(in.years, to_cents(rent)),
                  terms + " a year: reserved, so paid whether used or not", estimate};
}

}  // namespace fleetsim
