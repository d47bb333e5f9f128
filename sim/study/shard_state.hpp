// How far a shard's store is: what decides whether its task must run again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/study/cells.hpp"

namespace fleetsim {

struct ShardState {
  /// damaged_part: a row or an entry, which the shard's own command mends. damaged_file: nothing of the file
  /// can be used, and the command would refuse it.
  enum class Kind { missing, incomplete, damaged_part, damaged_file, whole };
  Kind kind = Kind::missing;
  std::int64_t stored = 0, wanted = 0;  ///< runs of the shard; stored counts damaged rows too
  std::string why;                      ///< of a damaged one: what reading it said
  bool can_join = false;                ///< merge_stores takes the store
};
[[nodiscard]] const char* to_string(ShardState::Kind kind);

/// Where a study by rounds stands, docs/store.md; an exhaustive study is one round without a number.
struct PlannedRound {
  int number = 0;         ///< 0: the study is exhaustive
  bool complete = false;  ///< no further round follows
};
/// Of the plans of a study and its cells: the furthest round that is not complete.
[[nodiscard]] PlannedRound planned_round(const std::vector<StudyPlan>& plans);

/// Of options.shard, whose store options.store is; writes nothing. `round`: that the shard is to do, with the
/// rows of the rounds before it in the store `before` (no file: there is none). `cells`: null without. Cost:
/// every row is read and digested, and every candidate of the source is made once.
[[nodiscard]] ShardState shard_state(const Scenario& base, const CandidateSource& source,
                                     const CellSource* cells, const StudyOptions& options, int round,
                                     const std::string& before);

}  // namespace fleetsim
