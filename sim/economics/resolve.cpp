// A budget and a wanted split become whole nodes.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/economics/charges.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {
namespace {

/// Nodes that are there already, and none of the pools that are bought.
std::vector<int> existing_counts(const Scenario& scenario) {
  std::vector<int> counts;
  for (const NodePool& pool : scenario.pools) counts.push_back(pool.existing ? pool.count : 0);
  return counts;
}

/// Shares of the largest bill less fixed costs, rounded down to nodes. Fixed costs follow from the counts,
/// the counts from the fixed costs: start at the least and raise until they cover what they buy.
std::vector<int> floor_counts(const Scenario& scenario, const FleetCost& cost,
                              const std::vector<double>& share) {
  const std::size_t pools = share.size();
  const std::vector<int> none = existing_counts(scenario);
  std::vector<int> counts = none;
  Money fixed;
  for (;;) {
    const Money node_money = cost.bill_budget() - fixed;
    if (node_money <= Money{}) return none;
    for (std::size_t i = 0; i < pools; ++i) {
      // 1e-9 of a node: a share like 0.7 is no exact binary number.
      counts[i] = static_cast<int>(std::floor(share[i] * (node_money / cost.node_price(i)) + 1e-9));
    }
    const std::optional<Money> needed = cost.fixed_money(counts);
    const bool covered = needed && *needed <= fixed;
    if (covered && cost.affordable(counts)) return counts;
    if (!needed || covered) {
      // No fabric joins that many nodes, or the 1e-9 was one too many: give up a tenth of a per cent.
      fixed += scaled(scenario.budget, 0.001);
    } else {
      fixed = *needed;
    }
  }
}

/// Leftover money buys whatever still fits, the pool that lacks most money first.
void spend_leftover(const FleetCost& cost, const std::vector<double>& share, std::vector<int>& counts) {
  for (;;) {
    const Money node_money = cost.bill_budget() - cost.fixed_money(counts).value_or(Money{});
    std::size_t best = counts.size();
    double best_shortfall = 0.0;
    for (std::size_t i = 0; i < share.size(); ++i) {
      ++counts[i];
      const bool fits = cost.affordable(counts);
      --counts[i];
      if (!fits) continue;
      const double shortfall = share[i] * to_usd(node_money) - to_usd(cost.node_price(i) * counts[i]);
      if (best == counts.size() || shortfall > best_shortfall) {
        best = i;
        best_shortfall = shortfall;
      }
    }
    if (best == counts.size()) return;
    ++counts[best];
  }
}

void describe(const Scenario& scenario, const FleetCost& cost, Resolved& result) {
  const Money node_money = cost.node_money(result.counts);
  result.realised_share.assign(result.counts.size(), 0.0);
  for (std::size_t i = 0; i < result.counts.size() && node_money > Money{}; ++i) {
    result.realised_share[i] = cost.node_price(i) * result.counts[i] / node_money;
  }
  if (scenario.budget <= Money{}) return;
  const std::optional<Money> fixed = cost.fixed_money(result.counts);
  if (!fixed) {
    const int nodes = std::accumulate(result.counts.begin(), result.counts.end(), 0);
    result.problems.push_back(
        plan_fabric(scenario.fabric, nodes, gpus_a_node(scenario, result.counts)).problem);
    return;
  }
  const Money purchase = purchase_of(scenario.economics, node_money + *fixed);
  result.unspent = scenario.budget - purchase;
  if (result.unspent < Money{}) {
    result.problems.push_back(fmt::format("the fleet costs {}, which is {} more than the budget",
                                          money_text(purchase), money_text(-result.unspent)));
    result.unspent = {};
  }
}

}  // namespace

Resolved resolve(const Scenario& scenario) {
  const std::size_t pools = bought_pools(scenario);
  const FleetCost cost(scenario);
  Resolved result;
  result.counts = existing_counts(scenario);
  if (pools == 0) {
    describe(scenario, cost, result);
    return result;
  }
  std::vector<double> share = scenario.request.share;
  if (!scenario.request.counts.empty()) {
    if (scenario.request.counts.size() != pools) {
      throw std::invalid_argument("fleet.split.counts needs one entry a pool");
    }
    std::copy(scenario.request.counts.begin(), scenario.request.counts.end(), result.counts.begin());
    describe(scenario, cost, result);
    return result;
  }
  if (share.empty() && pools == 1) share = {1.0};
  if (share.size() != pools) throw std::invalid_argument("fleet.split needs one share a pool");

  for (std::size_t i = 0; i < pools; ++i) {
    if (cost.node_price(i) <= Money{}) result.problems.push_back(not_for_sale(scenario.pools[i]));
  }
  if (scenario.budget <= Money{}) result.problems.push_back("a split of the budget needs budget.capital");
  if (result.problems.empty()) {
    result.counts = floor_counts(scenario, cost, share);
    spend_leftover(cost, share, result.counts);
    const int nodes = std::accumulate(result.counts.begin(), result.counts.end(), 0);
    result.fabric_is_full =
        nodes > 0 &&
        !fabric_counts(scenario.fabric, nodes + 1, gpus_a_node(scenario, result.counts)).has_value();
    if (cost.node_money(result.counts) == Money{}) {
      result.problems.push_back(
          fmt::format("the budget of {} does not cover one node with its share of network and racks",
                      money_text(scenario.budget)));
    }
  }
  describe(scenario, cost, result);
  return result;
}

}  // namespace fleetsim
