// What becomes of the nodes that are there, side by side: keep them, add to them, replace them.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// One row for each alternative of the scenario, in its order, `keep` (doing nothing) first: the fleet of the
/// alternative that the study would choose under the scenario's own sharing rule and k. That is the feasible
/// fleet of the least mean time to a result; where none is feasible the one that delivers most results a
/// week, and `feasible` is false. Equal: the first. Empty when the scenario names no alternatives.
[[nodiscard]] std::vector<AlternativeRow> side_by_side(const Scenario& base, const StudyResult& study);

/// One sentence a row, as the study prints and the report repeats.
[[nodiscard]] std::string in_words(const AlternativeRow& row, int years);

}  // namespace fleetsim
