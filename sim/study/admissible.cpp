#include "sim/study/admissible.hpp"

#include <algorithm>

#include "sim/facility/facility.hpp"

namespace fleetsim {

namespace {

RejectedFleet refused(const Scenario& scenario, std::string reason) {
  RejectedFleet fleet;
  fleet.label = fleet_label(scenario);
  Money all;
  const PoolId scale = scale_pool(scenario);
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    const NodePool& pool = scenario.pools[i];
    fleet.counts.push_back(pool.count);
    all += node_price(scenario, PoolId{static_cast<std::uint16_t>(i)}) * pool.count;
  }
  if (all > Money{}) fleet.share = node_price(scenario, scale) * scenario.pools[index(scale)].count / all;
  fleet.reason = std::move(reason);
  return fleet;
}

}  // namespace

AdmissibleCandidates::AdmissibleCandidates(const CandidateSource& all) : all_(all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Candidate candidate = all.make(i);
    std::string reason = facility::rejection(candidate.scenario);
    if (reason.empty()) {
      kept_.push_back(i);
      continue;
    }
    RejectedFleet fleet = refused(candidate.scenario, std::move(reason));
    const auto same = [&](const RejectedFleet& r) {
      return r.label == fleet.label && r.reason == fleet.reason;
    };
    if (std::none_of(rejected_.begin(), rejected_.end(), same)) rejected_.push_back(std::move(fleet));
  }
}

}  // namespace fleetsim
