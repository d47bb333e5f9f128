// fleetsim COMMAND ...: finds the command, runs it, turns what it throws into an exit code.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/cli/command.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

std::string help() {
  std::string text = "fleetsim " FLEETSIM_VERSION
                     ": which cluster should we buy, and how sure are we?\n\nusage: fleetsim COMMAND "
                     "[ARGUMENTS]\n\nCommands:\n";
  for (const Command& command : commands())
    text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  text +=
      "\n'fleetsim COMMAND --help' tells more. A first study:\n"
      "  fleetsim check scenarios/lab-66-33.yaml\n"
      "  fleetsim study scenarios/lab-66-33.yaml --out out\n"
      "  fleetsim report out --to pdf\n";
  return text;
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    std::fputs(help().c_str(), stderr);
    return kWrongInput;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print(help());
    return kFine;
  }
  if (name == "--version") {
    print("fleetsim " FLEETSIM_VERSION "\n");
    return kFine;
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command.run(Arguments(arguments.begin() + 1, arguments.end()));
    names.push_back(command.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("unknown command '{}'", name),
                   near.empty() ? "see 'fleetsim --help'" : fmt::format("did you mean '{}'?", near));
}

}  // namespace
}  // namespace fleetsim::cli

int main(int argc, char** argv) {
  using namespace fleetsim;
  cli::prepare_process();
  try {
    return cli::dispatch(cli::Arguments(argv + 1, argv + argc));
  } catch (const cli::UsageError& e) {
    std::fprintf(stderr, "fleetsim: %s\n", e.what());
    if (!e.hint().empty()) std::fprintf(stderr, "  %s\n", e.hint().c_str());
    return cli::kWrongInput;
  } catch (const EnvironmentError& e) {
    std::fprintf(stderr, "fleetsim: %s\n", e.what());
    return cli::kEnvironment;
  } catch (const Interrupted& e) {
    std::fprintf(stderr, "fleetsim: %s\n", e.what());
    return cli::kInterrupted;
  } catch (const std::filesystem::filesystem_error& e) {
    std::fprintf(stderr, "fleetsim: cannot use %s: %s\n", shown(e.path1()).c_str(),
                 e.code().message().c_str());
    return cli::kEnvironment;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "fleetsim: out of memory\n");
    return cli::kEnvironment;
  } catch (const std::exception& e) {
    std::fprintf(
        stderr,
        "fleetsim: internal error: %s\n  This is a fault of fleetsim. Please report it with the scenario.\n",
        e.what());
    return cli::kEnvironment;
  }
}
