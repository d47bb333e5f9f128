// Slurm's commands, run as a user would: sbatch, scancel, squeue. What Slurm says is handed on in its own
// words.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace fleetsim::cli {

/// Long options of sbatch without dashes, and their values: {"partition", "gpu"}.
using SlurmOptions = std::vector<std::pair<std::string, std::string>>;

/// A script to be submitted from `folder`: sbatch, as recorded and as a user could type it.
struct SlurmJob {
  std::string what;              ///< "the job array", for messages
  std::filesystem::path folder;  ///< the job's working folder
  std::string script;            ///< relative to it
  SlurmOptions options;          ///< all; those of the command line go before SBATCH_* variables
};
[[nodiscard]] std::vector<std::string> sbatch_command(const SlurmJob& job);

/// Submits; returns the job id. Throws UsageError where Slurm refuses a value that the user gave (`given`:
/// the names of those options), EnvironmentError where it refuses for another reason, or cannot be reached.
/// `scratch`: a folder for what sbatch prints.
[[nodiscard]] std::string sbatch(const SlurmJob& job, const std::vector<std::string>& given,
                                 const std::filesystem::path& scratch);

/// Empty, or why the job could not be cancelled.
[[nodiscard]] std::string scancel(const std::string& id, const std::filesystem::path& scratch);

/// Those of the jobs that wait or run, as squeue names them ("12_[3-5]", "13"). Jobs that Slurm has forgotten
/// are over. Throws EnvironmentError when squeue says anything else.
[[nodiscard]] std::vector<std::string> jobs_in_queue(const std::vector<std::string>& ids,
                                                     const std::filesystem::path& scratch);

/// Slurm's form of a time limit, D-HH:MM:SS or UNLIMITED; reads that form and "2 h". Throws UsageError.
[[nodiscard]] std::string slurm_time(const std::string& option, const std::string& text,
                                     const std::string& see);

}  // namespace fleetsim::cli
