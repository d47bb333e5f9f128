// `fleetsim validate WORD`: one file a word; each registers itself.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.hpp"

namespace fleetsim::cli {

/// At namespace scope of a validation's file: const RegisterValidation kGuide{{"guide", "...", 20, run}};
/// `run` gets what follows the word.
struct RegisterValidation {
  explicit RegisterValidation(Command validation);
};
[[nodiscard]] const std::vector<Command>& validations();

}  // namespace fleetsim::cli
