// How a simulated fleet is used, as far as its cost depends on it.
#pragma once

#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// Allocated utilisation by pool, a mean over the replications; 0 where it is not defined.
[[nodiscard]] std::vector<double> busy_by_pool(const CandidateResult& candidate);
/// GPU-hours a year that are rented for jobs that burst, a mean over the replications.
[[nodiscard]] double rented_a_year(const Scenario& scenario, const CandidateResult& candidate);

}  // namespace fleetsim
