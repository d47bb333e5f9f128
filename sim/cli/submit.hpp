// What the steps of 'fleetsim submit' share: a study is submitted, joined when its shards ended, submitted
// again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "sim/cli/submission.hpp"
#include "sim/study/shard_state.hpp"

namespace fleetsim::cli {

struct SubmitArguments {
  std::string scenario, out, catalog, format;
  std::vector<std::string> set;
  int shards = 0;        ///< 0: not given
  SlurmOptions options;  ///< of both jobs
  std::optional<int> at_once;
  bool dry_run = false, resubmit = false;
};

/// The folder's record and the copy of the scenario that belongs to it, ready to be studied. Throws
/// UsageError where nothing was submitted there, by another build, or the copy was changed.
struct SubmittedStudy {
  SubmitFolder folder;
  Submission record;
  LoadedScenario scenario;
};
[[nodiscard]] SubmittedStudy open_submitted(const SubmitFolder& folder);

/// Of the last round that was submitted, by shard, from 1 at [0].
[[nodiscard]] std::vector<ShardState> shard_states(const SubmittedStudy& study);
/// "shard 3: 12 of 40 runs are stored; see DIR/submit/log/shard-3.txt", a line each of those that are not
/// whole.
[[nodiscard]] std::string unfinished_text(const SubmittedStudy& study, const std::vector<ShardState>& states);
/// Numbers of the shards that are not whole.
[[nodiscard]] std::vector<int> unfinished(const std::vector<ShardState>& states);

/// Submits the last of record.jobs, which has no ids yet: writes the scripts, submits array and merge (no
/// shards: the merge alone), or nothing of them, and writes the record after each. Prints what was done, or
/// with `dry_run` only the scripts.
int submit_jobs(const SubmitFolder& folder, Submission record, bool dry_run, const std::string& format);

/// submit --resubmit
int resubmit(const SubmitArguments& arguments);
/// submit --continue DIR
int continue_study(const std::string& out, const std::string& format);

}  // namespace fleetsim::cli
