#include "sim/study/precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/objectives/objective.hpp"
#include "sim/study/statistics.hpp"

namespace fleetsim {

namespace {

constexpr double kPrecisionCoverage = 0.95;

Summary ranked_figure(const Scenario& scenario, const CandidateResult& result) {
  const Objective& objective = objective_of(scenario.study);
  return objective.money ? summarise({}, "") : objective.value(result, scenario.study.prototypes_per_result);
}

}  // namespace

PrecisionReached judge_precision(const Summary& figure, double asked, int replications, int most) {
  PrecisionReached out;
  out.asked = asked;
  out.replications = replications;
  out.most = most;
  const double half = figure.n < 2 ? std::numeric_limits<double>::infinity() : figure.ci95_high - figure.mean;
  const bool proven = half > 0.0 || tie_confidence(figure.n) >= kPrecisionCoverage;
  out.reached = half == 0.0 && proven           ? 0.0
                : proven && std::isfinite(half) ? half / std::abs(figure.mean)
                                                : NAN;
  out.met = out.reached <= asked / (1.0 + asked);
  return out;
}

int next_replications(int replications, int most) {
  return std::min(most, replications + std::max(1, replications / 4));
}

int most_replications(const Scenario& scenario) {
  return scenario.study.max_replications > 0 ? scenario.study.max_replications
                                             : 5 * scenario.time.replications;
}

Summary figure_of_precision(const Scenario& scenario, const CandidateResult& result) {
  const Summary ranked = ranked_figure(scenario, result);
  if (ranked.n > 0) return ranked;
  const auto wait = result.metrics.find("wait_s");
  return wait == result.metrics.end() ? ranked : wait->second;
}

std::string name_of_precision(const Scenario& scenario, const CandidateResult& result) {
  return ranked_figure(scenario, result).n > 0 ? objective_of(scenario.study).ranked : "mean wait";
}

std::string precision_sentence(const PrecisionReached& reached, const std::string& figure) {
  const std::string width =
      std::isnan(reached.reached)
          ? std::string("there is no interval")
          : fmt::format("half of the 95 % interval is {:.2f} % of the mean", 100.0 * reached.reached);
  return fmt::format("Precision of {} asked for: {:g} %; {} after {} replication{}{}.", figure,
                     100.0 * reached.asked, width, reached.replications, reached.replications == 1 ? "" : "s",
                     reached.met ? ", which is enough"
                     : reached.replications >= reached.most
                         ? ", NOT enough: the cap ended it (study.max_replications)"
                         : ", not enough");
}

}  // namespace fleetsim
