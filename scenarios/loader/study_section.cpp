// The study: candidates, objective, constraints.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/metrics/trace_scope.hpp"

namespace fleetsim {

namespace {

enum class Measure { duration, ratio, number, money };
struct Metric {
  const char* name;
  Measure measure;
  bool of_class;          ///< also counted for each class
  std::string_view unit;  ///< of a number, when it has one: may stand behind the bound
  const char* meaning;    ///< for the reference page
};

/// The metric names of results, with the measure that a bound is written in.
constexpr Metric kMetrics[] = {
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
    {"fragmentation", Measure::ratio, false, "",
     "free GPU time that the waiting head could not use only because of node borders"},
    {"scaling_efficiency", Measure::ratio, false, "", "effective over allocated utilisation"},
    {"energy_kwh", Measure::number, false, "kWh", "energy at the meter in the window"},
    {"cost_per_useful_gpu_hour", Measure::money, false, "", "cost of the window over useful GPU-hours"},
};

const char* bound_text(const Metric& metric) {
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

std::optional<double> read_bound(const Reader& at, const Metric& metric, const std::string& text) {
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
  for (const Metric& m : kMetrics) names.emplace_back(m.name);
  return names;
}

std::vector<MetricMeaning> metric_meanings() {
  std::vector<MetricMeaning> all;
  for (const Metric& m : kMetrics) {
    all.push_back({m.name, m.unit.empty() ? std::string(bound_text(m)) : fmt::format("number, `{}`", m.unit),
                   m.of_class, m.meaning});
  }
  return all;
}

std::optional<Constraint> read_constraint(const Reader& reader, const std::vector<std::string>& classes) {
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
  std::string left = trim(text->substr(0, sign));
  bool fine = true;
  if (const std::size_t open = left.find('('); open != std::string::npos && left.back() == ')') {
    const std::string name = trim(left.substr(open + 1, left.size() - open - 2));
    left = trim(left.substr(0, open));
    if (const auto i = index_of(classes, name)) {
      made.job_class = static_cast<ClassId>(*i);
    } else if (!classes.empty()) {  // else the classes themselves are at fault
      const std::string near = did_you_mean(name, classes);
      reader.error_within(name, fmt::format("unknown class: '{}'", name),
                          near.empty() ? fmt::format("known: {}", fmt::join(classes, ", "))
                                       : fmt::format("did you mean '{}'?", near));
      fine = false;
    }
  }
  const auto* metric =
      std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](const Metric& m) { return left == m.name; });
  if (metric == std::end(kMetrics)) {
    const std::vector<std::string> names = constraint_metrics();
    const std::string near = did_you_mean(left, names);
    reader.error_within(left, fmt::format("unknown metric: '{}'", left),
                        near.empty() ? fmt::format("known: {}", fmt::join(names, ", "))
                                     : fmt::format("did you mean '{}'?", near));
    return std::nullopt;
  }
  made.metric = left;
  if (made.job_class && !metric->of_class) {
    reader.error_within(left, fmt::format("{} is not counted by class", left), "leave the class out");
    return std::nullopt;
  }
  const auto bound = read_bound(reader, *metric, trim(text->substr(sign + 2)));
  if (!bound || !fine) return std::nullopt;
  if (*bound < 0.0 || (metric->measure == Measure::ratio && *bound > 1.0)) {
    reader.error_within(trim(text->substr(sign + 2)),
                        fmt::format("{} is never {}", left, *bound < 0.0 ? "negative" : "above 1"));
    return std::nullopt;
  }
  made.bound = *bound;
  return made;
}

void read_study(Reader& file, Draft& draft) {
  auto study = file.find("study");
  if (!study || !study->expect_map()) return;
  StudySpec& spec = draft.scenario.study;
  if (const auto v = study->word("candidates", candidate_words())) spec.candidates = *v;
  if (auto objective = study->find("objective"); objective && objective->expect_map()) {
    if (auto result = objective->require("time_to_result"); result && result->expect_map()) {
      if (const auto k = result->number("prototypes_per_result")) spec.prototypes_per_result = *k;
      result->finish();
    }
    objective->finish();
  }
  if (const auto constraints = study->find("constraints")) {
    // Metrics of a trace stand behind those of the classes.
    std::vector<std::string> scopes = draft.classes;
    if (!draft.scenario.workload.trace_file.empty()) scopes.emplace_back(kTraceScope);
    for (const Reader& item : constraints->items())
      if (auto made = read_constraint(item, scopes)) spec.constraints.push_back(std::move(*made));
  }
  if (const auto v = study->word("search", search_words())) spec.search = *v;
  if (spec.search == SearchKind::rounds)
    draft.later("study.search", "every candidate gets all its replications; rounds are not built yet");
  if (const auto v = study->ratio("indifference")) spec.indifference = *v;
  if (const auto v = study->integer("price_draws")) spec.price_draws = static_cast<int>(*v);
  read_alternatives(*study, draft);
  if (const auto v = study->integer("draw_replications")) spec.draw_replications = static_cast<int>(*v);
  study->finish();
}

}  // namespace fleetsim
