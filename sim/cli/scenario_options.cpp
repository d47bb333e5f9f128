#include "sim/cli/scenario_options.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <stdexcept>

#include "sim/cli/command.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/study_rounds.hpp"

namespace fleetsim::cli {

namespace {

constexpr std::int64_t kMostReplications = 1'000'000;

template <class T>
T number(const std::string& option, const std::string& text, const Parsed<T>& parsed,
         const std::string& see) {
  if (const auto* fault = std::get_if<UnitError>(&parsed))
    throw UsageError(fmt::format("--{} '{}': {}", option, text, fault->message),
                     fault->hint.empty() ? see : fault->hint);
  return std::get<T>(parsed);
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string("_./=:,+-").find(c) != std::string::npos;
  };
  bool bare = !word.empty();
  std::string inner;
  for (const char c : word) {
    bare = bare && plain(c);
    inner += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return bare ? word : "'" + inner + "'";
}

std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t low,
                          std::int64_t high, const std::string& see) {
  const std::int64_t value = number(option, text, parse_integer(text), see);
  if (value < low || value > high)
    throw UsageError(fmt::format("--{} must lie between {} and {}, not {}", option, low, high, value), see);
  return value;
}

void set_seed_and_replications(const std::string& seed, const std::string& replications,
                               const std::string& see, std::vector<std::string>& set) {
  const auto refuse_twice = [&](const char* option, const std::string& path) {
    for (const std::string& assignment : set) {
      if (assignment.substr(0, assignment.find('=')) == path)
        throw UsageError(
            fmt::format("'{}' is given twice, by --{} and by --set '{}'", path, option, assignment),
            "leave one of them out");
    }
  };
  if (!replications.empty()) refuse_twice("replications", "time.replications");
  if (!seed.empty()) refuse_twice("seed", "seed");
  if (!replications.empty())
    set.push_back(fmt::format("time.replications={}",
                              whole_number("replications", replications, 1, kMostReplications, see)));
  if (!seed.empty()) set.push_back(fmt::format("seed={}", number("seed", seed, parse_unsigned(seed), see)));
}

int threads_of(const std::string& text, const std::string& see) {
  return text.empty() ? 0 : static_cast<int>(whole_number("threads", text, 1, 1024, see));
}

void refuse_same_file(const std::vector<std::pair<std::string, std::string>>& files) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::size_t j = i + 1; j < files.size(); ++j) {
      const auto& [one, a] = files[i];
      const auto& [other, b] = files[j];
      if (a.empty() || b.empty()) continue;
      if (fs::exists(a, ignored) && fs::is_other(a, ignored)) continue;
      // Made absolute first: of a relative path without any existing folder "canonical" leaves all as it is.
      const auto place = [&](const std::string& name) {
        return fs::weakly_canonical(fs::absolute(name, ignored).lexically_normal(), ignored);
      };
      if (place(a) != place(b)) continue;
      throw UsageError(fmt::format("{} and {} are the same file, {}", one, other, a),
                       "give them different names");
    }
  }
}

std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
    const Parsed<std::int64_t> seconds = parse_integer(fixed);
    if (const auto* value = std::get_if<std::int64_t>(&seconds)) now = static_cast<std::time_t>(*value);
  }
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

std::optional<LoadedScenario> open_scenario(const std::string& file, const std::vector<std::string>& set,
                                            const std::string& catalog) {
  LoadOptions options;
  options.set = set;
  options.catalog_folder = catalog;
  options.today = today();
  Diagnostics diagnostics;
  std::string source;
  auto loaded = load_scenario(file, options, diagnostics, source);
  report(diagnostics, source);
  return loaded;
}

Scenario studied_scenario(const Scenario& scenario) {
  Scenario neutral = scenario;
  neutral.study = StudySpec{};
  neutral.time.precision = 0.0;
  neutral.advice = AdviceSpec{};
  neutral.study.candidates = scenario.study.candidates;
  neutral.study.alternatives = scenario.study.alternatives;
  // Conditions make cells, each a study of its own.
  for (const StudyAxis& axis : scenario.study.axes)
    if (axis.role == AxisRole::choice) neutral.study.axes.push_back(axis);
  neutral.time.replications = 1;
  return neutral;
}

std::unique_ptr<CandidateSource> candidates_of(const Scenario& studied, const std::string& catalog) {
  try {
    return make_candidates(
        studied, {SharingRule::strict, SharingRule::overflow, SharingRule::preempt, SharingRule::one_pool},
        catalog);
  } catch (const std::invalid_argument& e) {
    throw UsageError(fmt::format("cannot list the fleets of this scenario: {}", e.what()));
  }
}

std::vector<StudyRefusal> study_refusals(const Scenario& scenario) {
  std::vector<StudyRefusal> all;
  if (scenario.time.precision > 0.0 && !in_rounds(scenario))
    all.push_back(
        {"time.precision: an exhaustive study gives every fleet time.replications, no more and no less",
         "study.search: rounds, or leave time.precision to 'fleetsim run'"});
  if (scenario.study.candidates == CandidateRule::pool_sizes) return all;  // judged by waits alone
  if (!result_chain(scenario) && objective_of(scenario.study).needs_chain) {
    all.push_back({"no class of the workload promotes to another, so 'time to result' has no meaning",
                   "give a class 'promotes_to: {class: ..., probability: ...}', or rank by another "
                   "study.objective, or simulate one fleet with 'fleetsim run'"});
  }
  if (scenario.study.candidates == CandidateRule::as_given) return all;
  if (scenario.budget <= Money{}) {
    all.push_back({"there is no budget, so there are no fleets to compare",
                   "give budget.capital, or study.candidates: as-given"});
    return all;
  }
  if (bought_pools(scenario) == 0) {
    all.push_back({"the fleet has no pool that can be bought, so there are no fleets to compare",
                   "give the fleet a pool, or study.candidates: as-given"});
  }
  for (std::size_t i = 0; i < bought_pools(scenario); ++i) {
    if (node_price(scenario, PoolId{static_cast<std::uint16_t>(i)}) > Money{}) continue;
    all.push_back({not_for_sale(scenario.pools[i]), "give it a price, or study.candidates: as-given"});
  }
  return all;
}

std::string command_text(const std::string& command, const std::string& file,
                         const std::vector<std::string>& set, const std::string& catalog) {
  std::string text = "fleetsim " + command;
  if (!file.empty()) text += " " + shell_quoted(file);
  for (const std::string& assignment : set) text += " --set " + shell_quoted(assignment);
  if (!catalog.empty()) text += " --catalog " + shell_quoted(catalog);
  return text;
}

}  // namespace fleetsim::cli
