// One file per command; each registers itself. Results go to stdout, everything else to stderr.
#pragma once

#include <atomic>
#include <boost/program_options.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/diagnostic.hpp"

namespace fleetsim::cli {

/// Exit codes, as promised to users.
enum Exit : int { kFine = 0, kAnsweredNo = 1, kWrongInput = 2, kEnvironment = 3, kInterrupted = 130 };

using Arguments = std::vector<std::string>;  ///< what follows the command's name
using CommandFunction = int (*)(const Arguments&);

struct Command {
  std::string name;
  std::string summary;  ///< one line for `fleetsim --help`
  int order = 0;        ///< place in that list
  CommandFunction run = nullptr;
};

/// At namespace scope of a command's file: const RegisterCommand kRun{{"run", "simulates one fleet", 20,
/// run}};
struct RegisterCommand {
  explicit RegisterCommand(Command command);
};
[[nodiscard]] const std::vector<Command>& commands();

/// A wrong command line or input that has no place in a file. Caught by main: prints `fleetsim: MESSAGE`,
/// then the hint, exit 2.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

/// What a command accepts. `usage` and `example` complete its --help.
struct CommandLine {
  std::string name, usage, about, example;
  boost::program_options::options_description options{"Options"};
  boost::program_options::positional_options_description positional;  ///< names must be among `options`

  explicit CommandLine(std::string name_, std::string usage_, std::string about_, std::string example_);
  /// Parses; unknown options, missing values and repeated options are UsageErrors with "did you mean". Prints
  /// --help and returns false when it was asked for.
  [[nodiscard]] bool parse(const Arguments& arguments, boost::program_options::variables_map& values) const;
};

/// Prints to stdout / stderr; a failed write to stdout (closed pipe, full disk) is an EnvironmentError.
void print(const std::string& text);
void note(const std::string& text);  ///< stderr, adds a newline

/// Prints diagnostics to stderr, each with its source line; returns kWrongInput when there are errors, else
/// kFine.
int report(const Diagnostics& diagnostics, const std::string& source);

/// For main, before all else: descriptors 0 to 2 that the caller closed lead nowhere, so that no file opened
/// later gets one of them; a closed pipe is a failed write; SIGINT, SIGTERM and SIGHUP (unless it
/// was ignored already, as nohup does) end the program with 130 and leave no temporary file.
void prepare_process();

/// True once SIGINT or SIGTERM came. From the first call on, the first such signal only sets it: who calls
/// must look at it; a second signal ends the program at once.
const std::atomic<bool>& interrupted();

/// Progress on stderr (done/total, rate, time left): on a terminal a bar that is redrawn, as wide as the
/// terminal allows; elsewhere, with TERM=dumb or with NO_COLOR a plain line every half minute.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  void update(std::int64_t done, std::int64_t total);

 private:
  std::string what_;
  bool bar_;
  double begun_, drawn_ = 0.0;
  std::int64_t first_ = -1;  ///< done at the first call: a resumed study did not compute those
};

}  // namespace fleetsim::cli
