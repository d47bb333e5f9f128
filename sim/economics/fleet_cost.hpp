// Price of any number of nodes of each pool, without building a graph: the budget search asks it thousands of
// times. Private to the room.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/scenario.hpp"
#include "topology/fabric.hpp"

namespace fleetsim {

/// What Fabric::build(spec, nodes).counts() would count; nothing when that many nodes cannot be wired.
/// `gpus_per_node` matters to a torus only.
[[nodiscard]] std::optional<FabricCounts> fabric_counts(const FabricSpec& spec, int nodes, int gpus_per_node);

/// GPUs of every node of the fleet; 0 when pools differ, so that no torus joins them.
[[nodiscard]] int gpus_a_node(const Scenario& scenario, std::span<const int> counts);

/// Racks for `counts[i]` nodes of pool i; see racks_needed().
[[nodiscard]] int racks_for(const Scenario& scenario, std::span<const int> counts);

/// Whether `counts[i]` nodes of pool i are some and all rented.
[[nodiscard]] bool only_rented(const Scenario& scenario, std::span<const int> counts);

/// Prices of one scenario, by which fleets of any size are priced. `scenario` must outlive it.
class FleetCost {
 public:
  explicit FleetCost(const Scenario& scenario);

  [[nodiscard]] Money node_price(std::size_t pool) const { return node_price_[pool]; }
  [[nodiscard]] Money node_money(std::span<const int> counts) const;
  /// Switches, management switch, racks. Never falls when a count rises. Nothing: cannot be wired.
  [[nodiscard]] std::optional<Money> fixed_money(std::span<const int> counts) const;
  /// The largest bill that the capital pays for with what is charged on it (charges.hpp).
  [[nodiscard]] Money bill_budget() const { return bill_budget_; }
  /// Whether the capital pays for the fleet with all charges, and the fabric has room for it.
  [[nodiscard]] bool affordable(std::span<const int> counts) const;
  /// Largest count of `pool`, beside the other counts as given, that is affordable; -1: not even 0.
  /// Precondition: the pool has a price. Cost: O(pools * log nodes).
  [[nodiscard]] int most(std::vector<int> counts, std::size_t pool) const;

 private:
  const Scenario* scenario_;
  Money bill_budget_;
  std::vector<Money> node_price_;
};

}  // namespace fleetsim
