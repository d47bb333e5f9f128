// Running other programs: argument vector, no shell, a time limit, the log kept when they fail.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/errors.hpp"

namespace fleetsim {

/// Full path of a program on PATH, empty when there is none.
[[nodiscard]] std::string find_tool(const std::string& name);

/// Throws EnvironmentError that names every missing program and the Debian package to install.
void require_tools(const std::vector<std::string>& names);

struct ToolRun {
  std::vector<std::string> arguments;  ///< program first
  std::filesystem::path folder;        ///< working folder
  std::filesystem::path log;           ///< receives stdout and stderr
  int limit_s = 120;
  std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of this process's own
  std::string output;    ///< file in `folder` that the program is to write; empty: none
  bool as_user = false;  ///< language, time zone and TMPDIR stay the user's: sbatch hands them to its jobs
};
/// The program ran, and said no with its exit code; what it said is in the log.
class ToolFailed : public EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};
/// Runs to the end under coreutils `timeout`, with LC_ALL=C.UTF-8 and TZ=UTC, so that the user's language and
/// place change nothing. Throws ToolFailed with the last line of the log when the program fails, and another
/// EnvironmentError when it is missing, is killed, takes too long or ends well without its output; the log
/// file then stays.
void run_tool(const ToolRun& run);

/// While one of these lives and the flag that it was given becomes true, run_tool ends its program and throws
/// Interrupted.
class StopTools {
 public:
  explicit StopTools(const std::atomic<bool>* stop);
  ~StopTools();
  StopTools(const StopTools&) = delete;
  StopTools& operator=(const StopTools&) = delete;

 private:
  const std::atomic<bool>* before_;
};

/// First line that `name --version` prints, empty when it does not run. `scratch` receives the log.
[[nodiscard]] std::string tool_version(const std::string& name, const std::filesystem::path& scratch);

}  // namespace fleetsim
