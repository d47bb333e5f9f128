// The batch scripts of a study on a Slurm cluster, for Slurm to run and for people to read.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/cli/submission.hpp"

namespace fleetsim::cli {

/// A script and the sbatch that submits it.
struct SubmitScript {
  SlurmJob job;
  std::string text;
};

/// Task K of the array simulates shard K of the last of submission.jobs. `program`: this program, absolute.
[[nodiscard]] SubmitScript shards_script(const SubmitFolder& folder, const Submission& submission,
                                         const std::filesystem::path& program);
/// Runs once all tasks of the last array have ended, in whatever way; without one it waits for nothing.
[[nodiscard]] SubmitScript merge_script(const SubmitFolder& folder, const Submission& submission,
                                        const std::filesystem::path& program);

}  // namespace fleetsim::cli
