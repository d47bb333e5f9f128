#include "sim/study/shard_state.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/study/errors.hpp"
#include "sim/study/store.hpp"

namespace fleetsim {

namespace {

/// By rounds, a store that leads beyond the shard's round holds all of it; one that leads to an earlier round
/// lacks what the shard should begin with.
bool count(const std::vector<StudyPlan>& plans, int round, ShardState& state) {
  bool all = true;
  for (const StudyPlan& plan : plans) {
    std::int64_t stored = 0, wanted = 0;
    for (const StudyPlan::Row& row : plan.rows) {
      stored += row.stored;
      wanted += row.wanted;
    }
    state.stored += stored;
    state.wanted += wanted;
    const bool beyond = plan.round > 0 && (plan.complete || plan.round > round);
    all = all && (beyond || (stored == wanted && (plan.round == 0 || plan.round == round)));
  }
  return all;
}

/// Empty: the store is sound.
std::string damage(const ResultStore& store, bool& holds_study) {
  try {
    holds_study = !store.studies().empty();
  } catch (const EnvironmentError& e) {
    return e.what();
  }
  try {
    store.for_each([](const StoredRun&) { return true; });
  } catch (const DamagedRow& e) {
    return e.what();
  }
  return {};
}

}  // namespace

const char* to_string(ShardState::Kind kind) {
  switch (kind) {
    case ShardState::Kind::missing:
      return "missing";
    case ShardState::Kind::incomplete:
      return "incomplete";
    case ShardState::Kind::damaged_part:
    case ShardState::Kind::damaged_file:
      return "damaged";
    case ShardState::Kind::whole:
      return "whole";
  }
  return "";
}

PlannedRound planned_round(const std::vector<StudyPlan>& plans) {
  PlannedRound planned{0, true};
  for (const StudyPlan& plan : plans) {
    planned.complete = planned.complete && plan.complete;
    if (!plan.complete) planned.number = std::max(planned.number, plan.round);
  }
  if (planned.complete)
    for (const StudyPlan& plan : plans) planned.number = std::max(planned.number, plan.round);
  return planned;
}

ShardState shard_state(const Scenario& base, const CandidateSource& source, const CellSource* cells,
                       const StudyOptions& options, int round, const std::string& before) {
  using Kind = ShardState::Kind;
  ShardState state;
  StudyOptions quiet = options, at_first = options;
  quiet.note = at_first.note = {};
  at_first.store = before;
  std::error_code ignored;
  if (!std::filesystem::exists(options.store, ignored)) {
    static_cast<void>(count(plan_parts(base, source, cells, at_first), round, state));
    if (state.wanted == 0) state.kind = Kind::whole;
    return state;
  }
  try {
    const ResultStore store(options.store, options.engine, ResultStore::Mode::read_only, options.stop);
    bool holds_study = false;
    state.why = damage(store, holds_study);
    const bool all = count(plan_parts(base, source, cells, quiet), round, state);
    state.can_join = holds_study && state.why.empty();
    state.kind = !state.why.empty()   ? Kind::damaged_part
                 : holds_study && all ? Kind::whole
                                      : Kind::incomplete;
  } catch (const EnvironmentError& e) {
    state = {};
    state.kind = Kind::damaged_file;
    state.why = e.what();
    static_cast<void>(count(plan_parts(base, source, cells, at_first), round, state));
  }
  return state;
}

}  // namespace fleetsim
