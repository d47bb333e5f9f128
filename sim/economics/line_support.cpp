// Support and repair: a share of the purchase price of the nodes, every year.
#include <fmt/format.h>

#include <algorithm>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::optional<CostLine> support_line(const CostInput& in) {
  if (all_rented(in.scenario)) return std::nullopt;
  const Figure<double>& usual = in.scenario.prices.support_per_year;
  const std::optional<double>& own = in.scenario.economics.support;
  const double share = own.value_or(usual.value);
  const auto& pools = in.scenario.pools;
  const bool owns = std::any_of(pools.begin(), pools.end(),
                                [](const NodePool& pool) { return pool.existing && pool.count > 0; });
  return CostLine{"Support and repair",
                  std::vector<Money>(in.years, to_cents(scaled(in.bill.node_money, share))),
                  fmt::format("{:.4g} % of the purchase price of the nodes a year{}", 100.0 * share,
                              owns ? "; nodes that are there already have none" : ""),
                  !own && usual.from.estimate};
}

}  // namespace fleetsim
