// Results that come out in a week. With open arrivals every fleet that keeps up delivers what is asked for,
// so that it says nothing; in a closed loop users ask for less where they wait, and this is what they lose.
#include <cmath>

#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

namespace {

constexpr const char* kMetric = "results_per_week";

std::vector<double> scores(const CandidateResult& fleet, const Scenario& scenario,
                           const std::vector<RunResult>& runs, double k) {
  static_cast<void>(fleet), static_cast<void>(scenario), static_cast<void>(k);
  std::vector<double> all;
  for (const RunResult& run : runs) all.push_back(-run.metrics.all.value(kMetric));
  return all;
}

Summary value(const CandidateResult& fleet, double k) {
  static_cast<void>(k);
  const auto found = fleet.metrics.find(kMetric);
  return found == fleet.metrics.end() ? summarise({}, "1/week") : found->second;
}

std::string in_words(const Summary& rate) {
  return interval_text(rate, "results a week", 2);
}

}  // namespace

const Objective kResultsPerWeek{
    .name = kMetric,
    .metric = kMetric,
    .meaning =
        "results a week of the window (completed jobs where no class promotes); most is best. For "
        "closed loops: with open arrivals every fleet that keeps up delivers what is asked for",
    .ranked = "results a week",
    .column = "Results a week",
    .worst = "delivers {} fewer results",
    .larger_is_better = true,
    .scores = scores,
    .value = value,
    .in_words = in_words};

}  // namespace fleetsim
