// Where a job may run, and for how long.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/policies/policy.hpp"

namespace fleetsim {

/// Checks the tables of an EngineInput once and answers for single jobs.
class Eligibility {
 public:
  /// Throws std::invalid_argument with a sentence when the tables do not fit together.
  explicit Eligibility(const EngineInput& input);

  /// Bits of the queue's own and overflow pools; both empty: the job is impossible.
  struct Masks {
    std::uint64_t own = 0;
    std::uint64_t overflow = 0;
  };
  [[nodiscard]] Masks of(JobId job, Duration limit) const;
  /// Leaf switches that the job may lie below.
  [[nodiscard]] std::int32_t max_leaves(JobId job) const {
    if (input_.max_leaves.empty()) return kAnyLeaves;
    const std::size_t c = index(input_.requests->job_class[index(job)]);
    return c < input_.max_leaves.size() ? input_.max_leaves[c] : kAnyLeaves;
  }

  /// wall * ratio to the nearest microsecond, at most kForever.
  [[nodiscard]] Duration run_time(JobId job, PoolId pool, bool crosses_leaves) const {
    return run_time(job, pool, crosses_leaves, input_.truth->wall[index(job)]);
  }
  /// The same for a job of which so much wall time is left.
  [[nodiscard]] Duration run_time(JobId job, PoolId pool, bool crosses_leaves, Duration wall) const;
  /// Wall time that so much run time there is worth, rounded down.
  [[nodiscard]] Duration wall_time(JobId job, PoolId pool, bool crosses_leaves, Duration run) const;

  /// The node is gone for good; index within the pool. O(nodes).
  void retire(PoolId pool, std::int32_t node);

  [[nodiscard]] const std::vector<QueuePools>& queues() const { return queues_; }
  [[nodiscard]] const std::vector<PoolShape>& pools() const { return pools_; }

 private:
  [[nodiscard]] double ratio(JobId job, PoolId pool, bool crosses_leaves) const;
  [[nodiscard]] bool can_run(std::int32_t gpus, std::uint16_t shape, std::int32_t leaves, PoolId pool) const;

  const EngineInput& input_;
  std::vector<PoolShape> pools_;
  std::vector<std::int64_t> most_;  ///< by pool: GPUs of the largest job that its nodes can hold
  std::vector<FreeMap> lasting_;    ///< by pool: nodes that are not retired; empty until one is
  std::map<std::pair<std::int32_t, PoolId>, std::int32_t>
      largest_;  ///< (leaves, pool) -> GPUs that fit on so many leaves of the empty pool
  std::vector<QueuePools> queues_;
};

}  // namespace fleetsim
