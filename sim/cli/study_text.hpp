// The study's result as text for a terminal.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// Demand, one table per sharing rule with a legend, rejected candidates, broken laws, verdict,
/// recommendation. Ends with a newline.
[[nodiscard]] std::string study_text(const Scenario& base, const StudyResult& study);

/// " and 95 fleets of drawn prices x 6 replications", or nothing.
[[nodiscard]] std::string drawn_text(int fleets, int replications);
[[nodiscard]] std::string plan_text(const StudyPlan& plan, const std::string& store);
/// The same for programs; `total` is that of the study, the other sums are of this shard.
[[nodiscard]] std::string plan_json(const StudyPlan& plan, const std::string& store);

}  // namespace fleetsim::cli
