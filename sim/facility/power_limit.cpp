// A power limit a GPU: how far its speed is known.
//
// Source: topology/card_limits.hpp; measured down to 280 W of 350 W = 80 % (Puget Systems, 2020-11). Below 50
// % the range of the estimate is wider than the estimate is worth: soft.
#include <fmt/format.h>

#include "sim/facility/parts.hpp"
#include "topology/card_limits.hpp"

namespace fleetsim::facility {

namespace {
constexpr double kMeasured = 0.8, kKnown = 0.5;
}

void check_power_limit(const Scenario& scenario, std::vector<Finding>& out) {
  for (const NodePool* pool : own_pools(scenario)) {
    if (!pool->gpu_power_limit) continue;
    const Watts board = pool->node.gpu.board_power.value;
    const double share = *pool->gpu_power_limit / board;
    if (!(share < 1.0)) continue;
    const Span speed = capped_speed(*pool->gpu_power_limit, board);
    const std::string range = fmt::format("{:.0f} % of its speed ({:.0f} to {:.0f} %)", 100.0 * speed.value,
                                          100.0 * speed.low, 100.0 * speed.high);
    out.push_back(
        {share < kKnown - 1e-9 ? Severity::soft : Severity::note, "", place_of(*pool) + ".gpu_power_limit",
         watts_text(*pool->gpu_power_limit), watts_text(board),
         fmt::format("a {} at {} of {} is taken to keep {}{}", pool->node.gpu.title,
                     watts_text(*pool->gpu_power_limit), watts_text(board), range,
                     share < kMeasured - 1e-9 ? ", an estimate beyond what was measured" : ""),
         share < kKnown - 1e-9 ? "measure it, or set a limit of at least half the board power" : ""});
  }
}

}  // namespace fleetsim::facility
