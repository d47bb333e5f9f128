// fleetsim advise: the guide's rule, what the simulation says, and where they part.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/load.hpp"
#include "sim/cli/advise_text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/results_file.hpp"
#include "sim/cli/run_length.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/study_setup.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/dossier.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"
#include "sim/study/simulated_best.hpp"

namespace fleetsim::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

struct AdviseArguments {
  std::string scenario, study, out, format, catalog;
  std::vector<std::string> set;
  bool simulate = false;
  int replications = 4, threads = 0;
};

/// Empty: --help was printed.
std::optional<AdviseArguments> parse_advise(const Arguments& arguments) {
  CommandLine line(
      "advise", "SCENARIO [options]",
      "Asks the guide of 2020 what to buy for this scenario, in the guide's own order: use, memory, "
      "hardware\n"
      "that has it, checks. Beside it what a study of the scenario found, and where and why they part.\n"
      "The study is the one given, else out/NAME/study.json where there is one; --simulate runs one.\n"
      "Exit code 1 when guide and simulation part, 0 when they agree or cannot be compared.",
      "fleetsim advise scenarios/lab-66-33.yaml --study out/lab-66-33");
  AdviseArguments a;
  std::string replications, threads;
  line.options.add_options()("scenario", po::value(&a.scenario), "")(
      "study", po::value(&a.study)->value_name("DIR|FILE"), "folder of a study, or its study.json")(
      "simulate", po::bool_switch(&a.simulate), "runs the scenario's study, with few replications")(
      "replications", po::value(&replications)->value_name("N"), "of --simulate; default 4")(
      "out", po::value(&a.out)->value_name("DIR"),
      "of --simulate: keeps finished runs here; default out/NAME. 'fleetsim study' with this folder goes on "
      "from them")("threads", po::value(&threads)->value_name("N"), "of --simulate; default: all cores")(
      "set", po::value(&a.set)->composing()->value_name("PATH=VALUE"),
      "changes a key of the scenario; repeatable")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed")(
      "catalog", po::value(&a.catalog)->value_name("DIR"),
      "added to the built-in catalogue; DIR/advice/NAME.yaml is a tree of advice");
  line.positional.add("scenario", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  const std::string see = "see 'fleetsim advise --help'";
  if (a.scenario.empty()) throw UsageError("which scenario?", see);
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), see);
  if (a.simulate && !a.study.empty())
    throw UsageError("--study gives a study and --simulate asks for one", "keep one of them");
  for (const char* option : {"replications", "out", "threads"}) {
    if (!a.simulate && values.count(option) != 0)
      throw UsageError(fmt::format("--{} belongs to --simulate", option), see);
  }
  if (!replications.empty())
    a.replications = static_cast<int>(whole_number("replications", replications, 2, 100'000, see));
  a.threads = threads_of(threads, see);
  return a;
}

/// Where its study is looked for and kept: out/NAME, or out for a name that is no plain name of a folder.
fs::path folder_of(const Scenario& scenario) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  const std::string& name = scenario.name;
  const bool usable = !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), plain);
  return usable ? fs::path("out") / name : fs::path("out");
}

/// What of a scenario a study's result depends on, for telling whether a study is of this scenario: neither
/// the questions of advice nor how often and from which seed it was drawn.
std::string studied_text(Scenario scenario) {
  scenario.advice = AdviceSpec{};
  scenario.time.replications = 1;
  scenario.seed = 1;
  return dump_scenario(scenario);
}

bool is_of(const Dossier& dossier, const Scenario& scenario, const std::string& catalog) {
  LoadOptions options;
  options.open_files = false;
  options.catalog_folder = catalog;
  Diagnostics ignored;
  const auto loaded = load_scenario_text("study", dossier.canonical_scenario, options, ignored);
  return loaded && studied_text(loaded->scenario) == studied_text(scenario);
}

std::string why_no_study(const Scenario& scenario) {
  const std::vector<std::string> unbuilt = unbuilt_features(scenario);
  if (!unbuilt.empty()) return unbuilt.front();
  const auto refusals = study_refusals(scenario);
  return refusals.empty() ? std::string{} : refusals.front().reason;
}

/// Empty: interrupted.
std::optional<SimulatedBest> simulate(const AdviseArguments& a, const LoadedScenario& loaded) {
  Scenario scenario = loaded.scenario;
  if (const std::string why = why_no_study(scenario); !why.empty())
    throw UsageError(fmt::format("--simulate: cannot study this scenario: {}", why),
                     "without --simulate the guide's advice is still printed");
  scenario.time.replications = a.replications;
  settle_warm_up(scenario, a.catalog, a.threads);
  const fs::path folder = a.out.empty() ? folder_of(scenario) : fs::path(a.out);
  const StudySetup setup = study_setup(scenario, folder, a.threads, a.catalog);
  make_folder(folder);
  StudyOptions options = setup.options;
  Progress progress("study");
  options.progress = [&](const StudyProgress& p) { progress.update(p.done, p.total); };
  const auto result = run_study(scenario, *setup.fleets, options);
  if (!result) return std::nullopt;
  return simulated_best(scenario, *result, scenario.scheduler.sharing, scenario.study.prototypes_per_result,
                        options.store);
}

/// A study that lies where the study command would have put it; one that is asked for must be of this
/// scenario, one that merely lies there is passed over with a word.
void find_study(const AdviseArguments& a, const LoadedScenario& loaded, AdviceReport& report) {
  std::error_code ignored;
  fs::path file = a.study.empty() ? folder_of(loaded.scenario) : fs::path(a.study);
  if (fs::is_directory(file, ignored)) file /= "study.json";
  if (a.study.empty() && !fs::exists(file, ignored)) return;
  const Dossier dossier = dossier_in(file);
  if (!is_of(dossier, loaded.scenario, a.catalog)) {
    const std::string what =
        fmt::format("{} is a study of {}", shown(file),
                    dossier.scenario_name == loaded.scenario.name
                        ? "another state of this scenario"
                        : fmt::format("'{}', not of this scenario", dossier.scenario_name));
    if (!a.study.empty())
      throw UsageError(what, fmt::format("run '{}'", command_text("study", a.scenario, a.set, a.catalog)));
    report.note = what + ", so it is not used.";
    return;
  }
  report.best = simulated_best(loaded.scenario, dossier.study, dossier.sharing, dossier.k, file.string());
}

int advise_command(const Arguments& arguments) {
  const auto parsed = parse_advise(arguments);
  if (!parsed) return kFine;
  const AdviseArguments& a = *parsed;
  const auto loaded = open_scenario(a.scenario, a.set, a.catalog);
  if (!loaded) return kWrongInput;
  const Scenario& scenario = loaded->scenario;
  // Faults of the folder were told when the scenario was read.
  Diagnostics told;
  std::optional<Catalog> own;
  if (!a.catalog.empty()) own = Catalog::with_folder(a.catalog, told);
  const AdviceTree* tree = (own ? *own : Catalog::builtin()).advice(scenario.advice.tree);
  if (tree == nullptr)
    throw UsageError(fmt::format("the catalogue has no tree of advice '{}'", scenario.advice.tree),
                     "advice.tree names one");

  AdviceReport report;
  static_cast<AdviceBeside&>(report) = advice_for(*tree, scenario);
  if (a.simulate) {
    const auto best = simulate(a, *loaded);
    if (!best) {
      note("fleetsim: interrupted; finished runs are kept, the same command resumes");
      return kInterrupted;
    }
    report.best = *best;
  } else {
    find_study(a, *loaded, report);
  }
  if (report.best.from.empty()) {
    const std::string why = why_no_study(scenario);
    report.how_to_simulate = why.empty()
                                 ? command_text("advise", a.scenario, a.set, a.catalog) + " --simulate"
                                 : fmt::format("nothing yet, because a study is not possible: {}", why);
  } else {
    set_beside(report, *tree, scenario, report.best);
  }
  print(a.format == "json" ? advice_json(report) : advice_text(report));
  return report.parting.agreement == Agreement::part ? kAnsweredNo : kFine;
}

const RegisterCommand kAdvise{
    {"advise", "what the guide of 2020 advises, what the simulation says, and where they part", 62,
     advise_command}};

}  // namespace
}  // namespace fleetsim::cli
