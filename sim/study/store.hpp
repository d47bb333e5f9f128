// The results store of a study: one SQLite file, one row a (candidate, engine, replication). docs/store.md
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simulate.hpp"
#include "sim/study/errors.hpp"

namespace fleetsim {

/// One simulation as it is kept. `wall_s` is measured and differs from run to run; absent after a merge.
struct StoredRun {
  std::string candidate;  ///< Candidate::key
  std::string engine;     ///< engine_id() of the program that simulated it
  std::string label;
  int replication = 0;
  std::uint64_t replay_hash = 0, events = 0;
  std::string metrics;  ///< encode_metrics
  std::optional<double> wall_s;
  /// Over all but wall_s; kept beside the row, so that a row that changed on the disk is known.
  [[nodiscard]] std::uint64_t digest() const;
};

/// Stands between a study's name and the number in the entry of a round after the first.
inline constexpr std::string_view kRoundMark = ", round ";

/// What a study set out to simulate: enough to say what is missing, and to rerun one row.
struct StoredStudy {
  struct Entry {
    std::string key, label;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::string engine, name;
  std::string scenario;         ///< canonical text without study section and number of replications
  std::string scenario_sha256;  ///< of that text
  std::uint64_t seed = 0;
  int replications = 0;  ///< the most that were asked for
  std::vector<Entry> candidates;
  /// 16 hex digits over text and candidates: studies with the same id differ in `replications` and `engine`
  /// only.
  [[nodiscard]] std::string id() const;
};

/// A row whose content is not what was written.
class DamagedRow : public EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

/// Rows say nothing about process, thread or order of writing. Several processes may write one file (WAL,
/// busy timeout). Not for use by two threads at once. Every fault (no database, another layout, disk full,
/// read-only, locked, damaged) is an EnvironmentError that names the path.
class ResultStore {
 public:
  enum class Mode { create, read_only };
  /// An empty path keeps the rows in memory. Rows of other engines are not seen, but by the functions that
  /// say so. A read-only store that was not filled yet counts as empty.
  /// A call that waits for the lock of another process throws Interrupted once `stop` is set.
  ResultStore(const std::string& path, std::string engine, Mode mode = Mode::create,
              const std::atomic<bool>* stop = nullptr);
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
  /// The row in its stored form; safe to call from several threads.
  [[nodiscard]] StoredRun encode(const Row& row) const;
  /// All rows or none (one transaction). A row that is there already stays, if it says the same; a damaged
  /// one is replaced; one that says something else is an error.
  void put(const std::vector<Row>& rows);
  void put(const std::vector<StoredRun>& runs);

  /// Replications of a candidate that are present, ascending.
  [[nodiscard]] std::vector<int> replications(const std::string& candidate) const;
  [[nodiscard]] std::vector<int> replications(const std::string& candidate, const std::string& engine) const;
  /// Throws DamagedRow.
  [[nodiscard]] std::optional<RunResult> get(const std::string& candidate, int replication) const;
  void erase(const std::string& candidate, int replication);
  /// Rows of all engines and entries of studies that are not what was written: another content, or another
  /// key, so that nobody would look for them while merge refuses them. Cost: reads and digests every row, 12
  /// us for one of 5 kB; 1.2 s of one core for 10^5, where simulating a row takes tens of milliseconds.
  struct Removed {
    std::int64_t runs = 0, studies = 0;
  };
  Removed remove_damaged();
  /// Every row that is present, without its content.
  void for_each_present(
      const std::function<void(const std::string& candidate, int replication)>& visit) const;
  /// True when another connection wrote since the last call.
  [[nodiscard]] bool changed_by_others();
  [[nodiscard]] std::int64_t rows_of_other_engines() const;
  /// Of what one simulation took, over the rows that say it; nothing when none does.
  [[nodiscard]] std::optional<double> mean_wall_s() const;

  /// Keeps what a study is about. The same study again: the larger number of replications stays.
  void note(const StoredStudy& study);
  /// Of all engines, in order of id and engine. A damaged entry is an EnvironmentError.
  [[nodiscard]] std::vector<StoredStudy> studies() const;

  /// Rows of all engines, ordered by candidate, engine, replication; throws DamagedRow at the first that is
  /// damaged. `visit` returns false to stop.
  void for_each(const std::function<bool(const StoredRun&)>& visit) const;
  [[nodiscard]] std::optional<StoredRun> find(const std::string& candidate, const std::string& engine,
                                              int replication) const;
  [[nodiscard]] const std::string& path() const;

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace fleetsim
