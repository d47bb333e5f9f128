#include "sim/study/year_caps.hpp"

#include <cmath>

#include "sim/economics/cash_flow.hpp"

namespace fleetsim {

std::vector<std::string> caps_broken_by(const Scenario& scenario, const PoolUse& use) {
  if (scenario.economics.budget_by_year.empty()) return {};
  return broken_caps(scenario.economics, cost_of_use(scenario, bill_of_materials(scenario), use));
}

Keeps keeps_caps(const Scenario& scenario, const PoolUseRange& use) {
  if (!caps_broken_by(scenario, use.low).empty()) return Keeps::broken;
  const bool bounded = std::isfinite(use.high.rented) || scenario.economics.budget_by_year.empty();
  return bounded && caps_broken_by(scenario, use.high).empty() ? Keeps::surely : Keeps::open;
}

}  // namespace fleetsim
