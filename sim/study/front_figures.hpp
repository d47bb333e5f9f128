// What fleets can be laid out by: every objective, the cost of a year, and every metric of a run.
#pragma once

#include <string>
#include <vector>

#include "sim/study/front.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// A figure with a name of its own; the metrics of a run come beside these.
struct FrontFigure {
  std::string name;  ///< as in study.front
  std::string meaning;
  bool needs_chain = false;  ///< without a class that promotes to another it has no meaning
};
[[nodiscard]] const std::vector<FrontFigure>& front_figures();

/// Cost of all years of the scenario over their number, purchase included: at the power that the fleet drew
/// in each replication.
inline constexpr const char* kCostPerYear = "cost_per_year";

/// Whether more of the metric of a run is better; of the others less is.
[[nodiscard]] bool more_is_better(const std::string& metric);

/// Name, direction and whether it is exact; the unit is that of the candidates' figures, empty where none has
/// one.
[[nodiscard]] FrontAxis front_axis(const FrontMetric& metric, const std::vector<CandidateResult>& candidates);

/// The figure of one candidate by replication, as it is; NaN where it is not defined.
[[nodiscard]] std::vector<double> front_values(const FrontMetric& metric, const CandidateResult& candidate,
                                               const Scenario& scenario, const std::vector<RunResult>& runs);

}  // namespace fleetsim
