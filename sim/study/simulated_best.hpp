// What a study found, as the tree of advice is compared with it.
#pragma once

#include <string>

#include "sim/advice/parting.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// The best set of one sharing rule and k: its best fleet, and for each pool the least and greatest share of
/// node money over the members. `label` stays empty when no fleet qualifies. `from`: the file, as printed.
[[nodiscard]] SimulatedBest simulated_best(const Scenario& scenario, const StudyResult& study,
                                           SharingRule sharing, double k, const std::string& from);

}  // namespace fleetsim
