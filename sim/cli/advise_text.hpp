// The advice as text for a committee and as JSON for programs: same figures.
#pragma once

#include <string>

#include "sim/advice/parting.hpp"
#include "sim/study/dossier.hpp"

namespace fleetsim::cli {

struct AdviceReport : AdviceBeside {
  std::string how_to_simulate;  ///< command; empty when there is a simulation
  std::string note;             ///< e.g. that a study was found but is of another scenario
};

/// What the tree advises for this scenario, without a simulation.
[[nodiscard]] AdviceBeside advice_for(const AdviceTree& tree, const Scenario& scenario);
/// With `best` beside it.
void set_beside(AdviceBeside& advice, const AdviceTree& tree, const Scenario& scenario, SimulatedBest best);

/// The advice of the scenario's tree beside a study's result, for the report; null when the built-in
/// catalogue has no such tree. `scenario`: the one of the dossier. `from`: what the result is called.
[[nodiscard]] std::shared_ptr<const AdviceBeside> advice_of(const Dossier& dossier, const Scenario& scenario,
                                                            const std::string& from);

[[nodiscard]] std::string advice_text(const AdviceReport& report);
[[nodiscard]] std::string advice_json(const AdviceReport& report);

}  // namespace fleetsim::cli
