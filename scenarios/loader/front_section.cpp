// Two figures that fleets are laid out by: study.front.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/study/front_figures.hpp"

namespace fleetsim {

namespace {

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const FrontFigure& one : front_figures()) names.push_back(one.name);
  return names;
}

/// Time to a result without a class that promotes is defined in no replication of any fleet.
bool means_something(const Reader& item, const std::string& metric, const Draft& draft) {
  const auto& all = front_figures();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const FrontFigure& f) { return f.name == metric; });
  const bool needs_chain = metric == "time_to_result_s" || (found != all.end() && found->needs_chain);
  const auto& classes = draft.scenario.workload.classes;
  const bool promotes = std::any_of(classes.begin(), classes.end(),
                                    [](const JobClass& c) { return c.promotes_to.has_value(); });
  if (!needs_chain || promotes) return true;
  item.error(fmt::format("no class promotes to another, so that {} is never defined", metric),
             "give a class 'promotes_to', or name another figure");
  return false;
}

}  // namespace

void read_front(Reader& study, Draft& draft) {
  auto section = study.find("front");
  if (!section) return;
  if (!section->is_sequence()) {
    section->error("'front' is a list of two figures", "write e.g. [time_to_result, capex]");
    return;
  }
  const MetricScopes scopes = metric_scopes(draft);
  const std::vector<Reader> items = section->items();
  std::vector<FrontMetric> front;
  for (const Reader& item : items) {
    const auto text = item.text();
    if (!text) continue;
    const auto named = read_metric(item, *text, scopes, figure_names());
    if (!named || !means_something(item, named->metric, draft)) continue;
    front.push_back({named->metric, named->job_class, named->group, *text});
  }
  if (items.size() != 2) {
    section->error_at_key(fmt::format("'front' names {} {}, and a front is of two", items.size(),
                                      items.size() == 1 ? "figure" : "figures"),
                          "write e.g. [time_to_result, capex]");
    return;
  }
  if (front.size() != 2) return;  // said above
  if (front[0].metric == front[1].metric && front[0].job_class == front[1].job_class &&
      front[0].group == front[1].group) {
    items[1].error(fmt::format("both figures of the front are {}", front[0].text), "name another one");
    return;
  }
  if (draft.scenario.study.candidates == CandidateRule::pool_sizes) {
    section->error_at_key(
        "'front' compares fleets of one sharing rule, and 'candidates: pool-sizes' compares private machines "
        "with pools",
        "leave one of them out");
    return;
  }
  draft.scenario.study.front = std::move(front);
}

void schema_parts::front_keys(Keys& k) {
  k.push_back(
      key("study.front", K::list,
          "two figures: the study tells which fleets no other one beats in both, and how sure that is "
          "(docs/front.md)"));
  k.push_back(key(
      "study.front[]", K::text,
      fmt::format("{}, or METRIC or METRIC(CLASS) as in study.constraints", fmt::join(figure_names(), ", ")),
      "capex"));
}

}  // namespace fleetsim
