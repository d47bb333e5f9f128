// How long `run` and `study` simulate, where the scenario leaves it to them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/run_length.hpp"
#include "sim/study/study.hpp"

namespace fleetsim::cli {

/// Puts the warm-up that MSER-5 finds in place of `time.warm_up: mser-5`: the largest of all fleets of all
/// cells, so that all runs of the study measure the same window. Nothing, and an empty answer, where a
/// duration was given. Throws Interrupted. Cost: a pilot run of each fleet.
std::optional<WarmUpFound> settle_warm_up(Scenario& scenario, const std::string& catalog, int threads);

/// The same for the one fleet of `run`.
std::optional<WarmUpFound> settle_warm_up_of_run(Scenario& scenario);

/// Replications `first` to first + time.replications - 1 of the fleet, and where `time.precision` is asked
/// for more of them until it is met or the cap is reached; then time.replications of `scenario` is what was
/// simulated. Fewer: stopped.
struct MeasuredRuns {
  std::vector<RunResult> runs;
  std::optional<PrecisionReached> precision;
};
[[nodiscard]] MeasuredRuns measured_runs(Scenario& scenario, const Scenario& simulated, int first,
                                         int threads,
                                         const std::function<void(const StudyProgress&)>& progress);

}  // namespace fleetsim::cli
