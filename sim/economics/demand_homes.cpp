// Where the jobs of a class can run, how long there, and which nodes its demand is counted on.
#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "sim/economics/demand_parts.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "topology/card_limits.hpp"
#include "topology/step_time_book.hpp"

namespace fleetsim {
namespace {

struct MeanOf {
  double operator()(const LognormalSpec& law) const { return to_seconds(law.mean); }
  double operator()(const ExponentialSpec& law) const { return to_seconds(law.mean); }
  double operator()(const FixedSpec& law) const { return to_seconds(law.value); }
};

double ratio_on(const JobClass& job_class, int gpus, const Scenario& scenario, const NodePool& pool) {
  const NodeType& node = pool.node;
  const FabricSpec& fabric = scenario.fabric;
  if (node.gpu.memory.value < job_class.gpu_memory) return kImpossible;
  if (gpus > node.gpus && fabric.shape == FabricShape::none) return kImpossible;
  const int nodes = (gpus + node.gpus - 1) / node.gpus;
  if (nodes > 1 && !fabric_counts(fabric, nodes, node.gpus))
    return kImpossible;  // more than the switches can join
  if (!job_class.model || !job_class.wall_time.reference) return 1.0;
  StepTimeBook book(fabric);
  const double full =
      book.run_time_ratio(*job_class.model, gpus, node, *job_class.wall_time.reference, false);
  const double speed = speed_of(scenario, pool);
  return speed == 1.0 ? full : full * slower_run_time(speed, book.efficiency(*job_class.model, gpus, node));
}

}  // namespace

double mean_wall_s(const JobClass& job_class) {
  return std::visit(MeanOf{}, job_class.wall_time.law);
}

double speed_of(const Scenario& scenario, const NodePool& pool) {
  return card_speed(pool.node, pool.gpu_power_limit, scenario.site.inlet_temperature);
}

Ratios ratios_of(const Scenario& scenario, const JobClass& job_class) {
  Ratios ratios;
  for (const NodePool& pool : scenario.pools) {
    ratios.emplace_back();
    for (const SizeShare& size : job_class.gpus) {
      ratios.back().push_back(ratio_on(job_class, size.gpus, scenario, pool));
    }
  }
  return ratios;
}

bool runs_somewhere(const Ratios& ratios, std::size_t size) {
  return std::any_of(ratios.begin(), ratios.end(),
                     [&](const std::vector<double>& pool) { return std::isfinite(pool[size]); });
}

double node_seconds(const JobClass& job_class, const Ratios& ratios, std::size_t pool, const NodeType& node) {
  const double mean_s = mean_wall_s(job_class);
  double sum = 0.0;
  for (std::size_t i = 0; i < job_class.gpus.size(); ++i) {
    const SizeShare& size = job_class.gpus[i];
    if (!runs_somewhere(ratios, i)) continue;
    sum += size.probability * mean_s * ratios[pool][i] * size.gpus / node.gpus;
  }
  return sum;
}

std::vector<bool> admissible_pools(const Scenario& scenario, QueueId queue) {
  const SchedulerSpec& scheduler = scenario.scheduler;
  const bool all = scheduler.sharing == SharingRule::one_pool || scheduler.partitions.empty();
  std::vector<bool> may(scenario.pools.size(), all);
  const bool overflow =
      scheduler.sharing == SharingRule::overflow || scheduler.sharing == SharingRule::preempt;
  for (std::size_t i = 0; i < scheduler.partitions.size(); ++i) {
    const Partition& partition = scheduler.partitions[i];
    if (i != index(queue) && !(overflow && partition.overflow_max_time)) continue;
    for (const PoolId pool : partition.pools) may[index(pool)] = true;
  }
  return may;
}

std::vector<bool> home_pools(const Scenario& scenario, QueueId queue, const Ratios& ratios) {
  const SchedulerSpec& scheduler = scenario.scheduler;
  const std::vector<bool> may = admissible_pools(scenario, queue);
  if (scheduler.sharing == SharingRule::one_pool || scheduler.partitions.empty()) return may;
  std::vector<bool> own(scenario.pools.size(), false);
  bool runs = ratios.empty();
  for (const PoolId pool : scheduler.partitions[index(queue)].pools) {
    const std::size_t p = index(pool);
    own[p] = true;
    runs = runs || std::any_of(ratios[p].begin(), ratios[p].end(), [](double r) { return std::isfinite(r); });
  }
  return runs ? own : may;
}

bool only_owned(const Scenario& scenario, const std::vector<bool>& pools, const Ratios& ratios) {
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (!pools[i] || scenario.pools[i].existing) continue;
    if (ratios.empty() ||
        std::any_of(ratios[i].begin(), ratios[i].end(), [](double r) { return std::isfinite(r); }))
      return false;
  }
  return true;
}

}  // namespace fleetsim
