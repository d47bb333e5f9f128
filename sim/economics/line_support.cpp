// Support and repair: a share of the purchase price of the nodes, every year.
#include <fmt/format.h>

#include <algorithm>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

namespace {

/// Of all nodes on the bill, each for the part of the year in which it is there.
Money price_of_nodes_there(const CostInput& in, std::size_t year) {
  Money there = in.bill.node_money;
  for (std::size_t p = 0; p < in.scenario.pools.size(); ++p) {
    const NodePool& pool = in.scenario.pools[p];
    const double away = 1.0 - in.presence[p][year];
    if (away == 0.0 || pool.existing || pool.node.rented()) continue;
    there -= scaled(node_price(in.scenario, PoolId{static_cast<std::uint16_t>(p)}) * pool.count, away);
  }
  return there;
}

}  // namespace

std::optional<CostLine> support_line(const CostInput& in) {
  if (all_rented(in.scenario)) return std::nullopt;
  const Figure<double>& usual = in.scenario.prices.support_per_year;
  const std::optional<double>& own = in.scenario.economics.support;
  const double share = own.value_or(usual.value);
  const auto& pools = in.scenario.pools;
  const bool owns = std::any_of(pools.begin(), pools.end(),
                                [](const NodePool& pool) { return pool.existing && pool.count > 0; });
  return CostLine{"Support and repair",
                  every_year(in, [&](std::size_t y) { return scaled(price_of_nodes_there(in, y), share); }),
                  fmt::format("{:.4g} % of the purchase price of the nodes a year{}{}", 100.0 * share,
                              owns ? "; nodes that are there already have none" : "", while_there(in)),
                  !own && usual.from.estimate};
}

}  // namespace fleetsim
