// Rent of all rented nodes.
#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::optional<CostLine> rent_line(const CostInput& in) {
  std::vector<Money> by_year(in.years);
  std::string terms;
  bool estimate = false;
  for (std::size_t p = 0; p < in.scenario.pools.size(); ++p) {
    const NodePool& pool = in.scenario.pools[p];
    if (pool.count == 0 || !pool.node.rented()) continue;
    const Figure<Money>& rate = pool.node.cloud_rate;
    const Money rent = rent_a_year(pool.node) * pool.count;
    for (std::size_t y = 0; y < in.years; ++y) by_year[y] += scaled(rent, in.presence[p][y]);
    terms += fmt::format("{}{} {}s x {} x {} h", terms.empty() ? "" : " + ", pool.count * pool.node.gpus,
                         accelerator_word(pool.node.gpu), money_text(rate.value), kHoursPerYear);
    estimate = estimate || rate.from.estimate;
  }
  if (terms.empty()) return std::nullopt;
  return CostLine{"Cloud rent", every_year(in, [&](std::size_t y) { return by_year[y]; }),
                  terms + " a year: reserved, so paid whether used or not" + while_there(in), estimate};
}

}  // namespace fleetsim
