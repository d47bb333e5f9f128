#include "sim/cli/from_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sim/cli/command.hpp"
#include "sim/cli/run_length.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/engine_id.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/record.hpp"
#include "sim/study/simulation.hpp"

namespace fleetsim::cli {

namespace {

/// A key may be cut down to this many letters.
constexpr std::size_t kShortestKey = 8;

struct Place {
  StoredStudy study;
  std::size_t candidate = 0;
  [[nodiscard]] const StoredStudy::Entry& entry() const { return study.candidates[candidate]; }
};

[[noreturn]] void refuse_label(const FromStudy& wanted, const std::vector<std::string>& labels) {
  const std::string near = did_you_mean(wanted.candidate, labels);
  const std::string list = fmt::format("candidates are: {}", fmt::join(labels, ", "));
  throw UsageError(fmt::format("no candidate of {} is called '{}'", wanted.store, wanted.candidate),
                   near.empty() ? list : fmt::format("did you mean '{}'? {}", near, list));
}

/// Studies of this build go before those of others.
Place find_candidate(const FromStudy& wanted, const ResultStore& store) {
  std::vector<StoredStudy> studies = store.studies();
  std::stable_partition(studies.begin(), studies.end(),
                        [](const StoredStudy& s) { return s.engine == engine_id(); });
  std::vector<Place> places;
  std::vector<std::string> labels;
  for (const StoredStudy& study : studies) {
    for (std::size_t i = 0; i < study.candidates.size(); ++i) {
      const std::string &key = study.candidates[i].key, &label = study.candidates[i].label;
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
      const bool by_key = wanted.candidate.size() >= kShortestKey && key.starts_with(wanted.candidate);
      if (label != wanted.candidate && !by_key) continue;
      const bool known =
          std::any_of(places.begin(), places.end(), [&](const Place& p) { return p.entry().key == key; });
      if (!known) places.push_back({study, i});
    }
  }
  if (places.empty()) refuse_label(wanted, labels);
  if (places.size() > 1) {
    std::vector<std::string> keys;
    for (const Place& p : places)
      keys.push_back(fmt::format("{} ({})", p.entry().key.substr(0, 12), p.study.name));
    throw UsageError(fmt::format("{} holds several studies, and '{}' stands for several candidates",
                                 wanted.store, wanted.candidate),
                     fmt::format("give --candidate one of the keys {}", fmt::join(keys, ", ")));
  }
  return places.front();
}

StoredRun find_run(const FromStudy& wanted, const ResultStore& store, const Place& place) {
  const auto& [key, label] = place.entry();
  if (auto run = store.find(key, engine_id(), wanted.replication)) return *std::move(run);
  const std::vector<int> present = store.replications(key);
  if (present.empty() && place.study.engine != engine_id() &&
      store.find(key, place.study.engine, wanted.replication)) {
    throw UsageError(
        fmt::format("{} was simulated by another build of fleetsim (engine {}, this is {}), which may "
                    "give another result",
                    label, place.study.engine, engine_id()),
        "use that build, or run the study again");
  }
  throw UsageError(fmt::format("{} holds no replication {} of {}", wanted.store, wanted.replication, label),
                   present.empty() ? "none is there yet; 'fleetsim study' simulates them"
                                   : fmt::format("{} are there, from {} to {}", present.size(),
                                                 present.front(), present.back()));
}

std::optional<LoadedScenario> load(const FromStudy& wanted, const StoredStudy& study) {
  if (!wanted.scenario.empty()) return open_scenario(wanted.scenario, wanted.set, wanted.catalog);
  LoadOptions options;
  options.catalog_folder = wanted.catalog;
  Diagnostics diagnostics;
  auto loaded = load_scenario_text("scenario-in-the-store.yaml", study.scenario, options, diagnostics);
  if (report(diagnostics, study.scenario) != kFine || !loaded) {
    note(
        "fleetsim: the scenario text in the store cannot be read alone; give the file: fleetsim run SCENARIO "
        "--from-study ..., and --catalog where the study had one");
    return std::nullopt;
  }
  return loaded;
}

struct LabelledFleet {
  std::vector<int> counts;
  SharingRule sharing{};
};
/// "12+4 overflow"
std::optional<LabelledFleet> fleet_of(const std::string& label, std::size_t pools) {
  LabelledFleet fleet;
  const std::size_t space = label.find(' ');
  if (space == std::string::npos) return std::nullopt;
  const std::string rule = label.substr(space + 1);
  bool known = false;
  for (const SharingRule r :
       {SharingRule::strict, SharingRule::overflow, SharingRule::preempt, SharingRule::one_pool}) {
    if (rule != to_string(r)) continue;
    fleet.sharing = r;
    known = true;
  }
  for (std::size_t at = 0; at < space;) {
    const std::size_t end = std::min(label.find('+', at), space);
    int count = 0;
    const auto [last, error] = std::from_chars(label.data() + at, label.data() + end, count);
    if (error != std::errc{} || last != label.data() + end) return std::nullopt;
    fleet.counts.push_back(count);
    at = end + 1;
  }
  if (!known || fleet.counts.size() != pools) return std::nullopt;
  return fleet;
}

}  // namespace

std::optional<StudiedRow> find_row(const FromStudy& wanted) {
  const ResultStore store(wanted.store, engine_id(), ResultStore::Mode::read_only);
  if (store.studies().empty())
    throw UsageError(fmt::format("{} holds no study yet", wanted.store), "'fleetsim study' fills it");
  const Place place = find_candidate(wanted, store);
  StudiedRow row;
  row.stored = find_run(wanted, store, place);
  auto loaded = load(wanted, place.study);
  if (!loaded) return std::nullopt;
  settle_warm_up(loaded->scenario, wanted.catalog, 0);
  const auto source = candidates_of(studied_scenario(loaded->scenario), wanted.catalog);
  const auto found = [&](Candidate c) {
    if (c.key != place.entry().key) return false;
    row.scenario.scenario = std::move(c.scenario);
    row.scenario.scenario.study = loaded->scenario.study;
    row.scenario.scenario.time.replications = 1;
    row.scenario.canonical = dump_scenario(row.scenario.scenario);
    row.scenario.sha256 = sha256_hex(row.scenario.canonical);
    return true;
  };
  for (std::size_t i = 0; i < source->size(); ++i)
    if (found(source->make(i))) return row;
  // A fleet that only drawn prices make is none of the source's own; its label names it.
  if (const auto fleet = fleet_of(place.entry().label, loaded->scenario.pools.size()))
    if (found(source->fleet(fleet->counts, fleet->sharing))) return row;
  throw UsageError(
      fmt::format("{} of {} was studied with another scenario, catalogue or trace than is here now",
                  place.entry().label, wanted.store),
      "give the study's own SCENARIO, --set and --catalog");
}

std::string difference(const StoredRun& stored, const RunResult& run) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (stored.replay_hash != run.replay_hash)
    add(fmt::format("replay hash {:016x}, stored {:016x}", run.replay_hash, stored.replay_hash));
  if (stored.events != run.events) add(fmt::format("{} events, stored {}", run.events, stored.events));
  if (stored.metrics != encode_metrics(run.metrics)) add("the metrics differ");
  return text;
}

}  // namespace fleetsim::cli
