// Parts of the offered load that have files of their own. Private to the room.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// What a node of the pool is worth in the comparison of classes: its price, or the rent of all years. Demand
/// is measured in nodes that can be bought; only where none of them serves (`owned`) in the catalogue's price
/// of those that are there.
[[nodiscard]] Money node_worth(const Scenario& scenario, std::size_t pool, bool owned = false);

inline constexpr double kImpossible = std::numeric_limits<double>::infinity();

/// Run time over that on the reference node: ratio[pool][size] of a class; kImpossible where the size cannot
/// run.
using Ratios = std::vector<std::vector<double>>;
[[nodiscard]] Ratios ratios_of(const Scenario& scenario, const JobClass& job_class);
/// Whether any pool type could ever run the size; what none can run is no demand on money.
[[nodiscard]] bool runs_somewhere(const Ratios& ratios, std::size_t size);
/// Mean of the wall-time law, seconds.
[[nodiscard]] double mean_wall_s(const JobClass& job_class);
/// Node-seconds that a job holds on average: sum of p_g x mean wall time x ratio_g x g/G; infinite when a
/// size cannot run there.
[[nodiscard]] double node_seconds(const JobClass& job_class, const Ratios& ratios, std::size_t pool,
                                  const NodeType& node);
/// Speed of the cards of a pool in the air and under the limit that they have there.
[[nodiscard]] double speed_of(const Scenario& scenario, const NodePool& pool);

/// Pools whose nodes the class may use under the sharing rule.
[[nodiscard]] std::vector<bool> admissible_pools(const Scenario& scenario, QueueId queue);
/// Pools that a class counts its demand on: those of its partition (all of them under one-pool sharing).
/// Idle nodes of other partitions are no home; they count where no own pool could ever run the class.
[[nodiscard]] std::vector<bool> home_pools(const Scenario& scenario, QueueId queue, const Ratios& ratios);
/// Whether none of these pools can be bought and run the class (`ratios` is empty for a trace).
[[nodiscard]] bool only_owned(const Scenario& scenario, const std::vector<bool>& pools, const Ratios& ratios);

/// The divisor of the load, and what it is in words.
void set_node_budget(const Scenario& scenario, OfferedLoad& load);

/// OfferedLoad::fleet_load and OfferedLoad::partition_load of what the classes and the trace ask for.
[[nodiscard]] double fleet_load(const Scenario& scenario, const OfferedLoad& load);
[[nodiscard]] std::vector<double> partition_load(const Scenario& scenario, const OfferedLoad& load);

/// OfferedLoad::identity of the class `a` that promotes and the class `b` that is promoted to.
[[nodiscard]] std::string identity_sentence(const Scenario& scenario, const OfferedLoad& load, std::size_t a,
                                            std::size_t b);

}  // namespace fleetsim
