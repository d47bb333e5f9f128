// What the commands that read a scenario share: options as numbers, opening the file, the command to type
// again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "sim/base/units.hpp"

namespace fleetsim::cli {

/// A whole number of `low` to `high`; a UsageError names the option. `see` points at the help page.
[[nodiscard]] std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t low,
                                        std::int64_t high, const std::string& see);
/// --seed, --replications as assignments for LoadOptions::set; empty texts are left out.
void set_seed_and_replications(const std::string& seed, const std::string& replications,
                               const std::string& see, std::vector<std::string>& set);
/// --threads; empty: 0, all cores.
[[nodiscard]] int threads_of(const std::string& text, const std::string& see);

/// Refuses to write over what is read, or one output over another: (what, path) pairs, empty paths are
/// skipped. Two names of one file count as the same; devices such as /dev/stdout may be named twice.
void refuse_same_file(const std::vector<std::pair<std::string, std::string>>& files);

/// YYYY-MM-DD in UTC: the day of SOURCE_DATE_EPOCH where that is set, else today. Prices may not be dated
/// later.
[[nodiscard]] std::string today();

/// Loads and prints every diagnostic. Empty: there were errors, exit kWrongInput.
[[nodiscard]] std::optional<LoadedScenario> open_scenario(const std::string& file,
                                                          const std::vector<std::string>& set,
                                                          const std::string& catalog);

/// What of a scenario the runs of a study depend on: all but the study section and the number of
/// replications. So more replications or another k reuse what a store holds.
[[nodiscard]] Scenario studied_scenario(const Scenario& scenario);
/// The fleets of a studied_scenario under each sharing rule that is built. `catalog`: a folder added to the
/// built-in catalogue, which axes of choices may name entries of.
[[nodiscard]] std::unique_ptr<CandidateSource> candidates_of(const Scenario& studied,
                                                             const std::string& catalog = {});

/// Why 'study' refuses a scenario of which all is built, and what to do about it.
struct StudyRefusal {
  std::string reason, hint;
};
[[nodiscard]] std::vector<StudyRefusal> study_refusals(const Scenario& scenario);

/// One word for a POSIX shell.
[[nodiscard]] std::string shell_quoted(const std::string& word);
/// `fleetsim COMMAND FILE --set ...`, quoted for a POSIX shell.
[[nodiscard]] std::string command_text(const std::string& command, const std::string& file,
                                       const std::vector<std::string>& set, const std::string& catalog);

}  // namespace fleetsim::cli
