// Caps of single years (budget.by_year) held against what a simulated fleet costs.
#pragma once

#include <string>
#include <vector>

#include "sim/study/fleet_use.hpp"
#include "sim/study/keeping.hpp"

namespace fleetsim {

/// Sentences, one for each cap that the fleet in `scenario` breaks at its prices when used so; see
/// broken_caps().
[[nodiscard]] std::vector<std::string> caps_broken_by(const Scenario& scenario, const PoolUse& use);

/// Whether it is sure: kept, or broken, at both ends of what costs depend on.
[[nodiscard]] Keeps keeps_caps(const Scenario& scenario, const PoolUseRange& use);

}  // namespace fleetsim
