// fleetsim study: every fleet of the budget under every sharing rule, replicated, compared, judged.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/loader/load.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/plan_text.hpp"
#include "sim/cli/rounds_text.hpp"
#include "sim/cli/run_length.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/study_setup.hpp"
#include "sim/cli/study_text.hpp"
#include "sim/cli/table.hpp"
#include "sim/study/dossier.hpp"
#include "sim/study/export.hpp"
#include "sim/study/files.hpp"
#include "sim/study/map_json.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

struct StudyArguments {
  std::string scenario, out, format, catalog;
  std::vector<std::string> set;
  int threads = 0;
  Shard shard;
  bool sharded = false, plan = false;
};

/// K/N
Shard shard_of(const std::string& text, const std::string& see) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("--shard '{}' is not K/N, as in 2/7", text), see);
  constexpr std::int64_t kMostShards = 1'000'000;
  Shard shard;
  shard.count = static_cast<int>(whole_number("shard", text.substr(slash + 1), 1, kMostShards, see));
  shard.index = static_cast<int>(whole_number("shard", text.substr(0, slash), 1, shard.count, see));
  return shard;
}

/// Empty: --help was printed.
std::optional<StudyArguments> parse_study(const Arguments& arguments) {
  CommandLine line(
      "study", "SCENARIO [options]",
      "Simulates every maximal fleet of the budget that the room admits under strict, overflow,\n"
      "preempt and one-pool sharing (or what study.candidates and study.alternatives ask for), with\n"
      "the same jobs for all, and says which are best and whether the 66/33 rule holds. Writes\n"
      "DIR/study.db (finished runs: the same command resumes), DIR/candidates.csv, DIR/study.json.\n"
      "With study.search: rounds only the fleets that may be the best are simulated further, round by\n"
      "round; --plan and --shard speak of the round that the store leads to.",
      "fleetsim study scenarios/lab-66-33.yaml --out out");
  StudyArguments a;
  std::string seed, replications, threads, shard;
  line.options.add_options()("scenario", po::value(&a.scenario), "")(
      "out", po::value(&a.out)->default_value("out")->value_name("DIR"), "folder of the results")(
      "threads", po::value(&threads)->value_name("N"),
      "threads; default: all cores. Results do not depend on it")(
      "set", po::value(&a.set)->composing()->value_name("PATH=VALUE"),
      "changes a key of the scenario; repeatable")(
      "plan", po::bool_switch(&a.plan),
      "only lists what would run, how much of it is stored, how long it takes")(
      "shard", po::value(&shard)->value_name("K/N"),
      "simulates the K-th of N parts, without a verdict; 'fleetsim merge' joins the stores")(
      "replications", po::value(&replications)->value_name("N"), "instead of time.replications")(
      "seed", po::value(&seed)->value_name("N"), "instead of the scenario's seed")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed")(
      "catalog", po::value(&a.catalog)->value_name("DIR"), "added to the built-in catalogue");
  line.positional.add("scenario", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  const std::string see = "see 'fleetsim study --help'";
  if (a.scenario.empty()) throw UsageError("which scenario?", see);
  if (a.out.empty()) throw UsageError("--out needs the name of a folder", see);
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), see);
  a.threads = threads_of(threads, see);
  a.sharded = values.count("shard") != 0;
  if (a.sharded) a.shard = shard_of(shard, see);
  set_seed_and_replications(seed, replications, see, a.set);
  return a;
}

std::string dossier_text(const StudyArguments& a, const LoadedScenario& loaded, const CandidateSource& source,
                         const StudyResult& study) {
  const Recommendation recommended = recommend(loaded.scenario, study);
  // Without any candidate the report shows the scenario's own fleet and why it is refused.
  Scenario scenario = recommended.candidate < 0
                          ? loaded.scenario
                          : source.make(static_cast<std::size_t>(recommended.candidate)).scenario;
  scenario.study = loaded.scenario.study;
  scenario.time.replications = loaded.scenario.time.replications;
  Dossier dossier = make_dossier(scenario, study, recommended.candidate);
  dossier.kind = "study";
  dossier.version = FLEETSIM_VERSION;
  dossier.scenario_sha256 = loaded.sha256;
  dossier.canonical_scenario = loaded.canonical;
  dossier.command = command_text("study", a.scenario, a.set, a.catalog);
  return to_json(dossier);
}

/// Progress is drawn while `work` runs.
template <class Work>
auto with_progress(StudyOptions& options, Work work) {
  Progress progress("study");
  options.progress = [&](const StudyProgress& p) { progress.update(p.done, p.total); };
  return work();
}

int stopped_early(const StudyOptions& options) {
  note(
      fmt::format("fleetsim: interrupted; finished runs are in {}, the same command resumes", options.store));
  return kInterrupted;
}

int study_shard(const StudyArguments& a, const Scenario& scenario, const CandidateSource& source,
                const CellSource* cells, StudyOptions& options) {
  const auto result =
      with_progress(options, [&] { return run_shard_with_cells(scenario, source, cells, options); });
  if (!result) return stopped_early(options);
  const ShardResult& r = *result;
  if (a.format == "json") {
    nlohmann::json told{{"shard", a.shard.index},   {"of", a.shard.count},
                        {"runs", r.wanted},         {"total", r.total},
                        {"simulated", r.simulated}, {"stored", r.wanted - r.simulated},
                        {"store", options.store}};
    if (r.round > 0) {
      told["round"] = r.round;
      told["round_whole"] = r.round_whole;
      told["complete"] = r.complete;
    }
    print(told.dump(1) + "\n");
    return kFine;
  }
  if (r.round > 0) {
    print(shard_text(r, {a.shard, options.store, drawn_text(r.drawn_fleets, r.draw_replications)}));
    return kFine;
  }
  print(fmt::format(
      "Shard {} of {}: {} of {} ({} x {}{}{}); {} simulated, {} were stored\n"
      "File: {}; when all shards are there: fleetsim merge STORE... -o DIR/study.db\n",
      a.shard.index, a.shard.count, r.wanted, counted(r.total, "run"),
      counted(static_cast<long long>(source.size()), "candidate"),
      counted(scenario.time.replications, "replication"), drawn_text(r.drawn_fleets, r.draw_replications),
      cells == nullptr ? std::string{}
                       : fmt::format(" and {}", counted(static_cast<long long>(cells->size()), "cell")),
      r.simulated, r.wanted - r.simulated, options.store));
  return kFine;
}

/// What cannot be written at the end is said now, not after hours.
void expect_results_fit(const StudyArguments& a, const fs::path& folder, bool cells) {
  std::error_code ignored;
  if (!fs::exists(folder / "study.db", ignored)) expect_writable(folder / "study.db");
  if (a.sharded) return;
  if (cells) expect_writable(folder / "map.csv");
  expect_writable(folder / "candidates.csv");
  expect_writable(folder / "study.json");
}

int study(const Arguments& arguments) {
  const auto parsed = parse_study(arguments);
  if (!parsed) return kFine;
  const StudyArguments& a = *parsed;
  auto loaded = open_scenario(a.scenario, a.set, a.catalog);
  if (!loaded) return kWrongInput;
  refuse_unstudied(loaded->scenario);
  // The canonical text keeps what was asked for; the runs have the warm-up that was found.
  const auto warm_up = settle_warm_up(loaded->scenario, a.catalog, a.threads);
  const fs::path folder = a.out;
  const StudySetup setup = study_setup(loaded->scenario, folder, a.threads, a.catalog);
  const AdmissibleCandidates& source = *setup.fleets;
  StudyOptions options = setup.options;
  options.shard = a.shard;
  if (a.plan) {
    WholePlan plan{plan_study(loaded->scenario, source, options), {}, {}, options.store};
    if (setup.cells) plan.cells = plan_cells(*setup.cells, options);
    if (plan.to_run() > 0 && source.size() > 0) plan.time = expected_time(loaded->scenario, source, options);
    print(a.format == "json" ? plan_json(plan) : plan_text(plan));
    return kFine;
  }
  make_folder(folder);
  expect_results_fit(a, folder, setup.cells != nullptr);
  if (a.sharded) return study_shard(a, loaded->scenario, source, setup.cells.get(), options);
  auto result = with_progress(
      options, [&] { return run_with_cells(loaded->scenario, source, setup.cells.get(), options); });
  if (!result) return stopped_early(options);
  result->warm_up = warm_up;
  const std::string json =
      study_json(loaded->scenario, *result,
                 {FLEETSIM_VERSION, loaded->sha256, dossier_text(a, *loaded, source, *result)});
  write_file(folder / "candidates.csv", candidates_csv(loaded->scenario, *result));
  if (result->map) write_file(folder / "map.csv", map_csv(*result->map));
  write_file(folder / "study.json", json);
  if (a.format == "json") {
    print(json);
  } else {
    print(fmt::format("{}Files: {}, {}, {}\n", study_text(loaded->scenario, *result), options.store,
                      (folder / "candidates.csv").string(), (folder / "study.json").string()));
  }
  return recommend(loaded->scenario, *result).feasible ? kFine : kAnsweredNo;
}

const RegisterCommand kStudy{
    {"study", "compares every fleet of the budget and judges the 66/33 rule", 40, study}};

}  // namespace

}  // namespace fleetsim::cli
