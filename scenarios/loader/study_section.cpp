// The study: candidates, objective, constraints.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/metrics/trace_scope.hpp"

namespace fleetsim {

namespace {

enum class Measure { duration, ratio, number, money };
struct LimitedMetric {
  const char* name;
  Measure measure;
  bool of_class;          ///< also counted for each class
  std::string_view unit;  ///< of a number, when it has one: may stand behind the bound
  const char* meaning;    ///< for the reference page
};

/// The metric names of results, with the measure that a bound is written in.
constexpr LimitedMetric kLimitedMetrics[] = {
    {"wait_s", Measure::duration, true, "",
     "mean wait from submit to start; a job that still waits at the end counts with its wait so far"},
    {"wait_s_p50", Measure::duration, true, "", "median wait"},
    {"wait_s_p90", Measure::duration, true, "", "wait that nine in ten jobs do not exceed"},
    {"wait_s_p95", Measure::duration, true, "", "wait that 19 in 20 jobs do not exceed"},
    {"turnaround_s", Measure::duration, true, "", "mean time from submit to end"},
    {"promoted_turnaround_s", Measure::duration, true, "",
     "turnaround of promoted jobs alone; the human pause before them does not count"},
    {"time_to_result_s", Measure::duration, false, "",
     "k x mean turnaround of prototypes + mean turnaround of the results promoted from them"},
    {"bounded_slowdown", Measure::number, true, "", "mean of max(1, turnaround / max(run time, 10 s))"},
    {"chain_slowdown", Measure::number, false, "",
     "turnarounds over run times along a chain of promotions, mean over chains"},
    {"utilisation_allocated", Measure::ratio, false, "", "GPU time held by jobs over GPU time there was"},
    {"utilisation_effective", Measure::ratio, false, "",
     "the same, each job weighted with the scaling efficiency of its placement"},
    {"unserved_gpu_hours", Measure::number, true, "GPU h",
     "work asked for and not delivered: impossible jobs and jobs killed at their limit"},
    {"impossible_gpu_hours", Measure::number, true, "GPU h",
     "work of jobs that no node of their partition can ever hold"},
    {"unserved_share", Measure::ratio, true, "",
     "unserved work over all work asked for; at most 1 % is a built-in constraint of every study and run"},
    {"impossible_share", Measure::ratio, true, "", "impossible work over all work asked for"},
    {"unfinished_tagged_share", Measure::ratio, true, "",
     "jobs submitted in the window that had not ended after `drain`; at most 1 % is a built-in constraint"},
    {"results_per_week", Measure::number, false, "/week",
     "results (completed jobs where no class promotes) a week of the window"},
    {"group_fairness", Measure::ratio, false, "",
     "Jain's index of GPU time per user over the groups of workload.groups: 1 when all have equally much"},
    {"fragmentation", Measure::ratio, false, "",
     "free GPU time that the waiting head could not use only because of node borders"},
    {"scaling_efficiency", Measure::ratio, false, "", "effective over allocated utilisation"},
    {"energy_kwh", Measure::number, false, "kWh", "energy at the meter in the window"},
    {"cost_per_useful_gpu_hour", Measure::money, false, "", "cost of the window over useful GPU-hours"},
    {"burst_jobs", Measure::number, true, "", "with scheduler.burst: jobs that were sent to rented GPUs"},
    {"burst_gpu_hours", Measure::number, true, "GPU h",
     "with scheduler.burst: GPU-hours paid for on rented GPUs in the window"},
    {"burst_cost", Measure::money, true, "", "with scheduler.burst: rent of those GPU-hours"},
};

const char* bound_text(const LimitedMetric& metric) {
  switch (metric.measure) {
    case Measure::duration:
      return "duration";
    case Measure::ratio:
      return "ratio";
    case Measure::money:
      return "money";
    case Measure::number:
      break;
  }
  return "number";
}

std::string trim(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<double> read_bound(const Reader& at, const LimitedMetric& metric, const std::string& text) {
  const auto value = [&](const auto& parsed, const auto& convert) -> std::optional<double> {
    if (const auto* fault = std::get_if<UnitError>(&parsed)) {
      at.error_within(text, fault->message, fault->hint);
      return std::nullopt;
    }
    return convert(std::get<0>(parsed));
  };
  const auto same = [](double v) { return v; };
  switch (metric.measure) {
    case Measure::duration:
      return value(parse_duration(text), [](Duration v) { return to_seconds(v); });
    case Measure::ratio:
      return value(parse_ratio(text), same);
    case Measure::money:
      return value(parse_money(text), [](Money v) { return to_usd(v); });
    case Measure::number:
      break;
  }
  // The metric's own unit may stand behind the number.
  std::string bare = text;
  if (!metric.unit.empty() && bare.ends_with(metric.unit))
    bare = trim(bare.substr(0, bare.size() - metric.unit.size()));
  const Parsed<double> number = parse_number(bare);
  if (std::holds_alternative<UnitError>(number)) {
    at.error_within(text, fmt::format("'{}' is no bound of {}", text, metric.name),
                    metric.unit.empty() ? std::string("write a number without a unit")
                                        : fmt::format("write e.g. '4 {}'", metric.unit));
    return std::nullopt;
  }
  return std::get<double>(number);
}

}  // namespace

std::vector<std::string> constraint_metrics() {
  std::vector<std::string> names;
  for (const LimitedMetric& m : kLimitedMetrics) names.emplace_back(m.name);
  return names;
}

std::vector<MetricMeaning> metric_meanings() {
  std::vector<MetricMeaning> all;
  for (const LimitedMetric& m : kLimitedMetrics) {
    all.push_back({m.name, m.unit.empty() ? std::string(bound_text(m)) : fmt::format("number, `{}`", m.unit),
                   m.of_class, m.meaning});
  }
  return all;
}

namespace {

const LimitedMetric* metric_called(const std::string& name) {
  const auto* found = std::find_if(std::begin(kLimitedMetrics), std::end(kLimitedMetrics),
                                   [&](const LimitedMetric& m) { return name == m.name; });
  return found == std::end(kLimitedMetrics) ? nullptr : found;
}

/// `prototype` or `group vision`, as it stands in brackets; false where there is none of the name.
bool read_scope(const Reader& reader, const MetricScopes& scopes, const std::string& name,
                NamedMetric& named) {
  const bool of_group = name.starts_with(kGroupWord);
  const std::string bare = of_group ? trim(name.substr(std::string_view(kGroupWord).size())) : name;
  const auto& known = of_group ? scopes.groups : scopes.classes;
  if (const auto i = index_of(scopes.classes, name)) {  // a class may be called so
    named.job_class = static_cast<ClassId>(*i);
    return true;
  }
  if (const auto i = index_of(known, bare); of_group && i) {
    named.group = *i;
    return true;
  }
  if (of_group && known.empty()) {
    reader.error_within(name, "there are no groups of users", "name them in workload.groups");
    return false;
  }
  if (known.empty()) return true;  // the classes themselves are at fault
  const std::string near = did_you_mean(bare, known);
  const std::string of_users =
      index_of(scopes.groups, bare) ? fmt::format("a group of users is written 'group {}'", bare) : "";
  reader.error_within(bare, fmt::format("unknown {}: '{}'", of_group ? "group" : "class", bare),
                      !of_users.empty() ? of_users
                      : near.empty()    ? fmt::format("known: {}", fmt::join(known, ", "))
                                        : fmt::format("did you mean '{}'?", near));
  return false;
}

}  // namespace

std::optional<NamedMetric> read_metric(const Reader& reader, const std::string& text,
                                       const MetricScopes& scopes, const std::vector<std::string>& also) {
  NamedMetric named;
  std::string left = trim(text);
  bool fine = true, scoped = false;
  if (const std::size_t open = left.find('('); open != std::string::npos && left.back() == ')') {
    const std::string name = trim(left.substr(open + 1, left.size() - open - 2));
    left = trim(left.substr(0, open));
    fine = read_scope(reader, scopes, name, named);
    scoped = true;
  }
  named.metric = left;
  const bool other = index_of(also, left).has_value();
  const LimitedMetric* metric = metric_called(left);
  if (metric == nullptr && !other) {
    std::vector<std::string> names = also;
    for (std::string& name : constraint_metrics()) names.push_back(std::move(name));
    const std::string near = did_you_mean(left, names);
    reader.error_within(left, fmt::format("unknown metric: '{}'", left),
                        near.empty() ? fmt::format("known: {}", fmt::join(names, ", "))
                                     : fmt::format("did you mean '{}'?", near));
    return std::nullopt;
  }
  if (scoped && (other || !metric->of_class)) {
    reader.error_within(left,
                        fmt::format("{} is not counted by class{}", left, named.group ? " or group" : ""),
                        fmt::format("leave the {} out", named.group ? "group" : "class"));
    return std::nullopt;
  }
  if (left == "group_fairness" && scopes.groups.empty()) {
    reader.error_within(left, "there are no groups of users", "name them in workload.groups");
    return std::nullopt;
  }
  if (left.starts_with("burst_") && !scopes.bursts) {
    reader.error_within(left, "no job goes to rented GPUs", "say which in scheduler.burst");
    return std::nullopt;
  }
  return fine ? std::optional(named) : std::nullopt;
}

std::optional<Constraint> read_constraint(const Reader& reader, const MetricScopes& scopes) {
  const auto text = reader.text();
  if (!text) return std::nullopt;
  Constraint made;
  made.text = *text;
  const std::size_t sign = text->find_first_of("<>");
  if (sign == std::string::npos || sign + 1 >= text->size() || (*text)[sign + 1] != '=') {
    reader.error(fmt::format("'{}' is not a constraint", *text), "write e.g. wait_s_p95(prototype) <= 4 h");
    return std::nullopt;
  }
  made.at_most = (*text)[sign] == '<';
  const auto named = read_metric(reader, text->substr(0, sign), scopes, {});
  if (!named) return std::nullopt;
  made.metric = named->metric;
  made.job_class = named->job_class;
  made.group = named->group;
  const LimitedMetric* metric = metric_called(made.metric);
  const auto bound = read_bound(reader, *metric, trim(text->substr(sign + 2)));
  if (!bound) return std::nullopt;
  if (*bound < 0.0 || (metric->measure == Measure::ratio && *bound > 1.0)) {
    reader.error_within(trim(text->substr(sign + 2)),
                        fmt::format("{} is never {}", made.metric, *bound < 0.0 ? "negative" : "above 1"));
    return std::nullopt;
  }
  made.bound = *bound;
  return made;
}

MetricScopes metric_scopes(const Draft& draft) {
  // Metrics of a trace stand behind those of the classes.
  MetricScopes scopes{draft.classes, {}, draft.burst.has_value()};
  if (!draft.scenario.workload.trace_file.empty()) scopes.classes.emplace_back(kTraceScope);
  for (const UserGroup& group : draft.scenario.workload.groups) scopes.groups.push_back(group.name);
  return scopes;
}

void read_study(Reader& file, Draft& draft) {
  auto study = file.find("study");
  if (!study || !study->expect_map()) return;
  StudySpec& spec = draft.scenario.study;
  if (const auto v = study->word("candidates", candidate_words())) spec.candidates = *v;
  read_objective(*study, draft);
  const MetricScopes scopes = metric_scopes(draft);
  for (const auto& [key, bounds] :
       {std::pair("constraints", &spec.constraints), std::pair("limits", &spec.limits)}) {
    const auto list = study->find(key);
    if (!list) continue;
    for (const Reader& item : list->items())
      if (auto made = read_constraint(item, scopes)) bounds->push_back(std::move(*made));
  }
  if (const auto v = study->word("search", search_words())) spec.search = *v;
  if (const auto v = study->integer("max_replications")) spec.max_replications = static_cast<int>(*v);
  if (spec.search == SearchKind::exhaustive && spec.max_replications > 0 &&
      draft.scenario.time.precision <= 0.0)
    draft.later("study.max_replications", "an exhaustive study gives every candidate time.replications");
  if (spec.search == SearchKind::rounds && spec.candidates == CandidateRule::pool_sizes)
    draft.later("study.search",
                "pools are compared by their waits, not ranked, so every size gets all replications");
  if (const auto v = study->ratio("indifference")) spec.indifference = *v;
  if (const auto v = study->integer("price_draws")) spec.price_draws = static_cast<int>(*v);
  check_objective(*study, draft);
  read_alternatives(*study, draft);
  read_front(*study, draft);
  if (const auto v = study->integer("draw_replications")) spec.draw_replications = static_cast<int>(*v);
  read_axes(*study, draft);
  study->finish();
}

}  // namespace fleetsim
