// Candidates whose place is known before any simulation.
#pragma once

#include <string>

#include "sim/scenario.hpp"

namespace fleetsim {

/// So far above its capacity a partition is saturated whatever the draws: at a load of 1.25 a fifth of what
/// is submitted waits at the end of any window, where 1 % of growth already excludes a fleet.
inline constexpr double kSurelySaturated = 1.25;

/// Why a fleet need not be simulated; empty: it must be. A class that may run nowhere (end point); a
/// partition whose own classes ask for more than kSurelySaturated times its GPU time (under strict sharing,
/// with one pool in the partition, demand that does not shrink, and at most 1 % of its jobs cut off at their
/// limit: elsewhere the offered load is no lower bound); a year's cap that even the idle fleet breaks.
[[nodiscard]] std::string known_beforehand(const Scenario& scenario);

}  // namespace fleetsim
