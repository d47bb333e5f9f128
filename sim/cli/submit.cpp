// fleetsim submit: a study as a Slurm job array over its shards, and a merge job after it. docs/submit.md
#include "sim/cli/submit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/tool.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/run_length.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/study_setup.hpp"
#include "sim/cli/submit_scripts.hpp"
#include "sim/cli/table.hpp"
#include "sim/study/engine_id.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr const char* kSeeSubmit = "see 'fleetsim submit --help'";

/// Of sbatch's options those that a study can need and that do not change what the scripts rely on.
const std::vector<std::string>& passed_on() {
  static const std::vector<std::string> all{
      "cluster-constraint", "comment",   "constraint",  "cpus-per-task", "exclude", "licenses",
      "mail-type",          "mail-user", "mem",         "mem-per-cpu",   "nice",    "nodelist",
      "priority",           "qos",       "reservation", "signal",        "tmp",     "wckey"};
  return all;
}

/// A value stands in an #SBATCH line, where blanks, quotes and '#' have a meaning.
void add_option(SlurmOptions& options, const std::string& as_given, const std::string& name,
                const std::string& value) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string("_.,:@/+=*&|()[]%-").find(static_cast<char>(c)) != std::string::npos;
  };
  if (value.empty() || !std::all_of(value.begin(), value.end(), plain))
    throw UsageError(fmt::format("{} '{}' holds a blank or another character that cannot stand in a line of "
                                 "#SBATCH options",
                                 as_given, printable(value)),
                     kSeeSubmit);
  if (std::any_of(options.begin(), options.end(), [&](const auto& o) { return o.first == name; }))
    throw UsageError(fmt::format("{} is given twice", as_given), "leave one of them out");
  options.emplace_back(name, value);
}

void add_sbatch_option(SlurmOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (std::find(passed_on().begin(), passed_on().end(), name) == passed_on().end()) {
    std::string all;
    for (const std::string& one : passed_on()) all += (all.empty() ? "" : ", ") + one;
    const std::string near = did_you_mean(name, passed_on());
    throw UsageError(fmt::format("--sbatch-option '{}' is none that is passed on", printable(name)),
                     near.empty() ? fmt::format("one of: {}", all) : fmt::format("did you mean '{}'?", near));
  }
  if (equals == std::string::npos)
    throw UsageError(fmt::format("--sbatch-option '{}' has no value", name),
                     fmt::format("as in --sbatch-option {}=...", name));
  add_option(options, "--sbatch-option " + name, name, text.substr(equals + 1));
}

/// As text, before they are judged.
struct Words {
  std::string shards, seed, replications, partition, time_limit, account, at_once, go_on;
  std::vector<std::string> sbatch;
};

CommandLine command_line(SubmitArguments& a, Words& w) {
  CommandLine line(
      "submit", "SCENARIO --shards N [options]\n       fleetsim submit --resubmit --out DIR [options]",
      "Runs a study on a Slurm cluster: one job array, whose task K simulates shard K of N, and a merge\n"
      "job after it, which joins the shards' stores in DIR/study.db, says what is missing, and writes\n"
      "study.json and candidates.csv when nothing is. DIR must be on a disk that all nodes see; scenario\n"
      "and catalogue are copied there, so that a later edit changes nothing. With --resubmit only shards\n"
      "whose store is missing, incomplete or damaged run again; options of Slurm given then replace the\n"
      "earlier ones. docs/submit.md tells more.",
      "fleetsim submit scenarios/lab-66-33.yaml --shards 40 --partition cpu --time-limit '2 h' --out out");
  line.options.add_options()("scenario", po::value(&a.scenario), "")(
      "shards", po::value(&w.shards)->value_name("N"), "tasks of the job array")(
      "out", po::value(&a.out)->default_value("out")->value_name("DIR"), "folder of everything")(
      "dry-run", po::bool_switch(&a.dry_run), "prints the scripts and submits nothing")(
      "resubmit", po::bool_switch(&a.resubmit), "only the shards that failed, and a new merge")(
      "continue", po::value(&w.go_on)->value_name("DIR"), "what the merge job calls: joins what is there")(
      "partition", po::value(&w.partition)->value_name("P"), "Slurm's partition")(
      "time-limit", po::value(&w.time_limit)->value_name("T"), "of each task: '2 h', or as Slurm writes it")(
      "account", po::value(&w.account)->value_name("A"), "Slurm's account")(
      "at-once", po::value(&w.at_once)->value_name("N"), "so many tasks of the array at a time")(
      "sbatch-option", po::value(&w.sbatch)->composing()->value_name("NAME=VALUE"),
      "passed to sbatch: cpus-per-task (the threads of a task, 1 by default), mem, qos, constraint, ...; "
      "repeatable")("set", po::value(&a.set)->composing()->value_name("PATH=VALUE"),
                    "changes a key of the scenario; repeatable")(
      "replications", po::value(&w.replications)->value_name("N"), "instead of time.replications")(
      "seed", po::value(&w.seed)->value_name("N"), "instead of the scenario's seed")(
      "catalog", po::value(&a.catalog)->value_name("DIR"), "added to the built-in catalogue")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed");
  line.positional.add("scenario", 1);
  return line;
}

/// Texts to values. `go_on`: the folder of --continue.
void judge(const Words& w, SubmitArguments& a) {
  constexpr std::int64_t kMostShards = 1'000'000;
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), kSeeSubmit);
  set_seed_and_replications(w.seed, w.replications, kSeeSubmit, a.set);
  if (!w.shards.empty())
    a.shards = static_cast<int>(whole_number("shards", w.shards, 1, kMostShards, kSeeSubmit));
  if (!w.at_once.empty())
    a.at_once = static_cast<int>(whole_number("at-once", w.at_once, 1, kMostShards, kSeeSubmit));
  if (!w.partition.empty()) add_option(a.options, "--partition", "partition", w.partition);
  if (!w.time_limit.empty())
    add_option(a.options, "--time-limit", "time", slurm_time("time-limit", w.time_limit, kSeeSubmit));
  if (!w.account.empty()) add_option(a.options, "--account", "account", w.account);
  for (const std::string& option : w.sbatch) add_sbatch_option(a.options, option);
}

void refuse_taken_folder(const SubmitFolder& folder, const LoadedScenario& loaded, int shards) {
  const std::string where = shown(folder.root);
  if (const auto record = read_submission(folder)) {
    if (record->scenario_sha256 == loaded.sha256 && record->engine == engine_id())
      throw UsageError(fmt::format("{} holds this study, submitted already in {}", where,
                                   counted(record->shards, "shard")),
                       "--resubmit submits what failed; another --out begins anew");
    throw UsageError(fmt::format("{} holds another study: '{}', scenario {}, engine {} (this is {}, {})",
                                 where, shown(record->study), record->scenario_sha256.substr(0, 12),
                                 record->engine, loaded.sha256.substr(0, 12), engine_id()),
                     "give another --out");
  }
  std::vector<fs::path> taken{folder.store(), folder.root / "study.json", folder.root / "candidates.csv"};
  for (int k = 1; k <= shards; ++k) taken.push_back(folder.shard_store(1, k));
  for (const fs::path& path : taken) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    throw UsageError(fmt::format("{} holds results that were not submitted from here: {}", where,
                                 shown(path.lexically_relative(folder.root))),
                     "give another --out");
  }
}

bool looks_like_yaml(const fs::path& file) {
  std::string end = file.extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end == ".yaml" || end == ".yml";
}

/// What a catalogue folder is read from: KIND/NAME.yaml.
void copy_catalog(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::create_directories(to);
  for (const auto& kind : fs::directory_iterator(from)) {
    if (!kind.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(kind.path())) {
      if (!file.is_regular_file() || !looks_like_yaml(file.path())) continue;
      fs::create_directories(to / kind.path().filename());
      write_file(to / kind.path().filename() / file.path().filename(), read_file(file.path()));
    }
  }
}

/// The canonical text, which is the same scenario wherever the folder is read. A trace inside the scenario's
/// folder is copied with it; another one is named by its absolute path.
std::string copied_scenario(const SubmitArguments& a, const SubmitFolder& folder,
                            const LoadedScenario& loaded) {
  const fs::path trace = loaded.scenario.workload.trace_file;
  if (trace.empty()) return loaded.canonical;
  const fs::path from = fs::absolute(fs::path(a.scenario).parent_path() / trace);
  const fs::path to = (folder.work() / trace).lexically_normal();
  const bool inside =
      trace.is_relative() && std::find(trace.begin(), trace.end(), fs::path("..")) == trace.end();
  if (!inside) {
    Scenario absolute = loaded.scenario;
    absolute.workload.trace_file = from.lexically_normal().string();
    return dump_scenario(absolute);
  }
  make_folder(to.parent_path());
  write_file(to, read_file(from));
  return loaded.canonical;
}

/// Scenario, catalogue and trace as they are now.
void keep_copies(const SubmitArguments& a, const SubmitFolder& folder, const LoadedScenario& loaded,
                 Submission& record) {
  make_folder(folder.root);
  make_folder(folder.log());
  const std::string text = copied_scenario(a, folder, loaded);
  write_file(folder.scenario(), text);
  record.copy_sha256 = sha256_hex(text);
  record.catalog = !a.catalog.empty();
  if (record.catalog) copy_catalog(a.catalog, folder.catalog());
}

std::int64_t simulations_of(const LoadedScenario& loaded, const SubmitFolder& folder) {
  Scenario scenario = loaded.scenario;
  settle_warm_up(scenario, {}, 0);
  StudySetup setup = study_setup(scenario, folder.root, 1);
  setup.options.store.clear();
  std::int64_t runs = 0;
  for (const StudyPlan& plan : plan_parts(scenario, *setup.fleets, setup.cells.get(), setup.options))
    runs += plan.total();
  return runs;
}

int submit_new(const SubmitArguments& a) {
  if (a.scenario.empty()) throw UsageError("which scenario?", kSeeSubmit);
  if (a.shards == 0) throw UsageError("into how many --shards?", kSeeSubmit);
  const auto loaded = open_scenario(a.scenario, a.set, a.catalog);
  if (!loaded) return kWrongInput;
  refuse_unstudied(loaded->scenario);
  const SubmitFolder folder(a.out);
  if (folder.root.string().find('\\') != std::string::npos)
    throw UsageError(fmt::format("{}: Slurm writes no file into a folder with a backslash in its name",
                                 shown(folder.root)),
                     "give another --out");
  Submission record;
  record.simulations = simulations_of(*loaded, folder);
  if (record.simulations == 0)
    throw UsageError("the room and the rules admit no fleet, so nothing is simulated");
  if (a.shards > record.simulations)
    throw UsageError(fmt::format("--shards {}: the study has only {}", a.shards,
                                 counted(record.simulations, "simulation")),
                     "a shard should have minutes of work");
  refuse_taken_folder(folder, *loaded, a.shards);
  refuse_same_file({{"the scenario", a.scenario}, {"its copy", folder.scenario().string()}});
  record.engine = engine_id();
  record.study = loaded->scenario.name;
  record.scenario_sha256 = loaded->sha256;
  record.catalog = !a.catalog.empty();
  record.shards = a.shards;
  record.at_once = a.at_once.value_or(0);
  record.options = a.options;
  record.jobs.push_back({});
  for (int k = 1; k <= a.shards; ++k) record.jobs.back().shards.push_back(k);
  if (!a.dry_run) {
    require_tools({"sbatch", "scancel"});
    keep_copies(a, folder, *loaded, record);
  }
  return submit_jobs(folder, std::move(record), a.dry_run, a.format);
}

int submit(const Arguments& arguments) {
  SubmitArguments a;
  Words words;
  const CommandLine line = command_line(a, words);
  po::variables_map values;
  if (!line.parse(arguments, values)) return kFine;
  judge(words, a);
  if (words.go_on.empty()) return a.resubmit ? resubmit(a) : submit_new(a);
  for (const char* other : {"scenario", "shards", "resubmit", "dry-run", "set", "partition", "time-limit",
                            "account", "at-once", "sbatch-option", "replications", "seed", "catalog"})
    if (values.count(other) != 0 && !values[other].defaulted())
      throw UsageError(
          fmt::format("--continue takes no {}{}", std::string(other) == "scenario" ? "" : "--", other),
          kSeeSubmit);
  return continue_study(words.go_on, a.format);
}

const RegisterCommand kSubmit{{"submit", "runs a study as a job array of a Slurm cluster", 44, submit}};

}  // namespace

}  // namespace fleetsim::cli
