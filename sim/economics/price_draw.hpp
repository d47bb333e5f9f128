// Uncertain prices: which figures of a scenario carry a range, and what they are in one draw from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim {

/// Where a figure stands in a Scenario.
struct FigurePlace {
  enum class Kind {
    part,               ///< unit price of a part of a pool's node
    cloud_rate,         ///< rent of a pool's node, per GPU-hour
    burst_rate,         ///< rent of GPUs for jobs that burst, per GPU-hour
    adapter,            ///< network adapter with its cable
    network_switch,     ///< of the fabric
    management_switch,  ///< Ethernet
    rack,
    support,        ///< share of the purchase a year
    base_load,      ///< power of a node without its GPUs, at load
    base_idle,      ///< the same when idle
    gpu_idle_share  ///< idle power of a GPU over its board power
  };
  Kind kind = Kind::part;
  std::size_t pool = 0, part = 0;
};

/// One thing whose price (or power, or share) is known only as a range. The same item in several nodes is one
/// quantity: a power supply does not become dear in one node and cheap in the next.
struct UncertainQuantity {
  std::string item;      ///< unique; with the node's title where two nodes give one item different ranges
  std::string stream;    ///< the item alone: quantities of one item share their random number
  std::string unit;      ///< USD | USD/h | W | ratio
  bool purchase = true;  ///< false: drives yearly cost only (and racks, where they are bought)
  double low = 0.0, value = 0.0, high = 0.0;  ///< of one piece, in `unit`
  std::vector<FigurePlace> places;
};

/// Every figure with low < high that money depends on: parts of nodes that are bought (fleet.existing is
/// not), rents, adapters, switches, rack, support, power. In the order of the pools, then network and room.
[[nodiscard]] std::vector<UncertainQuantity> uncertain_quantities(const Scenario& scenario);

/// Quantile of the triangular distribution on [low, high] with its mode in between; u in [0, 1].
///   u <  (mode - low) / (high - low):  low + sqrt(u (high - low) (mode - low))
///   else:                              high - sqrt((1 - u) (high - low) (high - mode))
/// It is the customary law of a figure of which least, likeliest and greatest value are all that is known.
/// Source: Law, Simulation Modeling and Analysis (5th ed. 2015), section 6.11 (choice without data)
/// and 8.3.15 (inverse).
[[nodiscard]] double triangular(double u, double low, double mode, double high);

/// Values of the quantities in one draw, money to the cent. A function of seed, draw and item alone: neither
/// order nor number of the quantities matters.
[[nodiscard]] std::vector<double> draw_quantities(const std::vector<UncertainQuantity>& quantities,
                                                  std::uint64_t seed, std::uint32_t draw);

/// Writes one value into every place of the quantity. Money goes to the nearest cent.
void set_quantity(Scenario& scenario, const UncertainQuantity& quantity, double value);

/// The scenario at the given values, one for each quantity; budget, fleet and workload stay as they are.
[[nodiscard]] Scenario with_quantities(const Scenario& scenario,
                                       const std::vector<UncertainQuantity>& quantities,
                                       const std::vector<double>& values);

/// Which of the fleets (counts by pool) the budget pays for, fabric permitting; all of them without a budget.
/// Cost: no graph is built.
[[nodiscard]] std::vector<char> affordable_fleets(const Scenario& scenario,
                                                  const std::vector<std::vector<int>>& fleets);

}  // namespace fleetsim
