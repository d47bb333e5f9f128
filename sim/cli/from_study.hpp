// One row of a study again: which candidate it is, its scenario, and whether the same comes out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "sim/study/store.hpp"

namespace fleetsim::cli {

struct FromStudy {
  std::string store;      ///< --from-study
  std::string candidate;  ///< --candidate: its label, or its key or the beginning of it
  int replication = -1;   ///< --replication
  /// A scenario file, instead of the text in the store, which names traces by paths that the store does not
  /// know.
  std::string scenario;
  std::vector<std::string> set;
  std::string catalog;
};

struct StudiedRow {
  LoadedScenario scenario;  ///< of this candidate, with one replication
  StoredRun stored;
};

/// Empty: there were errors in the scenario, all told. UsageError: no such candidate or replication.
[[nodiscard]] std::optional<StudiedRow> find_row(const FromStudy& wanted);

/// What differs between a stored row and a run, "" for nothing.
[[nodiscard]] std::string difference(const StoredRun& stored, const RunResult& run);

}  // namespace fleetsim::cli
