#include "sim/cli/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/tool.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kLimit_s = 120;  // sbatch waits for a busy controller; a minute is not rare on large systems

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  const std::string text = read_file(file);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

struct Said {
  bool refused = false;            ///< it ended with another exit code than 0
  std::vector<std::string> lines;  ///< of both streams
  /// "sbatch: error: X" -> "X", all lines in one.
  [[nodiscard]] std::string words(const std::string& tool) const {
    std::string all;
    for (std::string line : lines) {
      for (const std::string& head : {tool + ": ", std::string("error: ")})
        if (line.starts_with(head)) line.erase(0, head.size());
      all += (all.empty() ? "" : "; ") + line;
    }
    return shown(all);
  }
};

/// Throws EnvironmentError when the program is missing, killed or too slow; its words then stay in the file
/// that the message names.
Said ask(std::vector<std::string> arguments, const fs::path& folder, const fs::path& scratch) {
  ToolRun run;
  run.log = scratch / fmt::format(".{}.txt", arguments.front());
  run.arguments = std::move(arguments);
  run.folder = folder;
  run.limit_s = kLimit_s;
  run.as_user = true;
  Said said;
  try {
    run_tool(run);
  } catch (const ToolFailed&) {
    said.refused = true;
  }
  said.lines = lines_of(run.log);
  std::error_code ignored;
  fs::remove(run.log, ignored);
  return said;
}

/// What Slurm says of a value, and the options that hold it. Slurm's words: src/common/slurm_errno.c.
struct Refusal {
  const char* words;
  std::vector<const char*> options;
  const char* hint;
};
const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> all{
      {"invalid partition", {"partition"}, "'sinfo --summarize' lists the partitions"},
      {"invalid account", {"account", "partition"}, "'sacctmgr show associations user=$USER' lists yours"},
      {"invalid qos", {"qos"}, "'sacctmgr show qos' lists them"},
      {"time limit", {"time"}, "'sinfo' lists the limit of each partition"},
      {"node configuration",
       {"cpus-per-task", "mem", "constraint", "partition"},
       "'sinfo --Node --long' lists what the nodes have"},
      {"memory specification", {"mem", "mem-per-cpu"}, "'sinfo --Node --long' lists what the nodes have"},
      {"invalid feature", {"constraint"}, "'sinfo --format=%N,%f' lists the features of the nodes"},
      {"reservation", {"reservation"}, "'scontrol show reservation' lists them"},
      {"invalid job array", {"array"}, "fewer --shards; 'scontrol show config' tells MaxArraySize"},
  };
  return all;
}

[[noreturn]] void refuse(const std::string& what, const std::string& words,
                         const std::vector<std::string>& given) {
  const std::string sentence = fmt::format("Slurm refuses {}: {}", what, words);
  std::string low = words;
  std::transform(low.begin(), low.end(), low.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Refusal& refusal : refusals()) {
    const bool mine = std::any_of(refusal.options.begin(), refusal.options.end(), [&](const char* option) {
      return std::find(given.begin(), given.end(), option) != given.end();
    });
    if (mine && low.find(refusal.words) != std::string::npos) throw UsageError(sentence, refusal.hint);
  }
  throw EnvironmentError(sentence);
}

/// --parsable prints ID or ID;CLUSTER; other lines are warnings.
std::string id_in(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::string id = line.substr(0, line.find(';'));
    if (!id.empty() && std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return id;
  }
  return {};
}

}  // namespace

std::vector<std::string> sbatch_command(const SlurmJob& job) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  for (const auto& [name, value] : job.options)
    words.push_back(value.empty() ? "--" + name : fmt::format("--{}={}", name, value));
  words.push_back(job.script);
  return words;
}

std::string sbatch(const SlurmJob& job, const std::vector<std::string>& given, const fs::path& scratch) {
  const Said said = ask(sbatch_command(job), job.folder, scratch);
  if (said.refused) refuse(job.what, said.words("sbatch"), given);
  const std::string id = id_in(said.lines);
  if (id.empty())
    throw EnvironmentError(
        fmt::format("sbatch named no job id for {} but said: {}", job.what, said.words("sbatch")));
  return id;
}

std::string scancel(const std::string& id, const fs::path& scratch) {
  try {
    const Said said = ask({"scancel", id}, {}, scratch);
    return said.refused ? said.words("scancel") : std::string{};
  } catch (const EnvironmentError& e) {
    return e.what();
  }
}

std::vector<std::string> jobs_in_queue(const std::vector<std::string>& ids, const fs::path& scratch) {
  std::vector<std::string> queued;
  for (const std::string& id : ids) {  // one by one: of a list squeue refuses all when it has forgotten one
    const Said said = ask({"squeue", "--noheader", "--format=%i", "--jobs=" + id}, {}, scratch);
    const std::string words = said.words("squeue");
    if (said.refused && words.find("Invalid job id") == std::string::npos)
      throw EnvironmentError(fmt::format("Slurm does not tell whether job {} is over: {}", id, words));
    for (const std::string& line : said.lines)
      if (!said.refused && line.starts_with(id)) queued.push_back(line.substr(0, line.find(' ')));
  }
  return queued;
}

std::string slurm_time(const std::string& option, const std::string& text, const std::string& see) {
  std::string word = text;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
  if (word == "UNLIMITED" || word == "INFINITE") return "UNLIMITED";
  const Parsed<Duration> parsed = parse_duration(text);
  if (const auto* fault = std::get_if<UnitError>(&parsed))
    throw UsageError(fmt::format("--{} '{}': {}", option, text, fault->message),
                     "write e.g. '2 h', or 2:00:00");
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::get<Duration>(parsed)).count();
  if (seconds < 60)
    throw UsageError(fmt::format("--{} '{}' is less than a minute, Slurm's least", option, text), see);
  return fmt::format("{}-{:02}:{:02}:{:02}", seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60,
                     seconds % 60);
}

}  // namespace fleetsim::cli
