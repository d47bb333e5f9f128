// Fleets that the budget pays for and the room takes.
#pragma once

#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim::facility {

/// `bought` (node counts by pool, each the most that a budget pays for) and behind them, where the room
/// refuses some of these, the largest fleets below the refused ones that it takes: no further node of any
/// pool would do. Counts of existing pools stay. A room that is too small for the budget then still gets an
/// answer.
///
/// Relies on a fleet that is refused staying refused when nodes are added. That holds of every hard check but
/// for rare packings of unequal nodes on circuits, where a fleet may be missed. Cost: O(refused fleets x
/// fleets below one of them, all pools but the last) checks; ends at kMostTries checks, which is beyond
/// fleets of two pools with a thousand nodes each.
[[nodiscard]] std::vector<std::vector<int>> with_fleets_in_room(const Scenario& scenario,
                                                                std::vector<std::vector<int>> bought);
inline constexpr int kMostTries = 200'000;

}  // namespace fleetsim::facility
