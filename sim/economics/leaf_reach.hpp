// Which jobs a limit on leaf switches shuts out. Private to the room.
#pragma once

#include <cstddef>

#include "sim/scenario.hpp"

namespace fleetsim {

/// Whether the empty pool holds a job of `gpus` GPUs below at most `leaves` leaf switches; the engine's own
/// rule. True where the fabric has one leaf or none. Cost: O(nodes of the pool).
[[nodiscard]] bool fits_below(const Scenario& scenario, std::size_t pool, int gpus, int leaves);

}  // namespace fleetsim
