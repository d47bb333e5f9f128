// EASY backfilling: the first blocked job of a queue gets a reservation, later ones start now if they do not
// delay it. Source: Lifka 1995; Mu'alem and Feitelson 2001. How that reads with several pools, queues and
// nodes stands in docs/engine-rules.md.
#include <algorithm>
#include <bit>
#include <limits>

#include "sim/base/assert.hpp"
#include "sim/policies/policy.hpp"
#include "sim/policies/reservation.hpp"

namespace fleetsim {
namespace {

class Easy final : public Policy {
 public:
  void schedule(const SchedulerView& view, Decisions& decisions) override {
    view_ = &view;
    decisions_ = &decisions;
    if (pools_.empty()) prepare();
    guests_ = decisions.cluster().expects_guests();
    bool done = only_new_jobs_matter() && pass(false);
    if (guests_ && !done) {
      done = pass(true) && decisions.victims().empty();
    } else {
      while (!done) done = pass(true);
    }
    seen_version_ = decisions.cluster().version();
    seen_order_ = decisions.waiting().next_order();
    seen_withdrawals_ = decisions.waiting().withdrawals();
    if (done && decisions.victims().empty()) return;
    decisions.ask_again();
    seen_version_ = kNeverSeen;
  }

  bool plans_ahead() const override { return true; }

 private:
  static constexpr std::uint64_t kNeverSeen = std::numeric_limits<std::uint64_t>::max();
  struct Pool {
    bool reserved = false;
    std::size_t queue = 0;  ///< whose job holds the reservation
    JobId holder = kNoJob;  ///< of the reservation, or of the last one
    Demand demand;          ///< of that job
    Reservation reservation;
    Reservation probe;  ///< compares pools; leaves the reservation that may stand here alone
  };
  struct Queue {
    bool holds = false;  ///< one of its jobs has a reservation
    JobId holder = kNoJob;
  };
  struct Cursor {
    Lane* lane = nullptr;
    std::size_t at = 0;
  };

  void prepare() {
    const Cluster& cluster = decisions_->cluster();
    for (std::size_t p = 0; p < cluster.pools(); ++p) {
      const PoolShape& shape = cluster.free(PoolId{static_cast<std::uint16_t>(p)}).shape();
      pools_.push_back({false, 0, kNoJob, {}, Reservation(shape), Reservation(shape)});
    }
    queues_.resize(view_->queues.size());
  }

  /// A pass over an unchanged machine starts nothing: what failed fails again while time only moves towards
  /// the shadows. So only jobs that came since then need a look, if their queue has its reservation already
  /// and no queue behind it has one on the same pools (which a full pass would let them precede).
  bool only_new_jobs_matter() const {
    if (decisions_->waiting().withdrawals() != seen_withdrawals_) return false;
    if (decisions_->cluster().version() != seen_version_ || view_->now > valid_until_) return false;
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      if (decisions_->waiting().arrived(queue_id(q)) <= seen_order_) continue;
      if (!queues_[q].holds) return false;
      for (const PoolId id : view_->queues[q].own) {
        if (pools_[index(id)].reserved && pools_[index(id)].queue > q) return false;
      }
    }
    return true;
  }

  /// False when it must be repeated in full: a job that held a reservation has started elsewhere.
  bool pass(bool full) {
    if (full) {
      for (Pool& pool : pools_) pool.reserved = false;
      for (Queue& queue : queues_) queue = {};
      valid_until_ = Instant::max();
    }
    const std::uint32_t from = full ? 0 : seen_order_;
    for (std::size_t q = 0; q < queues_.size(); ++q) serve(q, from);
    bool again = false;
    for (std::size_t q = 0; q < queues_.size(); ++q) again = overflow(q, from) || again;
    return !again;
  }

  /// The jobs of one queue on its own pools, in queue order, from the given order on.
  void serve(std::size_t q, std::uint32_t from) {
    if (from >= decisions_->waiting().arrived(queue_id(q))) return;
    const auto& pools = view_->queues[q].own;
    place_cursors(q, from, &Lane::own);
    Queue& queue = queues_[q];
    while (Cursor* cursor = next_candidate(queue, pools, &Lane::own)) {
      Lane& lane = *cursor->lane;
      const std::size_t at = cursor->at++;
      const StartReason free_reason = queue.holds ? StartReason::backfill : StartReason::head;
      if (start(lane, at, lane.own, pools, free_reason, StartReason::backfill)) continue;
      if (guests_ && claim(lane, at, pools, free_reason)) continue;
      if (!queue.holds) reserve(q, lane, at, pools);
    }
  }

  /// Jobs of one queue on idle GPUs of other pools. Returns whether a holder of a reservation started.
  bool overflow(std::size_t q, std::uint32_t from) {
    const auto& pools = view_->queues[q].overflow;
    if (pools.empty() || from >= decisions_->waiting().arrived(queue_id(q))) return false;
    place_cursors(q, from, &Lane::overflow);
    bool holder_started = false;
    while (Cursor* cursor = next_candidate(queues_[q], pools, &Lane::overflow)) {
      const std::size_t at = cursor->at++;
      const JobId job = cursor->lane->jobs.job(at);
      if (start(*cursor->lane, at, cursor->lane->overflow, pools, StartReason::overflow,
                StartReason::overflow)) {
        holder_started = holder_started || (queues_[q].holds && queues_[q].holder == job);
      }
    }
    return holder_started;
  }

  void place_cursors(std::size_t q, std::uint32_t from, std::uint64_t Lane::*mask) {
    cursors_.clear();
    for (Lane& lane : decisions_->waiting().lanes(queue_id(q))) {
      if (lane.*mask == 0 || lane.jobs.empty()) continue;
      cursors_.push_back({&lane, from == 0 ? 0 : lane.jobs.position_of(from)});
    }
  }

  /// The next job in queue order that may be able to start, or must take a reservation.
  Cursor* next_candidate(const Queue& queue, const std::vector<PoolId>& pools, std::uint64_t Lane::*mask) {
    Cursor* best = nullptr;
    for (Cursor& cursor : cursors_) {
      if (cursor.at == WaitingList::kEnd) continue;
      const WaitingList& jobs = cursor.lane->jobs;
      if (mask == &Lane::own && !queue.holds && has_unreserved(cursor.lane->own, pools)) {
        cursor.at = jobs.first(cursor.at);
      } else {
        collect_windows(cursor.lane->*mask, pools, cursor.lane->max_leaves, mask == &Lane::own);
        cursor.at = windows_.empty() ? WaitingList::kEnd : jobs.next(cursor.at, windows_);
      }
      if (cursor.at == WaitingList::kEnd) continue;
      if (best == nullptr || jobs.order(cursor.at) < best->lane->jobs.order(best->at)) best = &cursor;
    }
    return best;
  }

  bool has_unreserved(std::uint64_t mask, const std::vector<PoolId>& pools) const {
    for (; mask != 0; mask &= mask - 1) {
      if (!pools_[index(pools[std::countr_zero(mask)])].reserved) return true;
    }
    return false;
  }

  /// What a job may be like to start now on one of the pools. A reservation that was not needed yet is not
  /// computed here: then the window is too wide, and start() decides.
  void collect_windows(std::uint64_t mask, const std::vector<PoolId>& pools, std::int32_t leaves, bool own) {
    const Cluster& cluster = decisions_->cluster();
    windows_.clear();
    for (; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      Pool& pool = pools_[index(id)];
      const std::int32_t fit = (own ? cluster.claimable(id) : cluster.free(id)).max_fit(leaves);
      if (fit == 0) continue;
      if (!pool.reserved || !pool.reservation.holds(cluster, id, pool.demand, view_->now)) {
        windows_.push_back({fit, Duration::max()});
        continue;
      }
      valid_until_ = std::min(valid_until_, pool.reservation.shadow());
      windows_.push_back({fit, pool.reservation.shadow() - view_->now});
      const std::int32_t spare =
          (own ? pool.reservation.spare(cluster, id) : beside(pool, id, !own)).max_fit(leaves);
      if (spare > 0) windows_.push_back({std::min(fit, spare), Duration::max()});
    }
  }

  bool start(Lane& lane, std::size_t at, std::uint64_t mask, const std::vector<PoolId>& pools,
             StartReason unreserved, StartReason reserved) {
    const std::int32_t gpus = lane.jobs.gpus(at);
    for (; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      const Cluster& cluster = decisions_->cluster();
      if (!cluster.free(id).fits(gpus, lane.max_leaves)) continue;
      Pool& pool = pools_[index(id)];
      if (!pool.reserved) {
        decisions_->start(view_->now, lane, at, id, cluster.free(id), unreserved);
        return true;
      }
      compute(pool, id);
      const bool outlasts = estimated_end(view_->now, lane.jobs.limit(at)) > pool.reservation.shadow();
      const bool guest = guests_ && reserved == StartReason::overflow;
      const FreeMap& where = outlasts ? beside(pool, id, guest) : cluster.free(id);
      if (outlasts && !where.fits(gpus, lane.max_leaves)) continue;
      const auto slices = decisions_->start(view_->now, lane, at, id, where, reserved);
      if (!guest) pool.reservation.started(cluster, id, slices, outlasts);
      return true;
    }
    return false;
  }

  /// GPUs that are free now and not needed at the shadow.
  const FreeMap& beside(Pool& pool, PoolId id, bool guest) {
    const Cluster& cluster = decisions_->cluster();
    return guests_ ? pool.reservation.spare_free(cluster, id, guest) : pool.reservation.spare(cluster, id);
  }

  /// As start() on its own pools, with GPUs that guests give back, where they cost least.
  bool claim(Lane& lane, std::size_t at, const std::vector<PoolId>& pools, StartReason unreserved) {
    const Demand demand{lane.jobs.gpus(at), lane.max_leaves};
    const Instant end = estimated_end(view_->now, lane.jobs.limit(at));
    const Cluster& cluster = decisions_->cluster();
    decisions_->drop_claim();
    for (std::uint64_t mask = lane.own; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      Pool& pool = pools_[index(id)];
      if (cluster.guests(id).empty()) continue;
      if (pool.reserved) compute(pool, id);
      const bool outlasts = pool.reserved && end > pool.reservation.shadow();
      const FreeMap& where = outlasts ? pool.reservation.spare(cluster, id) : cluster.claimable(id);
      if (where.fits(demand.gpus, demand.max_leaves))
        decisions_->consider_claim(id, demand, where.free(), view_->now);
    }
    const PoolId id = decisions_->claimed();
    if (id == kNoPool) return false;
    Pool& pool = pools_[index(id)];
    const StartReason reason = pool.reserved ? StartReason::backfill : unreserved;
    const auto slices = decisions_->start(view_->now, lane, at, id, decisions_->take_back(), reason);
    if (pool.reserved) pool.reservation.started(cluster, id, slices, end > pool.reservation.shadow());
    return true;
  }

  /// The job takes the pool without a reservation where it could start first. A pool whose nodes that are
  /// there could not hold it even when empty gives it none: nobody knows when it could start, so it waits
  /// aside until nodes come.
  void reserve(std::size_t q, const Lane& lane, std::size_t at, const std::vector<PoolId>& pools) {
    const Demand demand{lane.jobs.gpus(at), lane.max_leaves};
    std::uint64_t open = 0;
    for (std::uint64_t mask = lane.own; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      if (pools_[index(id)].reserved) continue;
      if (decisions_->cluster().could_hold(id, demand.gpus, demand.max_leaves)) open |= mask & -mask;
    }
    if (open == 0) return;
    std::size_t best = std::countr_zero(open);
    if (std::popcount(open) > 1) {
      Instant first = Instant::max();
      for (std::uint64_t mask = open; mask != 0; mask &= mask - 1) {
        const std::size_t bit = std::countr_zero(mask);
        const Instant shadow = shadow_of(pools[bit], lane.jobs.job(at), demand);
        if (shadow < first) best = bit;
        first = std::min(first, shadow);
      }
    }
    Pool& chosen = pools_[index(pools[best])];
    if (chosen.holder != lane.jobs.job(at)) chosen.reservation.forget();
    chosen.reserved = true;
    chosen.queue = q;
    chosen.holder = lane.jobs.job(at);
    chosen.demand = demand;
    queues_[q].holds = true;
    queues_[q].holder = lane.jobs.job(at);
  }

  Instant shadow_of(PoolId id, JobId job, const Demand& demand) {
    Pool& pool = pools_[index(id)];
    const bool holds =
        pool.holder == job && pool.reservation.holds(decisions_->cluster(), id, demand, view_->now);
    if (!holds) pool.probe.compute(decisions_->cluster(), id, demand, view_->now);
    const Instant shadow = holds ? pool.reservation.shadow() : pool.probe.shadow();
    valid_until_ = std::min(valid_until_, shadow);
    return shadow;
  }

  void compute(Pool& pool, PoolId id) {
    pool.reservation.compute(decisions_->cluster(), id, pool.demand, view_->now);
    valid_until_ = std::min(valid_until_, pool.reservation.shadow());
  }

  static QueueId queue_id(std::size_t q) { return QueueId{static_cast<std::uint16_t>(q)}; }

  const SchedulerView* view_ = nullptr;
  Decisions* decisions_ = nullptr;
  std::vector<Pool> pools_;
  std::vector<Queue> queues_;
  std::vector<Cursor> cursors_;
  std::vector<Window> windows_;
  bool guests_ = false;
  std::uint64_t seen_version_ = 0, seen_withdrawals_ = 0;
  std::uint32_t seen_order_ = 0;
  Instant valid_until_{};
};

const RegisterPolicy kEasy{PolicyKind::easy, [] { return std::unique_ptr<Policy>(new Easy); }};

}  // namespace
}  // namespace fleetsim
