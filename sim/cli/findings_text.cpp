#include "sim/cli/findings_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fleetsim::cli {

using facility::Finding;
using facility::Severity;

bool any_hard(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.severity == Severity::hard; });
}

std::string findings_text(const std::vector<Finding>& findings) {
  const auto number = [&](Severity severity) {
    return std::count_if(findings.begin(), findings.end(),
                         [&](const Finding& f) { return f.severity == severity; });
  };
  std::string text =
      fmt::format("room and rules: {} hard, {} soft, {} note{}{}\n", number(Severity::hard),
                  number(Severity::soft), number(Severity::note), number(Severity::note) == 1 ? "" : "s",
                  any_hard(findings) ? ": this fleet cannot be run as it is" : "");
  for (const Finding& f : findings) {
    text += fmt::format("  {} {} at {}: {}\n", f.severity == Severity::hard ? "HARD" : to_string(f.severity),
                        f.check, f.place, f.message);
    if (!f.remedy.empty()) text += fmt::format("       remedy: {}\n", f.remedy);
  }
  return text;
}

}  // namespace fleetsim::cli
