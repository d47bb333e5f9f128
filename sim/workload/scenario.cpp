// Words and small questions of the scenario (sim/scenario.hpp); this is the lowest room that compiles it.
#include "sim/scenario.hpp"

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

std::optional<ResultChain> result_chain(const Scenario& scenario) {
  const auto& classes = scenario.workload.classes;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].promotes_to) return ResultChain{static_cast<ClassId>(i), classes[i].promotes_to->target};
  }
  return std::nullopt;
}

PoolId scale_pool(const Scenario& scenario) {
  const PoolId last{static_cast<std::uint16_t>(scenario.pools.size() - 1)};
  const auto chain = result_chain(scenario);
  if (!chain) return last;
  const auto first_pool = [&](ClassId c) -> std::optional<PoolId> {
    const std::size_t partition = index(scenario.workload.classes[index(c)].partition);
    if (partition >= scenario.scheduler.partitions.size()) return std::nullopt;
    const auto& pools = scenario.scheduler.partitions[partition].pools;
    return pools.empty() ? std::nullopt : std::optional(pools.front());
  };
  const auto result = first_pool(chain->result);
  return result && result != first_pool(chain->prototype) ? *result : last;
}

}  // namespace fleetsim
