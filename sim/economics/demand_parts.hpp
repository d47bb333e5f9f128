// Parts of the offered load that have files of their own. Private to the room.
#pragma once

#include <string>
#include <vector>

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// What a node of the pool is worth in the comparison of classes: its price, or the rent of all years. Demand
/// is measured in nodes that can be bought; only where none of them serves (`owned`) in the catalogue's price
/// of those that are there.
[[nodiscard]] Money node_worth(const Scenario& scenario, std::size_t pool, bool owned = false);

/// The divisor of the load, and what it is in words.
void set_node_budget(const Scenario& scenario, OfferedLoad& load);

/// OfferedLoad::fleet_load and OfferedLoad::partition_load of what the classes and the trace ask for.
[[nodiscard]] double fleet_load(const Scenario& scenario, const OfferedLoad& load);
[[nodiscard]] std::vector<double> partition_load(const Scenario& scenario, const OfferedLoad& load);

/// OfferedLoad::identity of the class `a` that promotes and the class `b` that is promoted to.
[[nodiscard]] std::string identity_sentence(const Scenario& scenario, const OfferedLoad& load, std::size_t a,
                                            std::size_t b);

}  // namespace fleetsim
