// A study on a Slurm cluster: its folder, and what was submitted when. docs/submit.md
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/slurm.hpp"

namespace fleetsim::cli {

/// Paths below --out, which every node must see. Relative ones are as scripts name them, from `root`.
struct SubmitFolder {
  explicit SubmitFolder(const std::string& out);
  std::filesystem::path root;  ///< absolute

  [[nodiscard]] std::filesystem::path record() const { return root / "submission.json"; }
  [[nodiscard]] std::filesystem::path store() const { return root / "study.db"; }
  /// "shard-3"; of a round after the first "round-2/shard-3".
  [[nodiscard]] static std::string shard(int round, const std::string& number);
  [[nodiscard]] std::filesystem::path shard_store(int round, int shard) const;
  [[nodiscard]] std::filesystem::path work() const { return root / "submit"; }
  [[nodiscard]] std::filesystem::path log() const { return work() / "log"; }
  [[nodiscard]] std::filesystem::path scenario() const { return root / kScenario; }
  [[nodiscard]] std::filesystem::path catalog() const { return root / kCatalog; }

  static constexpr const char* kScenario = "submit/scenario.yaml";
  static constexpr const char* kCatalog = "submit/catalog";
  static constexpr const char* kShards = "submit/shards.sh";
  static constexpr const char* kMerge = "submit/merge.sh";
};

/// A job array over some shards, and the merge that follows it. An id is empty while there is no such job.
struct SubmittedJobs {
  int round = 1;
  std::vector<int> shards;
  std::string array, merge;
};

/// DIR/submission.json.
struct Submission {
  std::string engine;           ///< build that must do all of it
  std::string study;            ///< name of the scenario
  std::string scenario_sha256;  ///< of the scenario as it was given
  std::string copy_sha256;      ///< of the text of submit/scenario.yaml
  bool catalog = false;         ///< submit/catalog goes with it
  int shards = 0;
  std::int64_t simulations = 0;  ///< of the whole study; by rounds, of the round
  int at_once = 0;               ///< tasks of the array that may run at a time; 0: as Slurm likes
  SlurmOptions options;          ///< of both jobs, as the user asked
  std::vector<SubmittedJobs> jobs;
  [[nodiscard]] int round() const { return jobs.empty() ? 1 : jobs.back().round; }
};

/// Empty: nothing was submitted there. Throws EnvironmentError for a file that cannot be read or is no
/// record.
[[nodiscard]] std::optional<Submission> read_submission(const SubmitFolder& folder);
void write_submission(const SubmitFolder& folder, const Submission& submission);
[[nodiscard]] std::string to_json(const Submission& submission);

/// Ids of all jobs, arrays and merges, in the order of submission.
[[nodiscard]] std::vector<std::string> job_ids(const Submission& submission);

}  // namespace fleetsim::cli
