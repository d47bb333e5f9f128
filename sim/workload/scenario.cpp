// Words and small questions of the scenario (sim/scenario.hpp); this is the lowest room that compiles it.
#include "sim/scenario.hpp"

#include <algorithm>

namespace fleetsim {

const char* to_string(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::fifo:
      return "fifo";
    case PolicyKind::easy:
      return "easy";
    case PolicyKind::conservative:
      return "conservative";
    case PolicyKind::builtin:
      return "builtin";
    case PolicyKind::backfill:
      return "backfill";
  }
  return "";
}

const char* to_string(SharingRule rule) {
  switch (rule) {
    case SharingRule::strict:
      return "strict";
    case SharingRule::overflow:
      return "overflow";
    case SharingRule::preempt:
      return "preempt";
    case SharingRule::one_pool:
      return "one-pool";
    case SharingRule::private_machines:
      return "private";
  }
  return "";
}

const char* to_string(TieRule rule) {
  switch (rule) {
    case TieRule::batch:
      return "batch";
    case TieRule::end_first:
      return "end-first";
    case TieRule::submit_first:
      return "submit-first";
  }
  return "";
}

const char* to_string(PlacementRule rule) {
  return rule == PlacementRule::spread ? "spread" : "pack";
}

const char* to_string(Alternative alternative) {
  switch (alternative) {
    case Alternative::keep:
      return "keep";
    case Alternative::add:
      return "add";
    case Alternative::replace:
      return "replace";
  }
  return "";
}

const char* to_string(RentTerms terms) {
  switch (terms) {
    case RentTerms::on_demand:
      return "on-demand";
    case RentTerms::reserved:
      return "reserved";
    case RentTerms::spot:
      return "spot";
  }
  return "";
}

std::optional<ResultChain> result_chain(const Scenario& scenario) {
  const auto& classes = scenario.workload.classes;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].promotes_to) return ResultChain{static_cast<ClassId>(i), classes[i].promotes_to->target};
  }
  return std::nullopt;
}

bool has_closed_loop(const Scenario& scenario) {
  const auto& classes = scenario.workload.classes;
  return std::any_of(classes.begin(), classes.end(),
                     [](const JobClass& c) { return c.arrivals && c.arrivals->closed_loop; });
}

std::size_t bought_pools(const Scenario& scenario) {
  std::size_t n = 0;
  while (n < scenario.pools.size() && !scenario.pools[n].existing) ++n;
  return n;
}

namespace {

std::string counts_label(const Scenario& scenario) {
  std::string counts;
  for (const NodePool& pool : scenario.pools) {
    if (pool.existing) continue;
    if (!counts.empty()) counts += '+';
    counts += std::to_string(pool.count);
  }
  if (!scenario.alternative) return counts.empty() ? to_string(Alternative::keep) : counts;
  const std::string what = to_string(*scenario.alternative);
  return *scenario.alternative == Alternative::keep ? what : what + " " + counts;
}

}  // namespace

std::string fleet_label(const Scenario& scenario) {
  const std::string counts = counts_label(scenario);
  return scenario.choice.empty() ? counts : counts + " " + scenario.choice;
}

PoolId scale_pool(const Scenario& scenario) {
  const std::size_t bought = bought_pools(scenario);
  const PoolId last{static_cast<std::uint16_t>((bought > 0 ? bought : scenario.pools.size()) - 1)};
  const auto chain = result_chain(scenario);
  if (!chain) return last;
  const auto first_pool = [&](ClassId c) -> std::optional<PoolId> {
    const std::size_t partition = index(scenario.workload.classes[index(c)].partition);
    if (partition >= scenario.scheduler.partitions.size()) return std::nullopt;
    for (const PoolId pool : scenario.scheduler.partitions[partition].pools)
      if (index(pool) < bought) return pool;
    return std::nullopt;
  };
  const auto result = first_pool(chain->result);
  return result && result != first_pool(chain->prototype) ? *result : last;
}

}  // namespace fleetsim
