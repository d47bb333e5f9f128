#include "sim/study/completion.hpp"

#include <fmt/format.h>

#include "sim/study/errors.hpp"
#include "sim/study/shard.hpp"
#include "sim/study/simulation.hpp"

namespace fleetsim {

Candidate candidate_at(const Scenario& base, const CandidateSource& source, std::size_t i) {
  Candidate c = source.make(i);
  c.scenario.study = base.study;
  c.scenario.time.replications = base.time.replications;
  return c;
}

StoredStudy describe(const Scenario& base, const CandidateSource& source, const StudyOptions& options) {
  StoredStudy study{options.engine,         base.name, options.scenario, options.scenario_sha256, base.seed,
                    base.time.replications, {}};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Candidate c = source.make(i);
    study.candidates.push_back({c.key, unique_label(c)});
  }
  return study;
}

StudyOptions part(const StudyOptions& options, std::int64_t before, std::int64_t after) {
  StudyOptions made = options;
  if (options.progress)
    made.progress = [tell = options.progress, before, after](const StudyProgress& p) {
      tell({before + p.done, before + p.total + after});
    };
  return made;
}

namespace {

/// Hands over the runs of each candidate that the shard has any of, in order. Returns how many rows are
/// damaged or gone; damaged ones are removed from the store.
int read_back(const Scenario& base, const CandidateSource& source, const StudyOptions& options,
              ResultStore& store, const Visit& visit) {
  const auto n = static_cast<std::int64_t>(source.size());
  const PlaceRange range = places_of(options.shard, n * base.time.replications);
  int faults = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string key = source.make(i).key;
    std::vector<RunResult> runs;
    for (int r = 0; r < base.time.replications; ++r) {
      const std::int64_t place = r * n + static_cast<std::int64_t>(i);
      if (place < range.begin || place >= range.end) continue;
      try {
        auto run = store.get(key, r);
        if (run) runs.push_back(std::move(*run));
        faults += run ? 0 : 1;
      } catch (const DamagedRow&) {
        store.erase(key, r);
        ++faults;
      }
    }
    if (faults == 0) visit(i, std::move(runs));
  }
  return faults;
}

}  // namespace

void tell_faults(const StudyOptions& options, int faults) {
  if (options.note)
    options.note(fmt::format("{}: {} damaged run{} removed and simulated again", options.store, faults,
                             faults == 1 ? " was" : "s were"));
}

void give_up(const StudyOptions& options) {
  throw EnvironmentError(fmt::format(
      "cannot use the results store {}: rows are damaged as soon as they are written", options.store));
}

std::optional<ShardResult> complete(const Scenario& base, const CandidateSource& source,
                                    const StudyOptions& options, ResultStore& store,
                                    const std::function<void()>& begin, const Visit& visit) {
  ShardResult result;
  result.total = static_cast<std::int64_t>(source.size()) * base.time.replications;
  for (int round = 0; round < kAttempts; ++round) {
    Simulation simulation(base, source, options, store);
    const bool all = simulation.run();
    result.wanted = simulation.wanted();
    result.simulated += simulation.simulated();
    if (!all) return std::nullopt;
    begin();
    const int faults = read_back(base, source, options, store, visit);
    if (faults == 0) return result;
    tell_faults(options, faults);
  }
  give_up(options);
}

void mend(ResultStore& store, const StudyOptions& options) {
  const ResultStore::Removed removed = store.remove_damaged();
  if (!options.note) return;
  if (removed.runs > 0)
    options.note(fmt::format("{}: {} damaged run{} removed and simulated again where this study needs {}",
                             options.store, removed.runs, removed.runs == 1 ? " was" : "s were",
                             removed.runs == 1 ? "it" : "them"));
  if (removed.studies > 0)
    options.note(
        fmt::format("{}: {} removed: damaged; the command of that study writes it again", options.store,
                    removed.studies == 1 ? "the entry of 1 study was"
                                         : fmt::format("the entries of {} studies were", removed.studies)));
}

void tell_others(const ResultStore& store, const StudyOptions& options) {
  const std::int64_t others = store.rows_of_other_engines();
  if (others > 0 && options.note) {
    options.note(fmt::format("{}: {} run{} of another build of fleetsim {} not used (this is engine {})",
                             options.store, others, others == 1 ? "" : "s", others == 1 ? "is" : "are",
                             options.engine));
  }
}

}  // namespace fleetsim
