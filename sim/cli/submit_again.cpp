// After the shards: what is there is joined; what failed is submitted again.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/tool.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/run_length.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/study_setup.hpp"
#include "sim/cli/submit.hpp"
#include "sim/cli/table.hpp"
#include "sim/study/engine_id.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"
#include "sim/study/merge.hpp"

namespace fleetsim::cli {

namespace {

namespace fs = std::filesystem;
using Kind = ShardState::Kind;

std::string state_text(const ShardState& state) {
  switch (state.kind) {
    case Kind::missing:
      return "there is no store, its task did not begin";
    case Kind::incomplete:
      return fmt::format("{} of {} are stored", state.stored, counted(state.wanted, "run"));
    case Kind::damaged_part:
    case Kind::damaged_file:
      return "its store is damaged: " + state.why;
    case Kind::whole:
      return fmt::format("whole, {}", counted(state.wanted, "run"));
  }
  return {};
}

/// The store of a damaged file is kept under another name, and the shard begins anew.
void set_aside(const fs::path& store) {
  for (const char* tail : {"", "-wal", "-shm", "-journal"}) {
    const fs::path file = store.string() + tail;
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    fs::path kept = file.string() + ".damaged";
    for (int n = 2; fs::exists(kept, error); ++n) kept = fmt::format("{}.damaged-{}", file.string(), n);
    fs::rename(file, kept, error);
    if (error)
      throw EnvironmentError(
          fmt::format("cannot set the damaged store {} aside: {}", shown(file), error.message()));
    note(fmt::format("fleetsim: the damaged {} is kept as {}", shown(file), shown(kept.filename())));
  }
}

/// Two tasks on one store, on two machines, would destroy it.
void refuse_running(const SubmittedStudy& study) {
  const std::vector<std::string> queued = jobs_in_queue(job_ids(study.record), study.folder.work());
  if (queued.empty()) return;
  std::string all;
  for (std::size_t i = 0; i < std::min<std::size_t>(queued.size(), 5); ++i)
    all += (all.empty() ? "" : ", ") + queued[i];
  throw UsageError(fmt::format("jobs of this study still wait or run: {}{}", all,
                               queued.size() > 5 ? fmt::format(" and {} more", queued.size() - 5) : ""),
                   "wait for their end, or cancel them with scancel");
}

/// Options given now replace those of the same name.
void update_options(const SubmitArguments& a, Submission& record) {
  for (const auto& [name, value] : a.options) {
    const auto same = std::find_if(record.options.begin(), record.options.end(),
                                   [&, key = name](const auto& o) { return o.first == key; });
    if (same == record.options.end()) {
      record.options.emplace_back(name, value);
    } else {
      same->second = value;
    }
  }
  if (a.at_once) record.at_once = *a.at_once;
}

/// A scenario that is given again must be the one that was submitted.
bool same_scenario(const SubmitArguments& a, const SubmittedStudy& study) {
  if (a.shards != 0 && a.shards != study.record.shards)
    throw UsageError(
        fmt::format("the study was cut into {}, not {}; which simulations are whose cannot change",
                    counted(study.record.shards, "shard"), a.shards),
        "leave --shards out");
  if (a.scenario.empty()) {
    if (!a.set.empty() || !a.catalog.empty())
      throw UsageError(
          "--set, --seed, --replications and --catalog belong to a scenario, and --resubmit takes "
          "the one that was submitted",
          "leave them out");
    return true;
  }
  const auto loaded = open_scenario(a.scenario, a.set, a.catalog);
  if (!loaded) return false;
  if (loaded->sha256 != study.record.scenario_sha256)
    throw UsageError(fmt::format("{} is not the scenario that was submitted to {}: {}, not {}", a.scenario,
                                 shown(study.folder.root), loaded->sha256.substr(0, 12),
                                 study.record.scenario_sha256.substr(0, 12)),
                     fmt::format("leave it out: {} is used", shown(study.folder.scenario())));
  return true;
}

/// The final study, which finds every run in the store: as `fleetsim study` by hand.
int conclude(const SubmittedStudy& study, const std::string& format) {
  Arguments arguments{study.folder.scenario().string(),
                      "--out",
                      study.folder.root.string(),
                      "--format",
                      format,
                      "--threads",
                      "1"};
  if (study.record.catalog) arguments.insert(arguments.end(), {"--catalog", study.folder.catalog().string()});
  for (const Command& command : commands())
    if (command.name == "study") return command.run(arguments);
  return kEnvironment;
}

std::string states_json(const SubmittedStudy& study, const std::vector<ShardState>& states,
                        const MergeResult& merged) {
  nlohmann::json shards = nlohmann::json::array();
  for (std::size_t i = 0; i < states.size(); ++i)
    shards.push_back({{"shard", i + 1},
                      {"state", to_string(states[i].kind)},
                      {"stored", states[i].stored},
                      {"wanted", states[i].wanted},
                      {"why", states[i].why}});
  const nlohmann::json j = {{"folder", study.folder.root.string()},
                            {"round", study.record.round()},
                            {"runs", merged.runs},
                            {"total", study.record.simulations},
                            {"unfinished", unfinished(states)},
                            {"shards", std::move(shards)}};
  return j.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

MergeResult join(const SubmittedStudy& study, const std::vector<ShardState>& states) {
  std::vector<std::string> stores;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].can_join)
      stores.push_back(study.folder.shard_store(study.record.round(), static_cast<int>(i) + 1).string());
  if (stores.empty()) return {};
  try {
    return merge_stores(stores, study.folder.store(), &interrupted());
  } catch (const MergeRefused& e) {
    throw UsageError(e.what(), fmt::format("{} was not changed", shown(study.folder.store())));
  }
}

/// What follows from the joined store.
std::vector<StudyPlan> plan_of_store(const SubmittedStudy& study) {
  StudySetup setup = study_setup(study.scenario.scenario, study.folder.root, 1);
  setup.options.store = study.folder.store().string();
  return plan_parts(study.scenario.scenario, *setup.fleets, setup.cells.get(), setup.options);
}

int submit_next_round(SubmittedStudy& study, int round, const std::vector<StudyPlan>& plans,
                      const std::string& format) {
  if (round <= study.record.round())
    throw EnvironmentError(fmt::format("{} lacks rows of round {} although all of its shards are whole",
                                       shown(study.folder.store()), round));
  require_tools({"sbatch", "scancel"});
  study.record.simulations = 0;
  for (const StudyPlan& plan : plans) study.record.simulations += plan.total();
  study.record.jobs.push_back({round, {}, {}, {}});
  study.record.jobs.back().shards =
      unfinished(shard_states(study));  // a small round has none for some shards
  return submit_jobs(study.folder, study.record, false, format);
}

}  // namespace

SubmittedStudy open_submitted(const SubmitFolder& folder) {
  auto record = read_submission(folder);
  if (!record)
    throw UsageError(
        fmt::format("nothing was submitted in {}: there is no submission.json", shown(folder.root)),
        "fleetsim submit SCENARIO --shards N --out DIR");
  if (record->engine != engine_id())
    throw UsageError(
        fmt::format("{} was submitted by another build of fleetsim (engine {}, this is {}), whose "
                    "results do not mix",
                    shown(folder.root), record->engine, engine_id()),
        "use that build, or submit anew to another --out");
  if (sha256_hex(read_file(folder.scenario())) != record->copy_sha256)
    throw UsageError(fmt::format("{} was changed after it was submitted", shown(folder.scenario())),
                     "submit the changed scenario to another --out");
  auto loaded = open_scenario(folder.scenario().string(), {},
                              record->catalog ? folder.catalog().string() : std::string{});
  if (!loaded) throw UsageError(fmt::format("{} cannot be read any more", shown(folder.scenario())));
  settle_warm_up(loaded->scenario, record->catalog ? folder.catalog().string() : std::string{}, 0);
  return {folder, *std::move(record), *std::move(loaded)};
}

std::vector<ShardState> shard_states(const SubmittedStudy& study) {
  StudySetup setup = study_setup(study.scenario.scenario, study.folder.root, 1);
  const int round = study.record.round();
  std::vector<ShardState> states;
  for (int k = 1; k <= study.record.shards; ++k) {
    setup.options.shard = {k, study.record.shards};
    setup.options.store = study.folder.shard_store(round, k).string();
    states.push_back(shard_state(study.scenario.scenario, *setup.fleets, setup.cells.get(), setup.options,
                                 round, study.folder.store().string()));
  }
  return states;
}

std::vector<int> unfinished(const std::vector<ShardState>& states) {
  std::vector<int> shards;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].kind != Kind::whole) shards.push_back(static_cast<int>(i) + 1);
  return shards;
}

std::string unfinished_text(const SubmittedStudy& study, const std::vector<ShardState>& states) {
  constexpr std::size_t kMostLines = 50;
  std::string text;
  const std::vector<int> shards = unfinished(states);
  const int round = study.record.round();
  for (std::size_t i = 0; i < std::min(kMostLines, shards.size()); ++i) {
    const int k = shards[i];
    std::error_code ignored;
    const std::string log =
        fmt::format("submit/log/{}shard-{}.txt", round > 1 ? fmt::format("round-{}-", round) : "", k);
    text += fmt::format("  shard {}: {}{}\n", k, state_text(states[static_cast<std::size_t>(k) - 1]),
                        fs::exists(study.folder.root / log, ignored) ? "; see " + log : "");
  }
  if (shards.size() > kMostLines)
    text +=
        fmt::format("  and {}\n", counted(static_cast<long long>(shards.size() - kMostLines), "more shard"));
  return text;
}

int resubmit(const SubmitArguments& a) {
  SubmittedStudy study = open_submitted(SubmitFolder(a.out));
  if (!same_scenario(a, study)) return kWrongInput;
  if (!a.dry_run) {
    require_tools({"sbatch", "scancel", "squeue"});
    refuse_running(study);
  }
  const std::vector<ShardState> states = shard_states(study);
  const std::vector<int> shards = unfinished(states);
  std::error_code ignored;
  if (shards.empty() && fs::exists(study.folder.root / "study.json", ignored)) {
    print(fmt::format("All {} are whole, and {} is there: nothing is submitted\n",
                      counted(study.record.shards, "shard"), shown(study.folder.root / "study.json")));
    return kFine;
  }
  note(shards.empty() ? "fleetsim: all shards are whole; the merge alone is submitted"
                      : "fleetsim: not whole:\n" + unfinished_text(study, states));
  const int round = study.record.round();
  for (const int k : shards)
    if (!a.dry_run && states[static_cast<std::size_t>(k) - 1].kind == Kind::damaged_file)
      set_aside(study.folder.shard_store(round, k));
  update_options(a, study.record);
  study.record.jobs.push_back({round, shards, {}, {}});
  return submit_jobs(study.folder, study.record, a.dry_run, a.format);
}

int continue_study(const std::string& out, const std::string& format) {
  SubmittedStudy study = open_submitted(SubmitFolder(out));
  const std::vector<ShardState> states = shard_states(study);
  const std::vector<int> shards = unfinished(states);
  const MergeResult merged = join(study, states);
  const std::vector<StudyPlan> plans = plan_of_store(study);
  const PlannedRound round = planned_round(plans);
  const auto whole = static_cast<long long>(states.size() - shards.size());
  std::string text = round.number > 0 ? fmt::format("Round {}: ", study.record.round()) : std::string{};
  text += fmt::format(
      "{} of {} are whole; {} in {}\n{}", whole, counted(static_cast<long long>(states.size()), "shard"),
      round.number > 0 ? counted(merged.runs, "run")
                       : fmt::format("{} of {}", merged.runs, counted(study.record.simulations, "run")),
      shown(study.folder.store()), unfinished_text(study, states));
  if (!shards.empty()) {
    print(format == "json" ? states_json(study, states, merged)
                           : text + fmt::format("To go on: fleetsim submit --resubmit --out {}\n",
                                                shell_quoted(study.folder.root.string())));
    return kAnsweredNo;
  }
  if (format == "text") print(text + "\n");
  if (round.number > 0 && !round.complete) return submit_next_round(study, round.number, plans, format);
  return conclude(study, format);
}

}  // namespace fleetsim::cli
