// k prototypes in sequence and one large run: the default. Under overload its mean grows with the horizon,
// and in a closed loop it hides results that were never asked for.
#include <fmt/format.h>

#include <cmath>

#include "sim/study/objectives/objective.hpp"

namespace fleetsim {

namespace {

std::vector<double> scores(const CandidateResult& fleet, const Scenario& scenario,
                           const std::vector<RunResult>& runs, double k) {
  static_cast<void>(fleet);
  return times_to_result(scenario, runs, k);
}

Summary value(const CandidateResult& fleet, double k) {
  for (const ObjectiveValue& one : fleet.objective)
    if (std::abs(one.k - k) <= 1e-9 * std::max(one.k, k)) return one.hours;
  return summarise({}, "h");
}

std::string in_words(const Summary& hours) {
  return interval_text(hours, "h to a result", 1);
}

}  // namespace

const Objective kTimeToResult{
    .name = "time_to_result",
    .metric = "time_to_result_h",
    .meaning = "k mean prototypes and one mean scale-up, one after the other; the default, least is best",
    .ranked = "time to a result",
    .column = "Time to result, h",
    .worst = "takes {} longer",
    .of_k = true,
    .needs_chain = true,
    .scores = scores,
    .value = value,
    .in_words = in_words};

}  // namespace fleetsim
