// Scripts are written, jobs submitted, the record kept: both jobs or none.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/submit.hpp"
#include "sim/cli/submit_scripts.hpp"
#include "sim/cli/table.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace {

namespace fs = std::filesystem;

/// This program, so that the jobs run the same build. A name on PATH may be another one on another node.
fs::path this_program() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error || !fs::exists(program, error))
    throw EnvironmentError(fmt::format("this program's own file is gone{}, and the jobs must run it",
                                       program.empty() ? "" : ": " + shown(program)));
  return program;
}

std::string typed(const SlurmJob& job) {
  std::string text;
  for (const std::string& word : sbatch_command(job)) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

/// What the user gave, and the array, whose size may be more than Slurm allows.
std::vector<std::string> names_of(const Submission& record) {
  std::vector<std::string> names{"array"};
  for (const auto& [name, value] : record.options) names.push_back(name);
  return names;
}

int print_scripts(const std::vector<SubmitScript>& scripts, const std::string& format) {
  if (format == "json") {
    nlohmann::json all = nlohmann::json::array();
    for (const SubmitScript& s : scripts)
      all.push_back({{"path", (s.job.folder / s.job.script).string()},
                     {"command", sbatch_command(s.job)},
                     {"text", s.text}});
    print(nlohmann::json{{"folder", scripts.front().job.folder.string()}, {"scripts", std::move(all)}}.dump(
              1, ' ', false, nlohmann::json::error_handler_t::replace) +
          "\n");
    return kFine;
  }
  std::string text =
      fmt::format("In {} (nothing is written or submitted):\n", shown(scripts.front().job.folder));
  for (const SubmitScript& s : scripts)
    text += fmt::format("\n$ {}\n---- {} ----\n{}", typed(s.job), s.job.script, s.text);
  print(text);
  return kFine;
}

/// Both jobs, or none: the array of a merge that was not accepted is cancelled.
class Submitting {
 public:
  Submitting(const SubmitFolder& folder, Submission& record) : folder_(folder), record_(record) {}

  void run(const fs::path& program) {
    const std::vector<std::string> given = names_of(record_);
    SubmittedJobs& jobs = record_.jobs.back();
    static_cast<void>(interrupted());  // from here on a signal waits until both are submitted or none
    if (!jobs.shards.empty()) jobs.array = submit(shards_script(folder_, record_, program), given);
    try {
      write_submission(folder_, record_);
      if (interrupted()) throw Interrupted("interrupted");
      jobs.merge = submit(merge_script(folder_, record_, program), given);
      write_submission(folder_, record_);
    } catch (const UsageError& e) {
      throw UsageError(e.what() + undo(jobs), e.hint());
    } catch (const EnvironmentError& e) {
      throw EnvironmentError(e.what() + undo(jobs));
    } catch (const Interrupted& e) {
      throw Interrupted(e.what() + undo(jobs));
    }
  }

 private:
  std::string submit(const SubmitScript& script, const std::vector<std::string>& given) {
    write_file(folder_.root / script.job.script, script.text);
    return sbatch(script.job, given, folder_.work());
  }

  /// Says what became of what was accepted.
  std::string undo(const SubmittedJobs& jobs) {
    std::string said;
    bool left = false;
    for (const auto& [what, id] : {std::pair{"the job array", jobs.array}, {"the merge job", jobs.merge}}) {
      if (id.empty()) continue;
      const std::string fault = scancel(id, folder_.work());
      said += fault.empty()
                  ? fmt::format("; {} {}, which was accepted before, is cancelled", what, id)
                  : fmt::format("; {} {} is still queued and could not be cancelled ({}): scancel {}", what,
                                id, fault, id);
      left = left || !fault.empty();
    }
    if (!left) forget();  // else the record keeps the id
    return said;
  }

  /// The record as it was before.
  void forget() {
    record_.jobs.pop_back();
    std::error_code ignored;
    if (record_.jobs.empty()) {
      fs::remove(folder_.record(), ignored);
      return;
    }
    try {
      write_submission(folder_, record_);
    } catch (const EnvironmentError&) {  // the disk is why we are here
    }
  }

  const SubmitFolder& folder_;
  Submission& record_;
};

std::string done_text(const SubmitFolder& folder, const Submission& record) {
  const SubmittedJobs& jobs = record.jobs.back();
  const std::string where = shown(folder.root);
  std::string text;
  if (!jobs.shards.empty())
    text += fmt::format("Submitted: job array {}, shard{} {} of {}{} ({} in all)\n", jobs.array,
                        jobs.shards.size() == 1 ? "" : "s", number_ranges(jobs.shards, ", "), record.shards,
                        jobs.round > 1 ? fmt::format(", round {}", jobs.round) : "",
                        counted(record.simulations, "simulation"));
  text += fmt::format("Submitted: merge job {}{}\n", jobs.merge,
                      jobs.array.empty() ? "" : ", after all tasks of the array, however they end");
  text += fmt::format(
      "Folder: {}; scripts: submit/shards.sh, submit/merge.sh; what the jobs say: submit/log/\n"
      "Then: submit/log/merge-{}.txt names shards that failed, for\n"
      "  fleetsim submit --resubmit --out {}\n"
      "or study.json is there, for\n"
      "  fleetsim report {}\n",
      where, jobs.merge, shell_quoted(folder.root.string()), shell_quoted(folder.root.string()));
  return text;
}

}  // namespace

int submit_jobs(const SubmitFolder& folder, Submission record, bool dry_run, const std::string& format) {
  const fs::path program = this_program();
  if (dry_run) {
    std::vector<SubmitScript> scripts;
    SubmittedJobs& jobs = record.jobs.back();
    if (!jobs.shards.empty()) {
      scripts.push_back(shards_script(folder, record, program));
      jobs.array = "ARRAY";  // the id that it would get
    }
    scripts.push_back(merge_script(folder, record, program));
    return print_scripts(scripts, format);
  }
  Submitting(folder, record).run(program);
  print(format == "json" ? to_json(record) : done_text(folder, record));
  return kFine;
}

}  // namespace fleetsim::cli
