// The seam between the simulator and its schedulers: what a policy sees, what it may do, and the registry.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/policies/claim.hpp"
#include "sim/policies/start_reason.hpp"
#include "sim/policies/waiting.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// The pools of one queue, by bit of the lanes' masks. At most 64 each.
struct QueuePools {
  std::vector<PoolId> own;
  std::vector<PoolId> overflow;
};

struct SchedulerView {
  Instant now{};
  std::span<const QueuePools> queues;
};

/// What a pass does. A start takes effect at once, so the cluster and the waiting jobs are always current.
class Decisions {
 public:
  struct Start {
    JobId job{};
    PoolId pool{};
    StartReason reason{};
    bool crosses_leaves = false;
    std::size_t victims = 0;  ///< so many of the pass's victims went before it
  };
  /// A guest whose GPUs an owner took back. It waits again when the pass is over.
  struct Victim {
    JobId job{};
    Release where;  ///< its slices
  };

  /// `checkpoint_period`: time from one checkpoint of a job to the next, 0: none are written.
  Decisions(Cluster& cluster, Waiting& waiting, Duration checkpoint_period = Duration::zero())
      : cluster_(cluster), waiting_(waiting), claims_(checkpoint_period), best_(checkpoint_period) {}

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] Waiting& waiting() { return waiting_; }

  /// Places the job at `position` of `lane` by the placement rule among the GPUs of `where`, which must be a
  /// subset of the pool's free ones. Returns the slices; they stay valid until the next start.
  std::span<const NodeSlice> start(Instant now, Lane& lane, std::size_t position, PoolId pool,
                                   const FreeMap& where, StartReason reason);

  /// Considers what a claim on the pool would cost; keeps the cheapest since drop_claim(), the first among
  /// equals. `allowed` as for ClaimPlanner::find().
  void consider_claim(PoolId pool, const Demand& job, std::span<const std::int32_t> allowed, Instant now);
  void drop_claim() { claimed_ = kNoPool; }
  /// Where the cheapest claim is; kNoPool: there is none.
  [[nodiscard]] PoolId claimed() const { return claimed_; }
  /// Its guests go. Returns the GPUs of the pool that the claimant may have and that are free now; they stand
  /// until the next call. To be followed by a start on them.
  const FreeMap& take_back();

  [[nodiscard]] std::span<const Start> starts() const { return starts_; }
  [[nodiscard]] std::span<const Victim> victims() const { return victims_; }
  /// The pass must be made again at this instant, once its victims wait.
  void ask_again() { again_ = true; }
  [[nodiscard]] bool again() const { return again_; }
  void clear() {
    starts_.clear();
    victims_.clear();
    again_ = false;
  }

 private:
  Cluster& cluster_;
  Waiting& waiting_;
  std::vector<Start> starts_;
  std::vector<Victim> victims_;
  bool again_ = false;
  std::vector<NodeSlice> slices_;
  ClaimPlanner claims_, best_;
  PoolId claimed_ = kNoPool;  ///< of best_
  std::vector<std::int32_t> allowed_;
  std::vector<FreeMap> room_;  ///< one: what take_back() returned
};

/// When a job that starts now is expected to end. Saturates, so that unlimited jobs can be planned with.
[[nodiscard]] inline Instant estimated_end(Instant now, Duration limit) {
  return now + (limit < kForever ? limit : kForever);
}

/// One scheduler for one run. It sees requests and limits, never true run times.
class Policy {
 public:
  virtual ~Policy() = default;
  /// Called when something has changed: jobs were submitted or have ended since the last pass.
  virtual void schedule(const SchedulerView& view, Decisions& decisions) = 0;
  /// False: the cluster need not keep running jobs sorted by estimated end.
  [[nodiscard]] virtual bool plans_ahead() const = 0;
};

using MakePolicy = std::unique_ptr<Policy> (*)();

/// At namespace scope of a policy's file.
struct RegisterPolicy {
  RegisterPolicy(PolicyKind kind, MakePolicy make);
};
/// Null when this policy is not built.
[[nodiscard]] std::unique_ptr<Policy> make_policy(PolicyKind kind);
[[nodiscard]] bool has_policy(PolicyKind kind);

}  // namespace fleetsim
