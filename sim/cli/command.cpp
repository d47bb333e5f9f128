#include "sim/cli/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {

namespace po = boost::program_options;

namespace {

std::vector<Command>& command_registry() {
  static std::vector<Command> all;
  return all;
}

std::atomic<bool> stop_requested{false}, stop_is_polled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_stop_signal(int) {
  if (stop_is_polled.load() && !stop_requested.exchange(true)) return;
  drop_unfinished_files();
  const char said[] = "fleetsim: interrupted\n";
  static_cast<void>(::write(STDERR_FILENO, said, sizeof said - 1) == 0);
  ::_exit(kInterrupted);
}

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string bare(const std::string& option) {
  const auto begin = option.find_first_not_of('-');
  return begin == std::string::npos ? std::string{} : option.substr(begin, option.find('=') - begin);
}

}  // namespace

RegisterCommand::RegisterCommand(Command command) {
  auto& all = command_registry();
  const auto place =
      std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.order > command.order; });
  all.insert(place, std::move(command));
}

const std::vector<Command>& commands() {
  return command_registry();
}

CommandLine::CommandLine(std::string name_, std::string usage_, std::string about_, std::string example_)
    : name(std::move(name_)),
      usage(std::move(usage_)),
      about(std::move(about_)),
      example(std::move(example_)) {}

namespace {

/// An option with an empty value is a slip, e.g. an unset variable of a shell: it must not pass for "not
/// given".
void refuse_empty(const po::variables_map& values) {
  for (const auto& [option, value] : values) {
    const auto empty = [](const std::string& word) { return word.empty(); };
    const auto* one = boost::any_cast<std::string>(&value.value());
    const auto* many = boost::any_cast<std::vector<std::string>>(&value.value());
    if ((one != nullptr && !value.defaulted() && one->empty()) ||
        (many != nullptr && std::any_of(many->begin(), many->end(), empty)))
      throw UsageError(fmt::format("'{}' has an empty value", option), "give a value, or leave it out");
  }
}

}  // namespace

bool CommandLine::parse(const Arguments& arguments, po::variables_map& values) const {
  po::options_description all;
  all.add(options);
  all.add_options()("help,h", "prints this page");
  const std::string see = fmt::format("see 'fleetsim {} --help'", name);
  try {
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(positional)
                  .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                  .run(),
              values);
    if (values.count("help") != 0) {
      // Positional arguments are options to the parser, not to the reader of this page.
      po::options_description shown("Options");
      for (const auto& option : all.options()) {
        const std::string& long_name = option->long_name();
        bool is_positional = false;
        for (unsigned i = 0; i < positional.max_total_count() && i < 8; ++i) {
          is_positional = is_positional || positional.name_for_position(i) == long_name;
        }
        if (!is_positional) shown.add(option);
      }
      std::ostringstream text;
      text << shown;
      print(fmt::format("usage: fleetsim {} {}\n\n{}\n\n{}\nExample:\n  {}\n", name, usage, about, text.str(),
                        example));
      return false;
    }
    refuse_empty(values);
    po::notify(values);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> names;
    for (const auto& option : all.options()) names.push_back(option->long_name());
    const std::string word = bare(e.get_option_name());
    const std::string near = did_you_mean(word, names);
    throw UsageError(fmt::format("unknown option '{}'", e.get_option_name()),
                     near.empty() ? see : fmt::format("did you mean '--{}'?", near));
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(fmt::format("too many arguments for 'fleetsim {}'", name), see);
  } catch (const po::error& e) {
    throw UsageError(e.what(), see);
  }
  return true;
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw EnvironmentError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void note(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
}

int report(const Diagnostics& diagnostics, const std::string& source) {
  for (const Diagnostic& diagnostic : diagnostics.sorted())
    std::fputs(render(diagnostic, source).c_str(), stderr);
  return diagnostics.has_errors() ? kWrongInput : kFine;
}

void prepare_process() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Standard output is opened for reading: writing to it must fail, as it does when it is closed.
    const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", mode));  // gets the lowest free number
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is a failed write too
  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // The terminal was closed. Who started the program under nohup(1) said that this must not end it. SIGINT is
  // another matter: shells ignore it for what they start with '&', and 'kill -INT' must still reach that.
  struct sigaction old {};
  if (sigaction(SIGHUP, nullptr, &old) != 0 || old.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

const std::atomic<bool>& interrupted() {
  stop_is_polled.store(true);
  return stop_requested;
}

namespace {

bool wants_bar() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string term = variable("TERM");
  return isatty(STDERR_FILENO) != 0 && !term.empty() && term != "dumb" && variable("NO_COLOR").empty();
}

std::size_t terminal_width() {
  struct winsize size {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// Fits one line of `width` columns: the bar takes what the words leave.
std::string bar_text(const std::string& words, double share, std::size_t width) {
  constexpr std::size_t kWidest = 30, kNarrowest = 5;
  if (words.size() >= width) return words.substr(0, width);
  const std::size_t room = width - words.size();
  if (room < kNarrowest + 3) return words;
  const std::size_t cells = std::min(kWidest, room - 3);
  const auto full = std::min(cells, static_cast<std::size_t>(share * static_cast<double>(cells)));
  return words + " [" + std::string(full, '#') + std::string(cells - full, '.') + "]";
}

}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)), bar_(wants_bar()), begun_(now_s()) {
  if (!bar_) drawn_ = begun_;
}

Progress::~Progress() {
  if (bar_ && drawn_ > 0.0) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::int64_t done, std::int64_t total) {
  constexpr double kBarEvery_s = 0.2, kLineEvery_s = 30.0;
  if (first_ < 0) first_ = done;
  const double now = now_s(), waited = now - drawn_;
  if (bar_ ? waited < kBarEvery_s && done < total : waited < kLineEvery_s) return;
  drawn_ = now;
  const double rate = static_cast<double>(done - first_) / std::max(1e-9, now - begun_);
  const std::string left =
      rate > 0.0 ? fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate) : "";
  const std::string words = fmt::format("{}: {}/{} ({:.1f}/s{})", what_, done, total, rate, left);
  if (!bar_) return note(words);
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
  std::fputs(("\r\033[K" + bar_text(words, share, terminal_width() - 1)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace fleetsim::cli
