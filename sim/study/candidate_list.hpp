// Candidates by their number in StudyResult::candidates.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// `candidate` must be one of the study's.
[[nodiscard]] inline const CandidateResult& studied_candidate(const StudyResult& study, int candidate) {
  return study.candidates[static_cast<std::size_t>(candidate)];
}

/// Whether a list such as BestSet::members names the candidate. Cost: O(list).
[[nodiscard]] inline bool names_candidate(const std::vector<int>& list, int candidate) {
  return std::find(list.begin(), list.end(), candidate) != list.end();
}

}  // namespace fleetsim
