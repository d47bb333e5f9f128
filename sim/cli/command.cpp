#include "sim/cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "sim/study/errors.hpp"

namespace fleetsim::cli {

namespace po = boost::program_options;

namespace {

std::vector<Command>& registry() {
  static std::vector<Command> all;
  return all;
}

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string bare(const std::string& option) {
  const auto begin = option.find_first_not_of('-');
  return begin == std::string::npos ? std::string{} : option.substr(begin, option.find('=') - begin);
}

}  // namespace

RegisterCommand::RegisterCommand(Command command) {
  auto& all = registry();
  const auto place =
      std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.order > command.order; });
  all.insert(place, std::move(command));
}

const std::vector<Command>& commands() {
  return registry();
}

CommandLine::CommandLine(std::string name_, std::string usage_, std::string about_, std::string example_)
    : name(std::move(name_)),
      usage(std::move(usage_)),
      about(std::move(about_)),
      example(std::move(example_)) {}

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

const std::atomic<bool>& interrupted() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested.store(true); };
    action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends the program at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return true;
  }();
  static_cast<void>(installed);
  return stop_requested;
}

Progress::Progress(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0), begun_(now_s()) {}

Progress::~Progress() {
  if (terminal_ && drawn_ > 0.0) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::int64_t done, std::int64_t total) {
  if (first_ < 0) first_ = done;
  const double now = now_s();
  if (!terminal_ || (now - drawn_ < 0.2 && done < total)) return;
  drawn_ = now;
  const double rate = static_cast<double>(done - first_) / std::max(1e-9, now - begun_);
  const std::string left =
      rate > 0.0 ? fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate) : "";
  std::fputs(fmt::format("\r\033[K{}: {}/{} ({:.1f}/s{})", what_, done, total, rate, left).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace fleetsim::cli
