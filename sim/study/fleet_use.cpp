#include "sim/study/fleet_use.hpp"

#include <algorithm>
#include <cmath>

namespace fleetsim {

namespace {

template <typename Value>
PoolUse use_at(const Scenario& scenario, const CandidateResult& candidate, Value&& value) {
  PoolUse use;
  for (const Summary& s : candidate.pool_utilisation)
    use.busy.push_back(std::isnan(s.mean) ? 0.0 : std::clamp(value(s), 0.0, 1.0));
  const auto rent = candidate.metrics.find("burst_gpu_hours");
  if (rent == candidate.metrics.end()) return use;
  const double hours = std::max(0.0, value(rent->second));
  use.rented = std::isinf(hours) ? hours : burst_hours_a_year(scenario, hours);
  return use;
}

}  // namespace

PoolUse mean_use(const Scenario& scenario, const CandidateResult& candidate) {
  return use_at(scenario, candidate, [](const Summary& s) { return s.mean; });
}

PoolUseRange use_range(const Scenario& scenario, const CandidateResult& candidate) {
  return {mean_use(scenario, candidate),
          use_at(scenario, candidate, [](const Summary& s) { return s.ci95_low; }),
          use_at(scenario, candidate, [](const Summary& s) { return s.ci95_high; })};
}

CostTable cost_of_use(const Scenario& scenario, const Bill& bill, const PoolUse& use) {
  return cost_by_year(scenario, bill, {mean_power(scenario, use.busy), use.rented});
}

}  // namespace fleetsim
