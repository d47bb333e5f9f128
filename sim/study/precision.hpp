// `time.precision`: are there enough replications?
#pragma once

#include "sim/study/run_length.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// Whether half of the 95 % interval over the mean is at most g / (1 + g) for a precision of g: then the mean
/// is off by at most g of the true one (which the interval, relative to the estimate, does not say).
/// Replications that agree have an interval only where tie_confidence() reaches 95 %. Law, Simulation
/// Modeling and Analysis (5th ed. 2015), section 9.4.1, who asks for at least ten replications and g of at
/// most 15 %: looking again and again, the interval covers a little less than 95 %.
[[nodiscard]] PrecisionReached judge_precision(const Summary& figure, double asked, int replications,
                                               int most);

/// So many replications are looked at next: a quarter more, at least one, at most `most`.
[[nodiscard]] int next_replications(int replications, int most);

/// Cap of a run, and of a candidate by rounds: study.max_replications, by default five times
/// time.replications.
[[nodiscard]] int most_replications(const Scenario& scenario);

/// What a run is measured by: what fleets are ranked by at the scenario's own k; the mean wait where that is
/// not defined, or is money.
[[nodiscard]] Summary figure_of_precision(const Scenario& scenario, const CandidateResult& result);
[[nodiscard]] std::string name_of_precision(const Scenario& scenario, const CandidateResult& result);

/// What is said of it; `figure`: in words, as "time to a result".
[[nodiscard]] std::string precision_sentence(const PrecisionReached& reached, const std::string& figure);

}  // namespace fleetsim
