// What `run` prints and writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "sim/simulate.hpp"
#include "sim/study/dossier.hpp"
#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// Something that the reader of a run must know. Kinds: impossible, left-out, constraint, broken-law.
struct RunFinding {
  std::string kind, text;
};

/// What the scenario alone tells: job sizes that can run nowhere, trace jobs that the horizon leaves out.
[[nodiscard]] std::vector<RunFinding> scenario_findings(const Scenario& scenario);

/// A row of a study that was run again.
struct ComparedRow {
  std::string store, label;
  int replication = 0;
  std::uint64_t replay_hash = 0;  ///< as stored
  std::string difference;         ///< empty: the same came out
  bool study_known = true;        ///< false: read from the store, which keeps neither constraints nor k
};

/// A finished `run`: everything below is made from it.
struct RunReport {
  const LoadedScenario& loaded;
  const CandidateResult& result;
  const OfferedLoad& demand;
  const Dossier& dossier;
  std::vector<RunFinding> findings;  ///< of scenario_findings()
  std::optional<ComparedRow> from_study;
};

/// Text for a terminal; ends with a newline.
[[nodiscard]] std::string run_text(const RunReport& report);
/// result.json; ends with a newline. An undefined or infinite number is null.
[[nodiscard]] std::string run_json(const RunReport& report);

/// The job tables of replications, as text that grows by one replication at a time.
class JobTables {
 public:
  explicit JobTables(const Scenario& scenario) : scenario_(scenario) {}

  [[nodiscard]] static std::string schedule_header();
  /// One row an attempt of a submitted job, by job_id; one that outages or owners of the nodes ended has
  /// state requeued. Times in seconds; an empty field: did not happen.
  void append_schedule(std::string& text, int replication, const Workload& workload,
                       const EngineResult& outcome) const;

  [[nodiscard]] std::string time_series_header() const;
  /// One row a full hour: what is allocated by pool, what waits by partition, at that instant.
  void append_time_series(std::string& text, int replication, const Workload& workload,
                          const EngineResult& outcome) const;

  [[nodiscard]] static std::string jobs_header(const Scenario& scenario);
  /// One row a job of the workload, as drawn, with its limit on this fleet.
  void append_jobs(std::string& text, int replication, const Workload& workload) const;

 private:
  const Scenario& scenario_;
};

[[nodiscard]] std::string metrics_header();
void append_metrics(std::string& text, int replication, const RunResult& run);

}  // namespace fleetsim::cli
