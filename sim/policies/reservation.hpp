// The reservation that EASY gives to a blocked job on one pool: when it will start, where, and what is left
// over.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/policies/demand.hpp"

namespace fleetsim {

/// Source: Mu'alem and Feitelson 2001, "shadow time" and "extra nodes", taken to nodes: the running jobs are
/// released in the order of their estimated ends, equal ends together, until the job fits by the placement
/// rule. That instant is the shadow; on each node the GPUs then free beyond the job's own are extra. An
/// estimate that has passed counts as now.
class Reservation {
 public:
  explicit Reservation(const PoolShape& pool) : spare_(pool), beyond_(pool), beside_(pool) {}

  /// Guests of the pool count as gone: the job can have their GPUs at any time. O(running jobs released +
  /// nodes); nothing to do when pool, size and time allow to keep the last one.
  void compute(const Cluster& cluster, PoolId pool, const Demand& job, Instant now);
  /// The next compute() starts afresh.
  void forget() { job_ = {}; }
  /// Whether compute() would change nothing.
  [[nodiscard]] bool holds(const Cluster& cluster, PoolId pool, const Demand& job, Instant now) const {
    return job_ == job && version_ == cluster.owner_version(pool) && now <= shadow_;
  }

  [[nodiscard]] Instant shadow() const { return shadow_; }
  /// GPUs that the owners can have now and that are extra at the shadow, node by node. O(nodes) at the first
  /// call after compute().
  [[nodiscard]] const FreeMap& spare(const Cluster& cluster, PoolId pool);
  /// The same of those that are free now. For a guest those are not extra either that other guests are
  /// expected to hold beyond the shadow. Stands until the next call. O(nodes + guests).
  [[nodiscard]] const FreeMap& spare_free(const Cluster& cluster, PoolId pool, bool for_guest);

  /// A job of the owners that passed the test has started on this pool. `outlasts`: its estimated end lies
  /// behind the shadow, so it uses up extra GPUs.
  void started(const Cluster& cluster, PoolId pool, std::span<const NodeSlice> slices, bool outlasts);

 private:
  void release_until_fit(const Cluster& cluster, PoolId pool, Instant now);
  void take_own(const FreeMap& free);

  Demand job_;
  std::uint64_t version_ = 0;
  Instant shadow_{};
  std::vector<std::int32_t> extra_;  ///< GPUs free at the shadow beyond the job's own; index within the pool
  FreeMap spare_;
  bool spare_known_ = false;
  FreeMap beyond_;  ///< scratch: free GPUs at the shadow
  FreeMap beside_;  ///< of spare_free()
  std::vector<std::int32_t> room_;
  std::vector<NodeSlice> own_;
};

}  // namespace fleetsim
