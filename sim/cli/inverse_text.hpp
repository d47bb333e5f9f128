// Questions turned round on the screen: the least fleet, the most demand.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// A line for each sharing rule, the scenario's own first; empty where the study ranks by something else.
[[nodiscard]] std::string least_fleets_text(const Scenario& base, const StudyResult& study);

/// A table for each sharing rule, the scenario's own first, then a sentence for each and what is guaranteed.
[[nodiscard]] std::string most_demand_text(const Scenario& base, const MostDemand& most);

}  // namespace fleetsim::cli
