// How much of a class runs longer than a limit. Private to the room.
#pragma once

#include "sim/scenario.hpp"

namespace fleetsim {

/// Share of the wall times of a law that lie above `seconds`. Log-normal, cut at max: with z(t) = (ln t - mu)
/// / sigma, 1 - cdf(z(t)) / cdf(z(max)). Cost: some 300 evaluations of the normal distribution for that law.
[[nodiscard]] double share_above(const WallTimeSpec& wall_time, double seconds);

}  // namespace fleetsim
