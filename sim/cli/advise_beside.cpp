// The tree of advice applied to a scenario, and set beside a study.
#include <utility>

#include "scenarios/loader/catalog.hpp"
#include "sim/cli/advise_text.hpp"
#include "sim/study/simulated_best.hpp"

namespace fleetsim::cli {

AdviceBeside advice_for(const AdviceTree& tree, const Scenario& scenario) {
  AdviceBeside beside;
  beside.scenario = scenario.name;
  beside.advice = advise(with_bands(tree, scenario.advice.bands), advice_facts(scenario));
  beside.prices = work_prices(scenario, beside.advice);
  beside.parting.sentence = "No simulation was given.";
  return beside;
}

void set_beside(AdviceBeside& advice, const AdviceTree& tree, const Scenario& scenario, SimulatedBest best) {
  advice.best = std::move(best);
  advice.parting =
      compare(with_bands(tree, scenario.advice.bands), advice.advice, advice.best, advice.prices);
}

std::shared_ptr<const AdviceBeside> advice_of(const Dossier& dossier, const Scenario& scenario,
                                              const std::string& from) {
  const AdviceTree* tree = Catalog::builtin().advice(scenario.advice.tree);
  if (tree == nullptr) return nullptr;
  auto beside = std::make_shared<AdviceBeside>(advice_for(*tree, scenario));
  set_beside(*beside, *tree, scenario,
             simulated_best(scenario, dossier.study, dossier.sharing, dossier.k, from));
  return beside;
}

}  // namespace fleetsim::cli
