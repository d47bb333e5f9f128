// Findings of the room and the rules, as `check`, `price` and `run` print them.
#pragma once

#include <string>
#include <vector>

#include "sim/facility/facility.hpp"

namespace fleetsim::cli {

/// A heading with the number of each severity, then two lines a finding: what and where, and what helps.
[[nodiscard]] std::string findings_text(const std::vector<facility::Finding>& findings);
[[nodiscard]] bool any_hard(const std::vector<facility::Finding>& findings);

}  // namespace fleetsim::cli
