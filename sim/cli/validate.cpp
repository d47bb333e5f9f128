// fleetsim validate WORD: the models of fleetsim against measurements and recordings.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/validation.hpp"

namespace fleetsim::cli {
namespace {

std::vector<Command>& validation_registry() {
  static std::vector<Command> all;
  return all;
}

std::string validation_names() {
  std::string text;
  for (const Command& validation : validations()) text += (text.empty() ? "" : ", ") + validation.name;
  return text;
}

void print_help() {
  std::string text =
      "usage: fleetsim validate WORD [options]\n\nThe models of fleetsim against measurements and "
      "recordings.\n\n";
  for (const Command& validation : validations())
    text += fmt::format("  {:<9} {}\n", validation.name, validation.summary);
  print(text + "\n'fleetsim validate WORD --help' tells more. Example:\n  fleetsim validate guide\n");
}

int validate(const Arguments& arguments) {
  if (arguments.empty()) throw UsageError("validate what?", "one of: " + validation_names());
  const std::string& word = arguments.front();
  if (word == "--help" || word == "-h") {
    print_help();
    return kFine;
  }
  std::vector<std::string> names;
  for (const Command& validation : validations()) {
    if (validation.name == word) return validation.run(Arguments(arguments.begin() + 1, arguments.end()));
    names.push_back(validation.name);
  }
  const std::string near = did_you_mean(word, names);
  throw UsageError(fmt::format("'validate {}' does not exist", word),
                   near.empty() ? "one of: " + validation_names() : fmt::format("did you mean '{}'?", near));
}

const RegisterCommand kValidate{{"validate", "the models against measurements and the guide", 67, validate}};

}  // namespace

RegisterValidation::RegisterValidation(Command validation) {
  auto& all = validation_registry();
  const auto place =
      std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.order > validation.order; });
  all.insert(place, std::move(validation));
}

const std::vector<Command>& validations() {
  return validation_registry();
}

}  // namespace fleetsim::cli
