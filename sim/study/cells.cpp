#include "sim/study/cells.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "sim/study/completion.hpp"
#include "sim/study/map_of_cells.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/store.hpp"
#include "sim/study/study_rounds.hpp"

namespace fleetsim {

namespace {

/// `split-map, s=20 %, load=0.5`: what the store calls the study of a cell.
std::string cell_name(const Scenario& base, const CellSource& cells, std::size_t i) {
  return base.name + ", " + point_text(cells.axes(), cells.at(i));
}

Cell made(const Scenario& base, const CellSource& cells, std::size_t i) {
  Cell cell = cells.make(i);
  cell.scenario.name = cell_name(base, cells, i);
  return cell;
}

/// The parts of a cell are dealt out one further than those of the cell before, or the same shards would have
/// the larger part of every cell.
Shard shard_of(const Shard& shard, std::size_t i) {
  const auto count = static_cast<std::size_t>(shard.count);
  return {static_cast<int>((static_cast<std::size_t>(shard.index) + i) % count) + 1, shard.count};
}

/// Of cell i.
StudyOptions options_of(const Cell& cell, std::size_t i, const StudyOptions& options) {
  StudyOptions own = options;
  own.shard = shard_of(options.shard, i);
  own.scenario = cell.text;
  own.scenario_sha256 = cell.text_sha256;
  return own;
}

std::int64_t runs_of(const Cell& cell, const Shard& shard) {
  const auto candidates = static_cast<std::int64_t>(cell.candidates->size());
  return places_of(shard, candidates * cell.scenario.time.replications).size();
}

/// Progress over base and cells: the base is told with what the cells add, known when they were noted.
class Whole {
 public:
  Whole(const StudyOptions& options, std::int64_t cells) : options_(options), after_(cells) {}

  /// Options of the next part, of which `runs` follow behind it no more.
  StudyOptions part(std::int64_t runs) {
    StudyOptions own = options_;
    after_ -= runs;
    if (options_.progress)
      own.progress = [this, before = before_, after = after_](const StudyProgress& p) {
        before_ = before + p.total;
        options_.progress({before + p.done, before + p.total + after});
      };
    // What is wrong with the store is said once, not for every cell.
    if (options_.note)
      own.note = [this](const std::string& text) {
        if (said_.insert(text).second) options_.note(text);
      };
    return own;
  }

 private:
  const StudyOptions& options_;
  std::int64_t before_ = 0, after_ = 0;
  std::set<std::string> said_;
};

/// The store knows every cell before anything is simulated: whoever merges the stores of shards sees the same
/// studies in all of them, however far each came. Returns the runs of all cells.
std::int64_t note_cells(const Scenario& base, const CellSource& cells, const StudyOptions& options) {
  std::int64_t runs = 0;
  ResultStore store(options.store, options.engine, ResultStore::Mode::create, options.stop);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = made(base, cells, i);
    // By rounds each round has an entry of its own, written when it begins.
    if (!in_rounds(cell.scenario))
      store.note(describe(cell.scenario, *cell.candidates, options_of(cell, i, options)));
    runs += runs_of(cell, shard_of(options.shard, i));
  }
  return runs;
}

}  // namespace

std::int64_t CellsPlan::runs() const {
  std::int64_t sum = 0;
  for (const CellPlan& cell : cells) sum += cell.runs;
  return sum;
}

std::int64_t CellsPlan::stored() const {
  std::int64_t sum = 0;
  for (const CellPlan& cell : cells) sum += cell.stored;
  return sum;
}

CellsPlan plan_cells(const CellSource& cells, const StudyOptions& options) {
  CellsPlan plan;
  plan.axes = cells.axes();
  StudyOptions quiet = options;
  quiet.note = {};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = cells.make(i);
    const StudyPlan own = plan_study(cell.scenario, *cell.candidates, options_of(cell, i, quiet));
    CellPlan row;
    row.at = cells.at(i);
    row.demand = offered_load(cell.scenario);
    row.candidates = static_cast<std::int64_t>(cell.candidates->size());
    row.rejected = static_cast<std::int64_t>(own.rejected.size());
    for (const StudyPlan::Row& r : own.rows) {
      row.runs += r.wanted;
      row.stored += r.stored;
    }
    plan.cells.push_back(std::move(row));
  }
  return plan;
}

std::vector<StudyPlan> plan_parts(const Scenario& base, const CandidateSource& candidates,
                                  const CellSource* cells, const StudyOptions& options) {
  std::vector<StudyPlan> plans{plan_study(base, candidates, options)};
  for (std::size_t i = 0; cells != nullptr && i < cells->size(); ++i) {
    const Cell cell = cells->make(i);
    plans.push_back(plan_study(cell.scenario, *cell.candidates, options_of(cell, i, options)));
  }
  return plans;
}

std::optional<StudyResult> run_with_cells(const Scenario& base, const CandidateSource& candidates,
                                          const CellSource* cells, const StudyOptions& options) {
  if (cells == nullptr) return run_study(base, candidates, options);
  StudyOptions all = options;
  all.shard = Shard{};
  const std::int64_t runs = note_cells(base, *cells, all);
  Whole whole(all, runs);
  auto study = run_study(base, candidates, whole.part(0));
  if (!study) return std::nullopt;
  StudyMap map;
  map.axes = cells->axes();
  map.metric = objective_of(base.study).metric;
  map.of_k = objective_of(base.study).of_k;
  for (const Constraint& limit : base.study.limits.empty() ? base.study.constraints : base.study.limits)
    map.limits.push_back(limit.text);
  std::vector<CellJudgement> judged;
  for (std::size_t i = 0; i < cells->size(); ++i) {
    const Cell cell = made(base, *cells, i);
    const StudyOptions own = whole.part(runs_of(cell, Shard{}));
    const auto result = run_study(cell.scenario, *cell.candidates, options_of(cell, i, own));
    if (!result) return std::nullopt;
    map.cells.push_back(cell_of(cell.scenario.study, *result, cells->at(i)));
    judged.push_back(judge_cell(cell.scenario, *result));
  }
  study->most_demand = most_demand(map, judged);
  add_map(base, std::move(map), *study);
  return study;
}

std::optional<ShardResult> run_shard_with_cells(const Scenario& base, const CandidateSource& candidates,
                                                const CellSource* cells, const StudyOptions& options) {
  if (cells == nullptr) return run_shard(base, candidates, options);
  const std::int64_t runs = note_cells(base, *cells, options);
  Whole whole(options, runs);
  auto result = run_shard(base, candidates, whole.part(0));
  for (std::size_t i = 0; result && i < cells->size(); ++i) {
    const Cell cell = made(base, *cells, i);
    const StudyOptions own = whole.part(runs_of(cell, shard_of(options.shard, i)));
    const auto more = run_shard(cell.scenario, *cell.candidates, options_of(cell, i, own));
    if (!more) return std::nullopt;
    result->total += more->total;
    result->wanted += more->wanted;
    result->simulated += more->simulated;
    result->round = std::max(result->round, more->round);
    result->candidates += more->candidates;
    result->round_whole = result->round_whole && more->round_whole;
    result->complete = result->complete && more->complete;
  }
  return result;
}

}  // namespace fleetsim
