#include "sim/study/run_rounds.hpp"

#include <algorithm>

#include "sim/study/completion.hpp"
#include "sim/study/simulation.hpp"

namespace fleetsim {

namespace {

/// A round, or the shard's part of it. Empty: stopped.
std::optional<std::int64_t> simulate_round(const StudyRounds& rounds, const StudyOptions& options,
                                           std::int64_t before, std::int64_t after, ResultStore& store) {
  std::int64_t simulated = 0;
  std::int64_t left = rounds.runs(options.shard);
  for (const StudyRounds::Part& p : rounds.parts()) {
    const Scenario base = rounds.base_of(p);
    const SomeCandidates source = rounds.candidates_of(p);
    store.note(describe(base, source, options));
    const std::int64_t mine = places_of(options.shard, p.runs()).size();
    left -= mine;
    const StudyOptions of_part = part(options, before, left + after);
    Simulation simulation(base, source, of_part, store, p.from);
    const bool all = simulation.run();
    simulated += simulation.simulated();
    if (!all) return std::nullopt;
    before += mine;
  }
  return simulated;
}

/// Over the rounds that the store holds whole.
void catch_up(StudyRounds& rounds, ResultStore& store, bool may_write) {
  while (!rounds.complete() && rounds.advance(store, may_write) == 0) {
  }
}

}  // namespace

std::optional<std::int64_t> run_rounds(StudyRounds& rounds, const StudyOptions& options, std::int64_t after,
                                       ResultStore& store) {
  std::int64_t all = 0;
  int attempts = 0;
  while (!rounds.complete()) {
    const std::int64_t of_round = rounds.runs();
    if (!simulate_round(rounds, options, all, after, store)) return std::nullopt;
    const int faults = rounds.advance(store, true);
    if (faults == 0) {
      all += of_round;
      attempts = 0;
      continue;
    }
    tell_faults(options, faults);
    if (++attempts == kAttempts) give_up(options);
  }
  return all;
}

std::optional<ShardResult> run_shard_of_round(const Scenario& base, const CandidateSource& source,
                                              const StudyOptions& options, std::int64_t after,
                                              ResultStore& store) {
  StudyRounds rounds(base, source);
  catch_up(rounds, store, true);
  ShardResult result;
  result.complete = rounds.complete();
  result.round = rounds.complete() ? rounds.round() - 1 : rounds.round();
  result.total = rounds.runs();
  result.wanted = rounds.runs(options.shard);
  for (const StudyRounds::Part& p : rounds.parts())
    result.candidates += static_cast<int>(p.candidates.size());
  const auto simulated = simulate_round(rounds, options, 0, after, store);
  if (!simulated) return std::nullopt;
  result.simulated = *simulated;
  result.round_whole = rounds.complete() || rounds.advance(store, true) == 0;
  result.complete = rounds.complete();
  return result;
}

void plan_round(const Scenario& base, const CandidateSource& source, const Shard& shard, ResultStore* store,
                StudyPlan& plan) {
  StudyRounds rounds(base, source);
  if (store != nullptr) catch_up(rounds, *store, false);
  plan.complete = rounds.complete();
  plan.round = rounds.complete() ? std::max(1, rounds.round() - 1) : rounds.round();
  plan.round_runs = rounds.runs();
  plan.cap = rounds.settings().cap;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string& reason = rounds.beforehand()[i];
    if (!reason.empty()) plan.not_simulated.push_back({unique_label(source.make(i)), reason});
  }
  plan.replications = 0;
  for (const StudyRounds::Part& p : rounds.parts()) {
    plan.replications = std::max(plan.replications, p.to);
    const auto n = static_cast<std::int64_t>(p.candidates.size());
    const PlaceRange range = places_of(shard, p.runs());
    for (std::int64_t i = 0; i < n; ++i) {
      const Candidate c = source.make(p.candidates[static_cast<std::size_t>(i)]);
      StudyPlan::Row row{unique_label(c), 0, 0};
      const std::vector<int> present = store != nullptr ? store->replications(c.key) : std::vector<int>{};
      for (int r = p.from; r < p.to; ++r) {
        const std::int64_t place = (r - p.from) * n + i;
        if (place < range.begin || place >= range.end) continue;
        ++row.wanted;
        row.stored += std::binary_search(present.begin(), present.end(), r) ? 1 : 0;
      }
      plan.rows.push_back(std::move(row));
    }
  }
}

}  // namespace fleetsim
