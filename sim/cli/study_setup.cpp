#include "sim/cli/study_setup.hpp"

#include "scenarios/loader/load.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/engine_id.hpp"

namespace fleetsim::cli {

StudySetup study_setup(const Scenario& scenario, const std::filesystem::path& folder, int threads) {
  const Scenario studied = studied_scenario(scenario);
  StudySetup setup;
  setup.bought = candidates_of(studied);
  if (setup.bought->size() == 0) throw UsageError("the budget pays no fleet at all", "raise budget.capital");
  setup.fleets = std::make_unique<AdmissibleCandidates>(*setup.bought);
  setup.options.threads = threads;
  setup.options.store = (folder / "study.db").string();
  setup.options.engine = engine_id();
  setup.options.scenario = dump_scenario(studied);
  setup.options.scenario_sha256 = sha256_hex(setup.options.scenario);
  setup.options.note = [](const std::string& text) { note("fleetsim: " + text); };
  setup.options.stop = &interrupted();
  return setup;
}

}  // namespace fleetsim::cli
