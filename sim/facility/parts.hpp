// What the checks share: the list of them, and how they write figures and places.
#pragma once

#include <string>
#include <vector>

#include "sim/facility/facility.hpp"

namespace fleetsim::facility {

// One file each; the list is in facility.cpp.
void check_power_supply(const Scenario& scenario, std::vector<Finding>& out);
void check_card_slots(const Scenario& scenario, std::vector<Finding>& out);
void check_card_heat(const Scenario& scenario, std::vector<Finding>& out);
void check_power_limit(const Scenario& scenario, std::vector<Finding>& out);
void check_racks(const Scenario& scenario, std::vector<Finding>& out);
void check_room_power(const Scenario& scenario, std::vector<Finding>& out);
void check_room_cooling(const Scenario& scenario, std::vector<Finding>& out);
void check_circuits(const Scenario& scenario, std::vector<Finding>& out);
void check_licence(const Scenario& scenario, std::vector<Finding>& out);
void check_gpu_memory(const Scenario& scenario, std::vector<Finding>& out);

/// A sum of watts may end a rounding above its limit.
inline constexpr double kRounding = 1.0 + 1e-9;

/// Pools with nodes that stand in the lab's own room.
[[nodiscard]] std::vector<const NodePool*> own_pools(const Scenario& scenario);
/// `fleet.NAME`.
[[nodiscard]] std::string place_of(const NodePool& pool);
/// `1600 W` below 10 kW, else `13.40 kW`.
[[nodiscard]] std::string watts_text(Watts power);
/// The same for the least that is wanted: rounded up.
[[nodiscard]] std::string least_text(Watts power);
/// `1 node`, `4 nodes`.
[[nodiscard]] std::string nodes_text(int count);

}  // namespace fleetsim::facility
