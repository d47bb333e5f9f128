// fleetsim run: simulates the fleet of one scenario.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "scenarios/loader/load.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/from_study.hpp"
#include "sim/cli/run_length.hpp"
#include "sim/cli/run_output.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr const char* kSeeRun = "see 'fleetsim run --help'";

struct RunArguments {
  std::string scenario, out, format, catalog, schedule, time_series, dump;
  std::vector<std::string> set;
  FromStudy from;              ///< used when from.store is not empty
  int threads = 0, first = 0;  ///< the first replication
};

void check_dump(const std::string& stage) {
  if (stage == "doc")
    throw UsageError("'fleetsim report' makes the document of a run", "fleetsim report DIR --to md");
  const std::vector<std::string> stages = {"scenario", "fabric", "jobs", "schedule", "metrics"};
  if (std::find(stages.begin(), stages.end(), stage) != stages.end()) return;
  const std::string near = did_you_mean(stage, stages);
  throw UsageError(
      fmt::format("--dump '{}' is no stage", stage),
      near.empty() ? "scenario, fabric, jobs, schedule or metrics" : fmt::format("did you mean '{}'?", near));
}

/// --from-study, --candidate and --replication belong together and leave nothing to choose.
void read_from_study(RunArguments& a, const std::string& replication, const std::string& seed,
                     const std::string& replications) {
  if (a.from.store.empty()) {
    if (!a.from.candidate.empty() || !replication.empty())
      throw UsageError("--candidate and --replication belong to --from-study", kSeeRun);
    return;
  }
  if (a.from.candidate.empty()) throw UsageError("which --candidate of --from-study?", kSeeRun);
  if (replication.empty())
    throw UsageError("which --replication of --from-study? They count from 0", kSeeRun);
  if (!seed.empty() || !replications.empty() || (a.scenario.empty() && !a.set.empty()))
    throw UsageError("--from-study reruns a row as it was", "leave out --seed, --replications and --set");
  a.first = a.from.replication =
      static_cast<int>(whole_number("replication", replication, 0, 1'000'000, kSeeRun));
  a.from.scenario = a.scenario;
  a.from.set = a.set;
  a.from.catalog = a.catalog;
}

/// Empty: --help was printed.
std::optional<RunArguments> parse_run(const Arguments& arguments) {
  CommandLine line("run", "SCENARIO [options]",
                   "Simulates the fleet of a scenario, prints a summary, writes DIR/result.json. The result\n"
                   "depends on the scenario and the seed, not on the number of threads.",
                   "fleetsim run scenarios/lab-66-33.yaml --out out");
  RunArguments a;
  std::string seed, replications, threads, replication;
  line.options.add_options()("scenario", po::value(&a.scenario), "")(
      "out", po::value(&a.out)->default_value("out")->value_name("DIR"), "folder of the results")(
      "seed", po::value(&seed)->value_name("N"), "instead of the scenario's seed")(
      "replications", po::value(&replications)->value_name("N"), "instead of time.replications")(
      "set", po::value(&a.set)->composing()->value_name("PATH=VALUE"),
      "changes a key of the scenario; repeatable")("threads", po::value(&threads)->value_name("N"),
                                                   "threads; default: all cores")(
      "schedule", po::value(&a.schedule)->value_name("FILE.csv"), "writes every job: when, where, why")(
      "time-series", po::value(&a.time_series)->value_name("FILE.csv"),
      "writes GPUs held and jobs waiting, hour by hour")(
      "dump", po::value(&a.dump)->value_name("STAGE"),
      "prints one stage instead: scenario, fabric, jobs, schedule, metrics")(
      "from-study", po::value(&a.from.store)->value_name("DB"),
      "reruns one row of a study and compares; SCENARIO may then be left out")(
      "candidate", po::value(&a.from.candidate)->value_name("LABEL"), "its row, as in '13+3 overflow'")(
      "replication", po::value(&replication)->value_name("R"), "its replication, from 0")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed")(
      "catalog", po::value(&a.catalog)->value_name("DIR"), "added to the built-in catalogue");
  line.positional.add("scenario", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  if (a.scenario.empty() && a.from.store.empty()) throw UsageError("which scenario?", kSeeRun);
  if (a.out.empty()) throw UsageError("--out needs the name of a folder", kSeeRun);
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), kSeeRun);
  if (values.count("dump") != 0) check_dump(a.dump);
  refuse_same_file({{"the scenario", a.scenario},
                    {"--from-study", a.from.store},
                    {"--schedule", a.schedule},
                    {"--time-series", a.time_series},
                    {"result.json of --out", (fs::path(a.out) / "result.json").string()}});
  a.threads = threads_of(threads, kSeeRun);
  read_from_study(a, replication, seed, replications);
  set_seed_and_replications(seed, replications, kSeeRun, a.set);
  return a;
}

void refuse_unbuilt(const Scenario& scenario) {
  std::string all;
  for (const std::string& feature : unbuilt_features(scenario)) all += (all.empty() ? "" : "; ") + feature;
  if (!all.empty())
    throw UsageError(fmt::format("cannot run this scenario: {}", all),
                     "'fleetsim check' lists what is not built");
}

std::string fabric_text(const Scenario& scenario) {
  std::vector<const NodeType*> nodes;
  for (const NodePool& pool : scenario.pools)
    nodes.insert(nodes.end(), static_cast<std::size_t>(pool.count), &pool.node);
  if (nodes.empty()) throw UsageError("the fleet has no nodes");
  return Fabric::build(scenario.fabric, nodes).to_text();
}

void stop_here() {
  if (interrupted()) throw Interrupted("interrupted; nothing was written");
}

/// Replication by replication, so that a long run needs little memory.
void dump(const RunArguments& a, const LoadedScenario& loaded) {
  const Scenario& scenario = loaded.scenario;
  if (a.dump == "scenario") return print(loaded.canonical);
  if (a.dump == "fabric") return print(fabric_text(scenario));
  const JobTables tables(scenario);
  std::string text = a.dump == "jobs"       ? JobTables::jobs_header(scenario)
                     : a.dump == "schedule" ? JobTables::schedule_header()
                                            : metrics_header();
  for (int r = a.first; r < a.first + scenario.time.replications; ++r) {
    const Workload workload = generate(scenario, static_cast<std::uint32_t>(r));
    if (a.dump == "jobs") {
      tables.append_jobs(text, r, workload);
    } else {
      EngineResult outcome;
      const RunResult run = simulate(scenario, workload, &outcome);
      if (a.dump == "schedule")
        tables.append_schedule(text, r, workload, outcome);
      else
        append_metrics(text, r, run);
    }
    print(text);
    text.clear();
  }
}

/// Calls `use` with where to put the text of `path`; null for no path.
void with_file(const std::string& path, const std::function<void(const TextSink*)>& use) {
  if (path.empty()) return use(nullptr);
  stream_file(path, [&](const TextSink& sink) { use(&sink); });
}

/// --schedule and --time-series: the runs again, one at a time, since their job tables were not kept.
void write_tables(const RunArguments& a, const Scenario& scenario) {
  if (a.schedule.empty() && a.time_series.empty()) return;
  const JobTables tables(scenario);
  const auto write = [&](const TextSink* schedule, const TextSink* series) {
    if (schedule != nullptr) (*schedule)(JobTables::schedule_header());
    if (series != nullptr) (*series)(tables.time_series_header());
    for (int r = a.first; r < a.first + scenario.time.replications; ++r) {
      stop_here();
      const Workload workload = generate(scenario, static_cast<std::uint32_t>(r));
      EngineResult outcome;
      static_cast<void>(simulate(scenario, workload, &outcome));
      std::string text;
      if (schedule != nullptr) {
        tables.append_schedule(text, r, workload, outcome);
        (*schedule)(text);
        text.clear();
      }
      if (series != nullptr) {
        tables.append_time_series(text, r, workload, outcome);
        (*series)(text);
      }
    }
    stop_here();
  };
  with_file(a.schedule, [&](const TextSink* schedule) {
    with_file(a.time_series, [&](const TextSink* series) { write(schedule, series); });
  });
}

std::string quoted_command(const RunArguments& a) {
  if (a.from.store.empty()) return command_text("run", a.scenario, a.set, a.catalog);
  return command_text("run", a.scenario, a.set, a.catalog) +
         fmt::format(" --from-study {} --candidate {} --replication {}", shell_quoted(a.from.store),
                     shell_quoted(a.from.candidate), a.from.replication);
}

/// What the run found of its own length.
struct FoundLength {
  std::optional<WarmUpFound> warm_up;
  std::optional<PrecisionReached> precision;
};

Dossier dossier_of(const RunArguments& a, const LoadedScenario& loaded, const CandidateResult& result,
                   const OfferedLoad& demand, const FoundLength& length) {
  StudyResult study;
  study.warm_up = length.warm_up;
  study.precision = length.precision;
  study.objective = loaded.scenario.study.objective;
  study.ks = objective_ks(loaded.scenario);
  for (const NodePool& pool : loaded.scenario.pools) study.pool_names.push_back(pool.name);
  study.existing_pools = static_cast<int>(loaded.scenario.pools.size() - bought_pools(loaded.scenario));
  study.scale_pool = loaded.scenario.pools[index(scale_pool(loaded.scenario))].name;
  study.candidates = {result};
  study.demand = demand;
  study.replications = loaded.scenario.time.replications;
  study.first_order_share = demand.s;
  Dossier dossier = make_dossier(loaded.scenario, study, 0);
  dossier.kind = "run";
  dossier.version = FLEETSIM_VERSION;
  dossier.scenario_sha256 = loaded.sha256;
  dossier.canonical_scenario = loaded.canonical;
  dossier.command = quoted_command(a);
  return dossier;
}

/// No output may be written over the trace that the scenario reads.
void refuse_own_trace(const RunArguments& a, const Scenario& scenario) {
  const std::string& trace = scenario.workload.trace_file;
  if (trace.empty()) return;
  const std::string read = (fs::path(a.scenario).parent_path() / trace).string();
  for (const auto& [option, file] : {std::pair{"--schedule", a.schedule}, {"--time-series", a.time_series}})
    refuse_same_file({{"the scenario's trace", read}, {option, file}});
}

/// The scenario to be run, from its file or from a study. Empty: there were errors, all told.
std::optional<LoadedScenario> scenario_of(const RunArguments& a, std::optional<StoredRun>& stored) {
  if (a.from.store.empty()) return open_scenario(a.scenario, a.set, a.catalog);
  auto row = find_row(a.from);
  if (!row) return std::nullopt;
  stored = std::move(row->stored);
  return std::move(row->scenario);
}

int run_command(const Arguments& arguments) {
  const auto parsed = parse_run(arguments);
  if (!parsed) return kFine;
  const RunArguments& a = *parsed;
  std::optional<StoredRun> stored;
  auto loaded = scenario_of(a, stored);
  if (!loaded) return kWrongInput;
  Scenario& scenario = loaded->scenario;
  refuse_own_trace(a, scenario);
  if (a.dump != "scenario" && a.dump != "fabric" && a.dump != "jobs") refuse_unbuilt(scenario);
  if (stored) scenario.time.precision = 0.0;  // one row, as it was
  std::optional<WarmUpFound> warm_up;
  if (a.dump != "scenario" && a.dump != "fabric") warm_up = settle_warm_up_of_run(scenario);
  if (!a.dump.empty()) {
    dump(a, *loaded);
    return kFine;
  }

  make_folder(a.out);
  const fs::path file = fs::path(a.out) / "result.json";
  for (const fs::path& path : {file, fs::path(a.schedule), fs::path(a.time_series)})
    if (!path.empty()) expect_writable(path);
  MeasuredRuns measured;
  {
    // A study simulates without its own section, so that a row serves any k; summarise_candidate() puts k in.
    const Scenario simulated = stored ? studied_scenario(scenario) : scenario;
    Progress progress("run");
    measured = measured_runs(scenario, simulated, a.first, a.threads,
                             [&](const StudyProgress& p) { progress.update(p.done, p.total); });
  }
  const std::vector<RunResult>& runs = measured.runs;
  if (static_cast<int>(runs.size()) < scenario.time.replications) {
    note(fmt::format("fleetsim: interrupted after {} of {} replications; nothing was written", runs.size(),
                     scenario.time.replications));
    return kInterrupted;
  }
  const CandidateResult result = summarise_candidate(scenario, runs, objective_ks(scenario));
  const OfferedLoad demand = offered_load(scenario);
  const Dossier dossier = dossier_of(a, *loaded, result, demand, {warm_up, measured.precision});
  RunReport report{*loaded, result, demand, dossier, scenario_findings(scenario), {}};
  if (stored) {
    report.from_study = ComparedRow{a.from.store,
                                    stored->label,
                                    stored->replication,
                                    stored->replay_hash,
                                    difference(*stored, runs.front()),
                                    !a.scenario.empty()};
  }
  const std::string json = run_json(report);
  write_tables(a, scenario);
  write_file(file, json);
  std::string files = file.string();
  for (const std::string& table : {a.schedule, a.time_series})
    if (!table.empty()) files += ", " + table;
  print(a.format == "json" ? json : fmt::format("{}Files: {}\n", run_text(report), files));
  return report.from_study && !report.from_study->difference.empty() ? kAnsweredNo : kFine;
}

const RegisterCommand kRun{{"run", "simulates the fleet of one scenario", 20, run_command}};

}  // namespace

}  // namespace fleetsim::cli
