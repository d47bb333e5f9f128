// How a simulated fleet is used, as far as its cost depends on it.
#pragma once

#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

struct PoolUse {
  std::vector<double> busy;  ///< allocated utilisation by pool; 0 where it is not defined
  double rented = 0.0;       ///< GPU-hours a year that are rented for jobs that burst
};
/// Mean over the replications.
[[nodiscard]] PoolUse mean_use(const Scenario& scenario, const CandidateResult& candidate);

/// That, and all of it at the lower and at the upper ends of the 95 % intervals; a rent without an interval
/// is infinite at its upper end.
struct PoolUseRange {
  PoolUse mean, low, high;
};
[[nodiscard]] PoolUseRange use_range(const Scenario& scenario, const CandidateResult& candidate);

/// Purchase and running costs of the fleet in `scenario`, at its prices. Rents must be finite.
[[nodiscard]] CostTable cost_of_use(const Scenario& scenario, const Bill& bill, const PoolUse& use);

}  // namespace fleetsim
