// When the nodes of a fleet are there: deliveries bring them, retirement takes them away.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// From when until when a node is there.
struct Stay {
  Instant from = kStart, until = kNever;
};

/// One for each of `nodes` nodes of the pool. The nodes that deliveries name are the last of the pool, the
/// latest delivery last; a pool with fewer nodes than that has none from the start. Existing nodes leave on
/// their pool's date of retirement where `time.starts` says which date t = 0 is.
[[nodiscard]] std::vector<Stay> stays_of(const Scenario& scenario, std::size_t pool, std::int32_t nodes);

/// Days from one date (YYYY-MM or YYYY-MM-DD; a month stands for its first day) to another; nothing where one
/// is missing.
[[nodiscard]] std::optional<int> days_from_start(const std::string& starts, const std::string& date);

/// Whether a node of the fleet comes after t = 0 or leaves.
[[nodiscard]] bool nodes_come_or_go(const Scenario& scenario);

/// [pool][year]: the part of year y = 0, 1, ... (365 days each from t = 0) in which the pool's nodes are
/// there, on average over its nodes, in [0, 1]; 1 for a pool without nodes. Cost: O(nodes x years).
[[nodiscard]] std::vector<std::vector<double>> presence_by_year(const Scenario& scenario, std::size_t years);

}  // namespace fleetsim
