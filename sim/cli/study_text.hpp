// The study's result as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// Demand, one table per sharing rule with a legend, rejected candidates, broken laws, verdict,
/// recommendation. Ends with a newline.
[[nodiscard]] std::string study_text(const Scenario& base, const StudyResult& study);

/// " and 95 fleets of drawn prices x 6 replications", or nothing.
[[nodiscard]] std::string drawn_text(int fleets, int replications);
/// `rejected: 17+0: REASON`, a line each.
[[nodiscard]] std::string rejected_text(const std::vector<RejectedFleet>& rejected);

}  // namespace fleetsim::cli
