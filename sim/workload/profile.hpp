// How arrivals spread over the week.
#pragma once

#include <array>

#include "sim/scenario.hpp"

namespace fleetsim {

inline constexpr int kHoursPerWeek = 168;

/// Rate in each hour of the week over the mean rate; hour 0 = Monday 00:00. The mean of the 168 values is 1.
[[nodiscard]] const std::array<double, kHoursPerWeek>& weekly_profile(ArrivalProfile profile);

}  // namespace fleetsim
