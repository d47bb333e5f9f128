// What `study` and `advise --simulate` run, and where its runs are kept.
#pragma once

#include <filesystem>
#include <memory>

#include "sim/scenario.hpp"
#include "sim/study/admissible.hpp"
#include "sim/study/cells.hpp"
#include "sim/study/study.hpp"

namespace fleetsim::cli {

struct StudySetup {
  std::unique_ptr<CandidateSource> bought;       ///< what the budget pays for
  std::unique_ptr<AdmissibleCandidates> fleets;  ///< of those, what the room and the rules admit
  StudyOptions options;                          ///< store in the folder, notes on stderr, stops at Ctrl-C
  std::unique_ptr<CellSource> cells;             ///< null without axes of conditions
};

/// Makes no folder. `catalog`: as for candidates_of(). Throws UsageError when the budget pays no fleet at
/// all.
[[nodiscard]] StudySetup study_setup(const Scenario& scenario, const std::filesystem::path& folder,
                                     int threads, const std::string& catalog = {});

/// Throws UsageError for a scenario that names what is not built, or that has nothing to study.
void refuse_unstudied(const Scenario& scenario);

}  // namespace fleetsim::cli
