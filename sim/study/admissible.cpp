#include "sim/study/admissible.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "sim/facility/facility.hpp"
#include "sim/study/parallel.hpp"

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
  const auto fleets = static_cast<std::int64_t>(all.fleets());
  std::vector<std::string> reasons(all.fleets());
  FirstFault fault;
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t i = 0; i < fleets; ++i)
    fault.guard([&] {
      const auto fleet = static_cast<std::size_t>(i);
      reasons[fleet] = facility::rejection(all.sketch(fleet).scenario);
    });
  fault.rethrow();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (reasons[i % all.fleets()].empty()) kept_.push_back(i);
  std::set<std::pair<std::string, std::string>> told;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    fleets_ += reasons[i].empty() ? 1 : 0;
    if (reasons[i].empty()) continue;
    RejectedFleet fleet = refused(all.sketch(i).scenario, std::move(reasons[i]));
    if (told.emplace(fleet.label, fleet.reason).second) rejected_.push_back(std::move(fleet));
  }
}

}  // namespace fleetsim
