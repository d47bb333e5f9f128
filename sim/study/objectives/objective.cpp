#include "sim/study/objectives/objective.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/assert.hpp"

namespace fleetsim {

const std::vector<const Objective*>& objectives() {
  static const std::vector<const Objective*> all = {&kTimeToResult, &kResultsPerWeek, &kCapex};
  return all;
}

const Objective* find_objective(const std::string& name) {
  for (const Objective* one : objectives())
    if (name == one->name) return one;
  return nullptr;
}

const Objective& objective_named(const std::string& name) {
  const Objective* one = find_objective(name);
  FLEETSIM_ASSERT(one != nullptr);
  return *one;
}

const Objective& objective_of(const StudySpec& study) {
  return objective_named(study.objective);
}

std::vector<double> ranking_ks(const Scenario& scenario) {
  if (objective_of(scenario.study).of_k) return objective_ks(scenario);
  return {scenario.study.prototypes_per_result};
}

std::string worse_text(const Objective& objective, const std::string& percentage) {
  return fmt::format(fmt::runtime(objective.worst), percentage);
}

std::string interval_text(const Summary& value, const std::string& unit, int digits) {
  std::string text = fmt::format("{:.{}f} {}", value.mean, digits, unit);
  if (std::isfinite(value.ci95_low))
    text += fmt::format(", 95 %: {:.{}f} to {:.{}f}", value.ci95_low, digits, value.ci95_high, digits);
  return text;
}

}  // namespace fleetsim
