#include "sim/cli/submit_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/scenario_options.hpp"
#include "sim/cli/table.hpp"

namespace fleetsim::cli {

namespace {

/// What a job may be called without quotes anywhere.
std::string job_name(const std::string& study) {
  constexpr std::size_t kLongest = 60;
  std::string name = study.substr(0, kLongest);
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (!plain) c = '_';
  }
  return name.empty() || name.front() == '-' ? "fleetsim" + name : name;
}

bool has(const SlurmOptions& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(), [&](const auto& o) { return o.first == name; });
}

/// Lines of the script. No absolute path stands in them, where blanks and quotes have a meaning.
SlurmOptions directives(const Submission& submission, const std::string& name, const std::string& output) {
  SlurmOptions all{{"job-name", name}, {"output", output}, {"open-mode", "append"}, {"ntasks", "1"}};
  if (!has(submission.options, "cpus-per-task")) all.emplace_back("cpus-per-task", "1");
  all.insert(all.end(), submission.options.begin(), submission.options.end());
  return all;
}

/// The same for the command line, which goes before the script. Slurm puts its numbers for %a and the like in
/// the folder's name too, so there '%' is written '%%' (a relative name would get the folder unescaped; seen
/// with Slurm 22.05).
SlurmOptions on_command_line(const SubmitFolder& folder, SlurmOptions options) {
  std::string root;
  for (const char c : folder.root.string()) root += c == '%' ? std::string("%%") : std::string(1, c);
  for (auto& [name, value] : options)
    if (name == "output") value = root + "/" + value;
  return options;
}

std::string directive_lines(const SlurmOptions& options) {
  std::string text;
  for (const auto& [name, value] : options) text += fmt::format("#SBATCH --{}={}\n", name, value);
  return text;
}

std::string body(const SubmitFolder& folder, const std::filesystem::path& program,
                 const std::string& command) {
  return fmt::format("set -eu\nfleetsim={}\ncd {}\n{}", shell_quoted(program.string()),
                     shell_quoted(folder.root.string()), command);
}

std::string catalog_words(const Submission& submission) {
  return submission.catalog ? fmt::format(" --catalog {}", SubmitFolder::kCatalog) : std::string{};
}

/// A shard of a later round begins with the rows of the rounds before, which say what the round is.
std::string shard_command(const Submission& submission, int round) {
  std::string text = fmt::format("shard={}\n", SubmitFolder::shard(round, "$SLURM_ARRAY_TASK_ID"));
  if (round > 1)
    text +=
        "if [ ! -e \"$shard/study.db\" ]; then\n"
        "  mkdir -p \"$shard\"\n"
        "  cp study.db \"$shard/study.db.part\"\n"
        "  mv \"$shard/study.db.part\" \"$shard/study.db\"\n"
        "fi\n";
  return text + fmt::format(
                    "exec \"$fleetsim\" study {}{} --threads \"$SLURM_CPUS_PER_TASK\" \\\n"
                    "  --shard \"$SLURM_ARRAY_TASK_ID/{}\" --out \"$shard\"\n",
                    SubmitFolder::kScenario, catalog_words(submission), submission.shards);
}

}  // namespace

SubmitScript shards_script(const SubmitFolder& folder, const Submission& submission,
                           const std::filesystem::path& program) {
  const SubmittedJobs& jobs = submission.jobs.back();
  const std::string output =
      fmt::format("submit/log/{}shard-%a.txt", jobs.round > 1 ? fmt::format("round-{}-", jobs.round) : "");
  const SlurmOptions lines = directives(submission, job_name(submission.study), output);
  const std::string array = number_ranges(jobs.shards, ",") +
                            (submission.at_once > 0 ? fmt::format("%{}", submission.at_once) : "");
  SubmitScript script{{"the job array", folder.root, SubmitFolder::kShards, {{"array", array}}}, {}};
  const SlurmOptions words = on_command_line(folder, lines);
  script.job.options.insert(script.job.options.end(), words.begin(), words.end());
  script.text = fmt::format(
      "#!/bin/bash\n"
      "# Shards of a study, written by 'fleetsim submit'. Task K of the array simulates shard K of {}, "
      "about\n"
      "# {} of {} simulations, and keeps them in {}/study.db. Run again, it goes on where it stopped.\n"
      "# By hand, in the folder named below: sbatch --array={} {}\n"
      "{}\n",
      submission.shards, (submission.simulations + submission.shards / 2) / submission.shards,
      submission.simulations, SubmitFolder::shard(jobs.round, "K"), array, SubmitFolder::kShards,
      directive_lines(lines));
  script.text += body(folder, program, shard_command(submission, jobs.round));
  return script;
}

SubmitScript merge_script(const SubmitFolder& folder, const Submission& submission,
                          const std::filesystem::path& program) {
  const SlurmOptions lines =
      directives(submission, job_name(submission.study) + "-merge", "submit/log/merge-%j.txt");
  SubmitScript script{{"the merge job", folder.root, SubmitFolder::kMerge, {}}, {}};
  if (const std::string& array = submission.jobs.back().array; !array.empty())
    script.job.options.emplace_back("dependency", "afterany:" + array);
  const SlurmOptions words = on_command_line(folder, lines);
  script.job.options.insert(script.job.options.end(), words.begin(), words.end());
  script.text = fmt::format(
      "#!/bin/bash\n"
      "# After the shards, however they ended: joins their stores in study.db, says what is missing, and "
      "when\n"
      "# nothing is, writes study.json and candidates.csv (of a study by rounds: submits the next round).\n"
      "# Written by 'fleetsim submit'. By hand: bash {}\n"
      "{}\n",
      SubmitFolder::kMerge, directive_lines(lines));
  script.text += body(folder, program, "exec \"$fleetsim\" submit --continue .\n");
  return script;
}

}  // namespace fleetsim::cli
