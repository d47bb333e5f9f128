#include "sim/study/fleet_use.hpp"

#include <cmath>

namespace fleetsim {

std::vector<double> busy_by_pool(const CandidateResult& candidate) {
  std::vector<double> busy;
  for (const Summary& s : candidate.pool_utilisation) busy.push_back(std::isnan(s.mean) ? 0.0 : s.mean);
  return busy;
}

double rented_a_year(const Scenario& scenario, const CandidateResult& candidate) {
  const auto found = candidate.metrics.find("burst_gpu_hours");
  return found == candidate.metrics.end() ? 0.0 : burst_hours_a_year(scenario, found->second.mean);
}

}  // namespace fleetsim
