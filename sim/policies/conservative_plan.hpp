// The books of conservative backfilling: which jobs hold reservations, where and when, and what the running
// jobs hold. Who may start is decided in conservative.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/policies/policy.hpp"
#include "sim/policies/pool_plan.hpp"

namespace fleetsim {

/// A waiting job and its reservation.
struct Reserved {
  JobId job{};
  QueueId queue{};
  std::uint32_t lane = 0, order = 0;
  Demand demand;
  Duration length{};
  std::uint64_t own = 0;     ///< mask of pools, as the lane's
  PoolId pool{};             ///< of the reservation
  Instant start{};           ///< Instant::max(): behind jobs that never end
  std::uint32_t slot = 0;    ///< of its slices
  std::uint64_t looked = 0;  ///< what got free up to this stamp cannot bring it forward
  [[nodiscard]] Instant end() const { return saturated(start, length); }
  /// Queue order: queues in order, within one the order of submission.
  friend bool operator<(const Reserved& a, const Reserved& b) {
    return a.queue != b.queue ? a.queue < b.queue : a.order < b.order;
  }
};

/// Lists of slices that keep their memory.
class Slots {
 public:
  std::uint32_t get() {
    if (unused_.empty()) {
      lists_.emplace_back();
      return static_cast<std::uint32_t>(lists_.size() - 1);
    }
    const std::uint32_t slot = unused_.back();
    unused_.pop_back();
    return slot;
  }
  void put(std::uint32_t slot) {
    lists_[slot].clear();
    unused_.push_back(slot);
  }
  std::vector<NodeSlice>& operator[](std::uint32_t slot) { return lists_[slot]; }

 private:
  std::deque<std::vector<NodeSlice>> lists_;
  std::vector<std::uint32_t> unused_;
};

/// The plan of all pools. Between passes every reservation is the earliest that its job could have beside the
/// others; so each begins when another job's stay in the plan ends, and time alone breaks nothing.
class ConservativePlan {
 public:
  /// The pass begins. Takes note of what ended and mends the reservations: what got free early brings them
  /// forward, what did not end in time makes them anew. When nodes came or went, all are given up: true.
  bool begin(const Cluster& cluster, std::span<const QueuePools> queues, Instant now);
  /// Whether nothing that was planned can be late or wrong at `now`, if no job has ended.
  [[nodiscard]] bool stands(Instant now) const { return now <= next_end_ && now <= next_start_; }

  /// In queue order. Erasing is the caller's, after vacate() or started().
  [[nodiscard]] std::vector<Reserved>& reserved() { return reserved_; }
  [[nodiscard]] Slots& slots() { return slots_; }
  /// No reservation begins before; a lower bound.
  [[nodiscard]] Instant next_start() const { return next_start_; }
  void set_next_start(Instant next) { next_start_ = next; }

  /// Gives the job the earliest reservation beside all others, on the preferred pool among equals.
  void find_place(Reserved& job);
  /// The plan forgets the reservation; its slot is given back.
  void vacate(const Reserved& job);
  /// In queue order, every job to the earliest place that what got free gives it, again until none moves.
  void compress();

  /// GPUs on which a job can start now beside everything planned; takes them. False: there are none.
  bool take_now(PoolId pool, const Demand& job, Duration length, std::uint32_t slot);
  /// The same for a guest, for which the plan holds nothing: its owners can have the GPUs at any time.
  bool place_guest(PoolId pool, const Demand& job, Duration length, std::uint32_t slot);
  /// GPUs that a job of the owners can have now, without any guest, beside everything planned; by node.
  [[nodiscard]] std::span<const std::int32_t> claimable_now(PoolId pool, Duration length) {
    return pools_[index(pool)].plan.stay_now(length, now_, cluster_->claimable(pool));
  }
  /// Takes the GPUs of the slot from now on.
  void take(PoolId pool, Duration length, std::uint32_t slot) {
    pools_[index(pool)].plan.take(slots_[slot], now_, saturated(now_, length));
  }
  /// The reservation does not count until it is put back, or given up for good.
  void lift(const Reserved& job) {
    pools_[index(job.pool)].plan.give(slots_[job.slot], job.start, job.end());
  }
  void put_back(const Reserved& job) {
    pools_[index(job.pool)].plan.take(slots_[job.slot], job.start, job.end());
  }
  void give_up_lifted(const Reserved& job);
  /// A job has started on the slices of the slot, which the plan holds for it already.
  void started(JobId job, PoolId pool, Duration length, std::uint32_t slot);
  /// What a job must be like to start now on this pool; see PoolPlan::windows().
  [[nodiscard]] const std::vector<Window>& windows(PoolId pool) { return windows(pool, false); }
  /// The same for jobs of the owners, which can have what guests hold.
  [[nodiscard]] const std::vector<Window>& owner_windows(PoolId pool) {
    return windows(pool, cluster_->expects_guests());
  }
  /// A guest has started or must go.
  void guests_changed(PoolId pool) { pools_[index(pool)].windows_known = {}; }

 private:
  struct Running {
    JobId job{};
    Instant end{};   ///< estimated
    Instant held{};  ///< end of its stay in the plan: later than the estimate when it has outlived that
    std::uint32_t slot = 0;
  };
  struct Pool {
    PoolPlan plan;
    std::vector<Running> running;
    std::array<std::vector<Window>, 2> windows;  ///< on free GPUs, on claimable ones
    std::array<bool, 2> windows_known{};
    std::uint64_t seen = 0;  ///< version of the cluster's pool, guests left out
  };
  [[nodiscard]] const std::vector<Window>& windows(PoolId pool, bool claimable);

  void note_ends();
  void drop_ended(Pool& pool, PoolId id);
  [[nodiscard]] bool broken();
  void plan_afresh();
  void hold_missing(Pool& pool, PoolId id);
  bool bring_forward(Reserved& job);
  void settle(Reserved& job, PoolId id, Instant at);
  void release(const Reserved& job);

  const Cluster* cluster_ = nullptr;
  std::span<const QueuePools> queues_;
  Instant now_{};
  std::vector<Pool> pools_;
  std::vector<Reserved> reserved_;
  Slots slots_;
  std::vector<std::uint32_t> alive_;          ///< by job: last note_ends() that saw it run
  std::uint64_t node_changes_ = 0;            ///< of the cluster, as seen last
  std::vector<NodeSlice> missing_;            ///< scratch
  std::vector<PoolPlan::GuestShare> guests_;  ///< scratch
  std::uint32_t passes_ = 0;
  std::uint64_t clock_ = 0;              ///< stamp of what got free last
  std::uint64_t compressed_ = 0;         ///< stamp up to which no reservation can be brought forward
  Instant next_end_ = Instant::max();    ///< least estimated end of a running job
  Instant next_start_ = Instant::max();  ///< not above the least start of a reservation
};

}  // namespace fleetsim
