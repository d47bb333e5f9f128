#include "sim/economics/payments.hpp"

#include <algorithm>

#include "sim/economics/rounding.hpp"

namespace fleetsim {

std::vector<Money> bill_by_year(const Scenario& scenario, const Bill& bill, std::size_t years) {
  std::vector<Money> paid(years);
  paid[0] = bill.total;
  std::vector<int> left;
  for (const NodePool& pool : scenario.pools) left.push_back(pool.count);
  for (const Delivery& delivery : scenario.availability.deliveries) {
    const auto year = std::min(static_cast<std::size_t>(delivery.at / (365 * kDay)), years - 1);
    const int nodes = std::min(delivery.nodes, left.at(delivery.pool));
    left[delivery.pool] -= nodes;
    const Money price = node_price(scenario, PoolId{static_cast<std::uint16_t>(delivery.pool)}) * nodes;
    paid[0] -= price;
    paid[year] += price;
  }
  return paid;
}

std::vector<Money> spread(Money amount, const std::vector<Money>& shares) {
  Money all;
  for (const Money share : shares) all += share;
  std::vector<Money> parts;
  Money so_far, given;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    so_far += shares[i];
    // The running total is rounded, so that the parts sum to the whole.
    const Money until = i + 1 == shares.size() ? amount : to_cents(scaled(amount, so_far / all));
    parts.push_back(until - given);
    given = until;
  }
  return parts;
}

std::vector<Money> running_by_year(const CostTable& cost) {
  std::vector<Money> running = cost.total_by_year;
  for (std::size_t i = 0; i < cost.capital_lines && i < cost.lines.size(); ++i)
    for (std::size_t y = 0; y < running.size(); ++y) running[y] -= cost.lines[i].by_year[y];
  return running;
}

}  // namespace fleetsim
