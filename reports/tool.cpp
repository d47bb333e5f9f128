#include "reports/tool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "sim/study/files.hpp"

extern char** environ;

namespace fleetsim {

namespace {

namespace fs = std::filesystem;

std::string package_of(const std::string& tool) {
  if (tool == "gnuplot") return "gnuplot-nox";
  if (tool == "dot") return "graphviz";
  if (tool == "timeout") return "coreutils";
  if (tool == "sbatch" || tool == "scancel" || tool == "squeue") return "slurm-client";
  return tool;  // pandoc, weasyprint
}

/// Environment of the child: ours, with some variables replaced.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& extra) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view key = text.substr(0, text.find('='));
    const bool replaced =
        std::any_of(extra.begin(), extra.end(), [&](const auto& e) { return e.first == key; });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [key, value] : extra) all.push_back(key + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

const std::atomic<bool>* stop_flag = nullptr;

bool stopped() {
  return stop_flag != nullptr && stop_flag->load();
}

/// How a program ended: by itself with `code`, or by `signal`.
struct End {
  int code = 0;
  int signal = 0;
};

/// Looks again and again instead of sleeping until the end, so that a wish to stop is never missed.
End wait_for(pid_t child) {
  bool told = false;
  for (long pause_us = 500;; pause_us = std::min(20'000L, pause_us * 3 / 2)) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) return {127, 0};
    if (ended == child) return WIFEXITED(status) ? End{WEXITSTATUS(status), 0} : End{0, WTERMSIG(status)};
    if (stopped() && !std::exchange(told, true)) ::kill(child, SIGTERM);  // `timeout` passes it on
    const timespec pause{0, pause_us * 1000};
    ::nanosleep(&pause, nullptr);
  }
}

std::string last_line(const fs::path& log) {
  std::string text;
  try {
    text = read_file(log);
  } catch (const EnvironmentError&) {
    return {};
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  const std::size_t cut = text.rfind('\n');
  std::string line = cut == std::string::npos ? text : text.substr(cut + 1);
  if (line.size() > 300) line.resize(300);
  return line;
}

End spawn(const ToolRun& run) {
  std::vector<std::string> words{"timeout", "--foreground", "-k", "5", std::to_string(run.limit_s)};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  std::vector<std::pair<std::string, std::string>> replaced;
  if (!run.as_user) replaced = {{"LC_ALL", "C.UTF-8"}, {"LANGUAGE", "C"}, {"TZ", "UTC"}};
  if (!run.folder.empty() && !run.as_user) replaced.emplace_back("TMPDIR", run.folder.string());
  replaced.insert(replaced.end(), run.environment.begin(), run.environment.end());
  std::vector<std::string> environment = environment_with(replaced);
  std::vector<char*> argv = pointers(words), envp = pointers(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, run.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0666);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  if (!run.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, run.folder.c_str());
  // What this process ignores (SIGPIPE) the program would ignore too.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "timeout", &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw EnvironmentError(fmt::format("cannot start {}: {}", run.arguments.front(), std::strerror(error)));
  return wait_for(child);
}

}  // namespace

std::string find_tool(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? std::string_view("/usr/bin:/bin") : std::string_view(path);
  while (true) {
    const std::size_t cut = rest.find(':');
    const fs::path folder(rest.substr(0, cut));
    const fs::path candidate = (folder.empty() ? fs::path(".") : folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0)
      return candidate.string();
    if (cut == std::string_view::npos) return {};
    rest.remove_prefix(cut + 1);
  }
}

void require_tools(const std::vector<std::string>& names) {
  std::string missing, packages;
  for (const std::string& name : names) {
    if (!find_tool(name).empty()) continue;
    missing += (missing.empty() ? "" : ", ") + name;
    const std::string package = " " + package_of(name);
    if (packages.find(package) == std::string::npos) packages += package;
  }
  if (missing.empty()) return;
  throw EnvironmentError(fmt::format(
      "{} not found on PATH; install: apt-get install --no-install-recommends{}", missing, packages));
}

void run_tool(const ToolRun& run) {
  if (stopped()) throw Interrupted("interrupted");
  const End end = spawn(run);
  if (stopped()) throw Interrupted("interrupted");
  const std::string& tool = run.arguments.front();
  std::error_code error;
  const bool has_log = fs::file_size(run.log, error) > 0 && !error;
  const std::string its_log = has_log ? fmt::format("; its log is {}", shown(run.log)) : "";
  // `timeout` ends with 124, or with 137 when it had to kill; a program's own death it repeats on itself.
  if (end.code == 124 || end.code == 137)
    throw EnvironmentError(fmt::format("{} did not finish within {} s{}", tool, run.limit_s, its_log));
  if (end.signal != 0)
    throw EnvironmentError(
        fmt::format("{} was killed by signal {} ({}){}", tool, end.signal, ::strsignal(end.signal), its_log));
  if (end.code == 127) require_tools({tool});
  if (end.code != 0) {
    const std::string said = last_line(run.log);
    throw ToolFailed(fmt::format("{} failed (exit code {}){}{}{}", tool, end.code, said.empty() ? "" : ": ",
                                 said, its_log));
  }
  if (!run.output.empty() && (fs::file_size(run.folder / run.output, error) == 0 || error))
    throw EnvironmentError(
        fmt::format("{} ended without an error but did not write {}{}", tool, run.output, its_log));
}

StopTools::StopTools(const std::atomic<bool>* stop) : before_(std::exchange(stop_flag, stop)) {}
StopTools::~StopTools() {
  stop_flag = before_;
}

std::string tool_version(const std::string& name, const fs::path& scratch) {
  const fs::path log = scratch / (name + "-version.txt");
  try {
    run_tool({{name, name == "dot" ? "-V" : "--version"}, scratch, log, 30, {}, {}});
    std::string first = read_file(log);
    first = first.substr(0, first.find('\n'));
    fs::remove(log);
    return first;
  } catch (const EnvironmentError&) {
    return {};
  }
}

}  // namespace fleetsim
