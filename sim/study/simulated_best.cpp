#include "sim/study/simulated_best.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/economics/economics.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim {
namespace {

/// Share of each pool in the node money of a fleet.
std::vector<double> shares(const Scenario& scenario, const std::vector<int>& counts) {
  std::vector<double> money;
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    money.push_back(to_usd(node_price(scenario, PoolId{static_cast<std::uint16_t>(i)}) * counts[i]));
    sum += money.back();
  }
  if (sum > 0.0)
    for (double& m : money) m /= sum;
  return money;
}

}  // namespace

SimulatedBest simulated_best(const Scenario& scenario, const StudyResult& study, SharingRule sharing,
                             double k, const std::string& from) {
  SimulatedBest best;
  best.from = from;
  best.sharing = to_string(sharing);
  best.k = k;
  const Objective& objective = objective_named(study.objective);
  best.ranked_by = objective.of_k ? fmt::format("k = {:g}", k) : std::string(objective.ranked);
  best.replications = study.replications;
  best.scale_pool = study.scale_pool;
  best.first_order_share = study.first_order_share;
  best.verdict = study.verdict;
  const BestSet* set = find_best_set(study, sharing, k);
  if (set == nullptr || set->best < 0) return best;
  const auto& fleet = study.candidates[static_cast<std::size_t>(set->best)];
  best.label = full_label(fleet);
  for (std::size_t i = 0; i < scenario.pools.size() && i < fleet.counts.size(); ++i) {
    const NodePool& pool = scenario.pools[i];
    best.pools.push_back({pool.name, pool.node.name,
                          fmt::format("{}x {}", pool.node.gpus, pool.node.gpu.title), pool.node.gpu.name,
                          pool.node.gpus, fleet.counts[i], 1.0, 0.0});
    best.gpus += fleet.counts[i] * pool.node.gpus;
  }
  const auto shares_of = [&](int candidate) {
    return shares(scenario, study.candidates[static_cast<std::size_t>(candidate)].counts);
  };
  for (const int member : set->members) best.as_good.push_back(shares_of(member));
  for (const int one : set->undecided) best.undecided.push_back(shares_of(one));
  for (const std::vector<double>& of : best.as_good) {
    for (std::size_t i = 0; i < best.pools.size() && i < of.size(); ++i) {
      best.pools[i].share_low = std::min(best.pools[i].share_low, of[i]);
      best.pools[i].share_high = std::max(best.pools[i].share_high, of[i]);
    }
  }
  return best;
}

}  // namespace fleetsim
