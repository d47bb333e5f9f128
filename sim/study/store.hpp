// The results store of a study: one SQLite file, one row a (candidate, version, replication).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/simulate.hpp"

namespace fleetsim {

/// Rows say nothing about process, thread or order of writing; columns named wall_* are measured and differ
/// from run to run. Several processes may write one file (WAL, busy timeout); of equal rows the first stays.
/// Not for use by two threads at once. Every fault (no database, another schema, disk full, read-only, a
/// damaged row) is an EnvironmentError that names the path.
class ResultStore {
 public:
  enum class Mode { create, read_only };
  /// An empty path keeps the rows in memory. `version` is the program's: rows of others are not seen.
  ResultStore(const std::string& path, std::string version, Mode mode = Mode::create);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  struct Row {
    std::string candidate;  ///< Candidate::key
    std::string label;
    int replication = 0;
    RunResult result;
    double wall_s = 0.0;  ///< what the simulation took
  };
  /// All rows or none (one transaction).
  void put(const std::vector<Row>& rows);
  /// Replications of a candidate that are present, ascending.
  [[nodiscard]] std::vector<int> replications(const std::string& candidate) const;
  [[nodiscard]] std::optional<RunResult> get(const std::string& candidate, int replication) const;

 private:
  struct Database;
  std::unique_ptr<Database> database_;
};

}  // namespace fleetsim
