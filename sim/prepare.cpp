// Scenario -> Prepared: which nodes there are, who may use them, how long each job shape runs on each.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/assert.hpp"
#include "sim/cluster/free_map.hpp"
#include "sim/private_machines.hpp"
#include "sim/simulate.hpp"
#include "sim/workload/from_trace.hpp"
#include "topology/card_limits.hpp"
#include "topology/fabric_plan.hpp"
#include "topology/step_time_book.hpp"

namespace fleetsim {

namespace {

constexpr double kCannotRun = -1.0;

int nodes_needed(int gpus, const NodeType& node) {
  return (gpus + node.gpus - 1) / node.gpus;
}

std::vector<EnginePool> make_pools(const Scenario& scenario) {
  std::vector<EnginePool> pools;
  std::vector<const NodeType*> nodes;
  for (const NodePool& pool : scenario.pools) {
    FLEETSIM_ASSERT(pool.count >= 0 && pool.node.gpus >= 1);
    EnginePool out;
    out.name = pool.name;
    out.nodes = pool.count;
    out.gpus_per_node = pool.node.gpus;
    out.first_node = static_cast<std::int32_t>(nodes.size());
    out.placement = scenario.scheduler.placement;
    pools.push_back(std::move(out));
    nodes.insert(nodes.end(), static_cast<std::size_t>(pool.count), &pool.node);
  }
  if (!nodes.empty()) {
    const FabricPlan plan = plan_fabric(scenario.fabric, static_cast<int>(nodes.size()), nodes.front()->gpus);
    if (!plan.problem.empty()) throw std::invalid_argument(plan.problem);
    if (plan.units > 1)
      for (EnginePool& pool : pools) pool.nodes_per_leaf = plan.nodes_per_unit;
  }
  return pools;
}

std::vector<EngineQueue> make_queues(const Scenario& scenario) {
  std::vector<EngineQueue> queues;
  if (scenario.scheduler.sharing == SharingRule::one_pool) {
    EngineQueue all{"all", {}, {}};
    for (std::size_t p = 0; p < scenario.pools.size(); ++p)
      all.own.push_back(PoolId{static_cast<std::uint16_t>(p)});
    // Cheap nodes fill first, so the order of the file changes nothing.
    const auto price = [&](PoolId pool) { return scenario.pools[index(pool)].node.price(); };
    std::stable_sort(all.own.begin(), all.own.end(), [&](PoolId a, PoolId b) { return price(a) < price(b); });
    queues.push_back(std::move(all));
    return queues;
  }
  for (const Partition& partition : scenario.scheduler.partitions) {
    EngineQueue queue{partition.name, partition.pools, {}};
    const auto has = [&queue](PoolId pool) {
      const auto lent = [pool](const EngineQueue::Overflow& o) { return o.pool == pool; };
      return std::find(queue.own.begin(), queue.own.end(), pool) != queue.own.end() ||
             std::any_of(queue.overflow.begin(), queue.overflow.end(), lent);
    };
    if (scenario.scheduler.sharing != SharingRule::strict) {
      for (const Partition& other : scenario.scheduler.partitions) {
        if (!other.overflow_max_time) continue;
        for (const PoolId pool : other.pools)
          if (!has(pool)) queue.overflow.push_back({pool, *other.overflow_max_time});
      }
    }
    queues.push_back(std::move(queue));
  }
  return queues;
}

/// Obstacles, run-time ratios and efficiencies of one scenario; the book answers equal questions once.
class Timing {
 public:
  Timing(const Scenario& scenario, const std::vector<EnginePool>& pools)
      : scenario_(scenario), pools_(pools), book_(scenario.fabric) {}

  /// Why the shape cannot run on the pool; empty when it can.
  [[nodiscard]] std::string obstacle(const JobShape& shape, const NodePool& pool) const {
    const int needed = nodes_needed(shape.gpus, pool.node);
    if (pool.count == 0) return fmt::format("{} has no nodes", pool.name);
    if (const JobClass* job_class = class_of(shape);
        job_class != nullptr && job_class->gpu_memory > pool.node.gpu.memory.value) {
      return fmt::format("a GPU of {} has {:.3g} GB, the job needs {:.3g} GB", pool.name,
                         static_cast<double>(pool.node.gpu.memory.value.count()) / 1e9,
                         static_cast<double>(job_class->gpu_memory.count()) / 1e9);
    }
    if (needed > pool.count)
      return fmt::format("{} has {} node{}, the job needs {}", pool.name, pool.count,
                         pool.count == 1 ? "" : "s", needed);
    if (needed > 1 && scenario_.fabric.shape == FabricShape::none)
      return fmt::format("the job needs {} nodes of {}, which no fabric joins", needed, pool.name);
    return leaf_obstacle(shape, pool);
  }

  [[nodiscard]] double ratio(const JobShape& shape, const NodePool& pool, bool crosses) {
    const JobClass* job_class = class_of(shape);
    if (job_class == nullptr) return recorded_time_ratio(scenario_.workload, pool.node.gpu);
    if (!job_class->model || !job_class->wall_time.reference) return 1.0;
    return book_.run_time_ratio(*job_class->model, shape.gpus, pool.node, *job_class->wall_time.reference,
                                crosses);
  }

  [[nodiscard]] double efficiency(const JobShape& shape, const NodePool& pool) {
    const JobClass* job_class = class_of(shape);
    if (job_class == nullptr || !job_class->model) return 1.0;
    return book_.efficiency(*job_class->model, shape.gpus, pool.node);
  }

  /// Factor on the run time where the pool's cards are limited or throttle; exactly 1 where they do not. Jobs
  /// that say nothing of the GPU they were timed on take the same time everywhere, here too.
  [[nodiscard]] double slowed(const JobShape& shape, const NodePool& pool) {
    const double speed = card_speed(pool.node, pool.gpu_power_limit, scenario_.site.inlet_temperature);
    if (speed == 1.0) return 1.0;
    const JobClass* job_class = class_of(shape);
    const bool timed = job_class == nullptr ? scenario_.workload.trace_recorded_on.has_value()
                                            : job_class->model && job_class->wall_time.reference;
    return timed ? slower_run_time(speed, efficiency(shape, pool)) : 1.0;
  }

 private:
  [[nodiscard]] const JobClass* class_of(const JobShape& shape) const {
    return shape.job_class == kNoClass ? nullptr : &scenario_.workload.classes[index(shape.job_class)];
  }

  /// Leaf switches that the job cannot do without, against those that its class allows.
  [[nodiscard]] std::string leaf_obstacle(const JobShape& shape, const NodePool& pool) const {
    const JobClass* job_class = class_of(shape);
    if (job_class == nullptr || !job_class->max_switches) return {};
    const auto same = [&](const EnginePool& p) { return p.name == pool.name; };
    const EnginePool& p = *std::find_if(pools_.begin(), pools_.end(), same);
    const FreeMap empty({p.nodes, p.gpus_per_node, p.first_node, p.nodes_per_leaf});
    if (empty.fits(shape.gpus, *job_class->max_switches)) return {};
    int needed = *job_class->max_switches + 1;
    while (!empty.fits(shape.gpus, needed)) ++needed;
    return fmt::format("on {} the job needs {} leaf switches, its class allows {}", pool.name, needed,
                       *job_class->max_switches);
  }

  const Scenario& scenario_;
  const std::vector<EnginePool>& pools_;
  StepTimeBook book_;
};

/// "class scale_up with 16 GPUs can run nowhere: ..." for a shape without any pool in its queue; `obstacles`
/// by pool, empty where it can run.
std::string nowhere_note(const Scenario& scenario, const std::vector<EngineQueue>& queues,
                         const JobShape& shape, const std::vector<std::string>& obstacles) {
  const bool recorded = shape.job_class == kNoClass;
  const QueueId partition = recorded ? scenario.workload.trace_partition
                                     : scenario.workload.classes[index(shape.job_class)].partition;
  const bool one_queue = scenario.scheduler.sharing == SharingRule::one_pool;
  const EngineQueue& queue = queues[one_queue ? 0 : index(partition)];
  std::vector<PoolId> pools = queue.own;
  for (const EngineQueue::Overflow& o : queue.overflow) pools.push_back(o.pool);
  std::string reasons;
  for (const PoolId pool : pools) {
    if (obstacles[index(pool)].empty()) return {};
    reasons += (reasons.empty() ? "" : "; ") + obstacles[index(pool)];
  }
  return fmt::format(
      "{} with {} GPU{} can run nowhere: {}",
      recorded ? "trace jobs" : "class " + scenario.workload.classes[index(shape.job_class)].name, shape.gpus,
      shape.gpus == 1 ? "" : "s", reasons.empty() ? "the partition has no nodes" : reasons);
}

}  // namespace

Prepared prepare(const Scenario& scenario, const std::vector<JobShape>& shapes) {
  if (has_private_machines(scenario) && private_problem(scenario).empty())
    return prepare(one_pool_a_user(scenario), shapes);
  Prepared out;
  out.pools = make_pools(scenario);
  out.queues = make_queues(scenario);
  const std::size_t pools = out.pools.size();
  Timing timing(scenario, out.pools);
  const std::vector<double> nowhere(shapes.size() * pools, kCannotRun), perfect(shapes.size() * pools, 1.0);
  out.run_time = {pools, nowhere, nowhere};
  out.efficiency = {pools, perfect, perfect};
  out.burst = burst_table(scenario, shapes);
  const int all_nodes = pools == 0 ? 0 : out.pools.back().first_node + out.pools.back().nodes;
  std::vector<std::string> obstacles(pools);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    for (std::size_t p = 0; p < pools; ++p) {
      const NodePool& pool = scenario.pools[p];
      obstacles[p] = timing.obstacle(shapes[s], pool);
      if (!obstacles[p].empty()) continue;
      const bool can_cross =
          nodes_needed(shapes[s].gpus, pool.node) > 1 && out.pools[p].nodes_per_leaf < all_nodes;
      try {
        const double one_leaf = timing.ratio(shapes[s], pool, false);
        const double several = can_cross ? timing.ratio(shapes[s], pool, true) : one_leaf;
        const double efficiency = timing.efficiency(shapes[s], pool);
        const double slower = timing.slowed(shapes[s], pool);
        out.run_time.one_leaf[s * pools + p] = one_leaf * slower;
        out.run_time.several_leaves[s * pools + p] = several * slower;
        out.efficiency.one_leaf[s * pools + p] = efficiency;
        out.efficiency.several_leaves[s * pools + p] = efficiency * one_leaf / several;
      } catch (const std::invalid_argument& e) {  // e.g. the speed of this model on this GPU is not known
        obstacles[p] = fmt::format("{}: {}", pool.name, e.what());
      }
    }
    if (std::string note = nowhere_note(scenario, out.queues, shapes[s], obstacles); !note.empty())
      out.notes.push_back(std::move(note));
  }
  return out;
}

}  // namespace fleetsim
