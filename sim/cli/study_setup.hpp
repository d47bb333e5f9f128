// What `study` and `advise --simulate` run, and where its runs are kept.
#pragma once

#include <filesystem>
#include <memory>

#include "sim/scenario.hpp"
#include "sim/study/admissible.hpp"
#include "sim/study/study.hpp"

namespace fleetsim::cli {

struct StudySetup {
  std::unique_ptr<CandidateSource> bought;       ///< what the budget pays for
  std::unique_ptr<AdmissibleCandidates> fleets;  ///< of those, what the room and the rules admit
  StudyOptions options;                          ///< store in the folder, notes on stderr, stops at Ctrl-C
};

/// Makes no folder. Throws UsageError when the budget pays no fleet at all.
[[nodiscard]] StudySetup study_setup(const Scenario& scenario, const std::filesystem::path& folder,
                                     int threads);

}  // namespace fleetsim::cli
