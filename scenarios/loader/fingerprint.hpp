// What a scenario takes from the catalogue and from a trace, as text: the part of a result's key that the
// canonical dump only names.
#pragma once

#include <string>

#include "sim/scenario.hpp"

namespace fleetsim {

/// Every figure of the nodes, links and models that the scenario uses (values and ranges, no sources), then
/// its trace. Two scenarios with equal dump and equal text simulate alike. Cost: O(trace).
[[nodiscard]] std::string figures_text(const Scenario& scenario);

}  // namespace fleetsim
