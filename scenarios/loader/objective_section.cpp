// What fleets are ranked by: study.objective.
#include <fmt/format.h>

#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

void read_objective(Reader& study, Draft& draft) {
  auto section = study.find("objective");
  if (!section || !section->expect_map()) return;
  StudySpec& spec = draft.scenario.study;
  std::vector<std::string> names;
  int named = 0;
  for (const Objective* one : objectives()) {
    names.emplace_back(one->name);
    auto chosen = section->find(one->name);
    if (!chosen) continue;
    if (++named > 1) chosen->error_at_key("a second objective: fleets are ranked by one figure", "keep one");
    spec.objective = one->name;
    if (!chosen->expect_map()) continue;
    if (one->of_k)
      if (const auto k = chosen->number("prototypes_per_result")) spec.prototypes_per_result = *k;
    chosen->finish();
  }
  if (named == 0 && !section->misspelled(names))
    section->error_at_key("'objective' names no objective", fmt::format("{}", fmt::join(names, " or ")));
  section->finish();
}

void check_objective(Reader& study, const Draft& draft) {
  const StudySpec& spec = draft.scenario.study;
  const bool timed = spec.objective == StudySpec{}.objective;
  for (const char* key : {"price_draws", "alternatives"}) {
    const bool asked = key == std::string("alternatives") ? study.has(key) : spec.price_draws > 0;
    if (timed || !asked) continue;
    study.find(key)->error_at_key(
        fmt::format("'{}' compares fleets by time to a result, and this study ranks by {}", key,
                    objective_of(spec).ranked),
        fmt::format("leave '{}' out, or rank by time_to_result", key));
  }
  if (!timed || !has_closed_loop(draft.scenario) || spec.candidates == CandidateRule::pool_sizes) return;
  study.context().diagnostics.warning(
      study.key_position(), study.path(),
      "users of a closed loop submit less where they wait longer, so that time to a result hides what a slow "
      "fleet costs",
      "objective: {results_per_week: {}}");
}

std::string objective_text(const StudySpec& study) {
  return objective_of(study).of_k ? fmt::format("{{{}: {{prototypes_per_result: {}}}}}", study.objective,
                                                study.prototypes_per_result)
                                  : fmt::format("{{{}: {{}}}}", study.objective);
}

void schema_parts::objective_keys(Keys& k) {
  k.push_back(key("study.objective", K::section, "what fleets are ranked by; one of those below"));
  for (const Objective* one : objectives()) {
    const std::string path = fmt::format("study.objective.{}", one->name);
    k.push_back(key(path, K::section, one->meaning));
    if (!one->of_k) continue;
    k.push_back(
        key(path + ".prototypes_per_result", K::number, "k", "30").in(between(1e-6, 1e9)).otherwise("30"));
  }
}

}  // namespace fleetsim
