// Counts and prices of a fleet as a function of its node counts.
#include "sim/economics/fleet_cost.hpp"

#include <algorithm>
#include <numeric>

#include "sim/base/assert.hpp"
#include "sim/economics/charges.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim {

int racks_for(const Scenario& scenario, std::span<const int> counts) {
  const RackSpec& rack = scenario.site.rack;
  int racks = 0, units_free = 0;
  double power_free = 0.0;
  for (std::size_t pool = 0; pool < counts.size(); ++pool) {
    const NodeType& node = scenario.pools[pool].node;
    if (node.rented()) continue;
    const int units = node.rack_units;
    const double power = load_power(scenario.pools[pool]).count();
    // A division of watts may fall a rounding below a whole number of nodes.
    const auto holds = [&](int u, double w) {
      const int by_units = units > 0 ? u / units : counts[pool];
      const double by_power = power > 0.0 ? w / power + 1e-9 : counts[pool];
      return std::min(by_units, static_cast<int>(std::min<double>(by_power, counts[pool])));
    };
    int left = counts[pool];
    const int here = std::min(left, holds(units_free, power_free));
    left -= here;
    units_free -= here * units;
    power_free -= here * power;
    if (left == 0) continue;
    const int a_rack = std::max(1, holds(rack.units, rack.power.count()));
    const int more = (left + a_rack - 1) / a_rack;
    const int in_last = left - (more - 1) * a_rack;
    racks += more;
    units_free = std::max(0, rack.units - in_last * units);
    power_free = std::max(0.0, rack.power.count() - in_last * power);
  }
  return racks;
}

bool only_rented(const Scenario& scenario, std::span<const int> counts) {
  bool any = false;
  for (std::size_t pool = 0; pool < counts.size(); ++pool) {
    if (counts[pool] > 0 && !scenario.pools[pool].node.rented()) return false;
    any = any || counts[pool] > 0;
  }
  return any;
}

FleetCost::FleetCost(const Scenario& scenario)
    : scenario_(&scenario), bill_budget_(bill_within(scenario.economics, scenario.budget)) {
  for (std::size_t pool = 0; pool < scenario.pools.size(); ++pool) {
    node_price_.push_back(fleetsim::node_price(scenario, PoolId{static_cast<std::uint16_t>(pool)}));
  }
}

Money FleetCost::node_money(std::span<const int> counts) const {
  Money sum;
  for (std::size_t pool = 0; pool < counts.size(); ++pool) sum += node_price_[pool] * counts[pool];
  return sum;
}

std::optional<Money> FleetCost::fixed_money(std::span<const int> counts) const {
  const auto bought = counts.first(std::min(counts.size(), bought_pools(*scenario_)));
  const int nodes = std::accumulate(bought.begin(), bought.end(), 0);
  const int all = std::accumulate(counts.begin(), counts.end(), 0);
  if (all > 0 && !only_rented(*scenario_, counts) &&
      !fabric_counts(scenario_->fabric, all, gpus_a_node(*scenario_, counts)))
    return std::nullopt;
  if (all == 0) return Money{};
  Money quoted;
  for (const GivenPrice& own : scenario_->prices.given) quoted += own.price.value * own.quantity;
  if (nodes == 0 || only_rented(*scenario_, bought)) return quoted;
  if (scenario_->scheduler.sharing == SharingRule::private_machines) return quoted;  // as in the bill
  // The nodes that are there already have their own ports and racks: what is bought is priced without them.
  const std::optional<FabricCounts> network =
      fabric_counts(scenario_->fabric, nodes, gpus_a_node(*scenario_, bought));
  if (!network) return std::nullopt;
  const int cables = network->switch_cables + network->core_cables + network->torus_cables;
  const Money shared = quoted + scenario_->fabric.link.switch_price.value * network->switches() +
                       scenario_->prices.cable.value * cables;
  if (scenario_->site.facility.room == RoomKind::office) return shared;
  const int racks = scenario_->site.rack.provided ? 1 : racks_for(*scenario_, bought);
  return shared + scenario_->prices.management_switch.value + scenario_->prices.rack.value * racks;
}

bool FleetCost::affordable(std::span<const int> counts) const {
  const std::optional<Money> fixed = fixed_money(counts);
  return fixed && purchase_of(scenario_->economics, node_money(counts) + *fixed) <= scenario_->budget;
}

int FleetCost::most(std::vector<int> counts, std::size_t pool) const {
  FLEETSIM_ASSERT(node_price_[pool] > Money{});
  const auto fits = [&](int count) {
    counts[pool] = count;
    return affordable(counts);
  };
  if (!fits(0)) return -1;
  int low = 0;
  int high = static_cast<int>(
      std::min<std::int64_t>(bill_budget_.count() / node_price_[pool].count() + 1, 1'000'000));
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace fleetsim
