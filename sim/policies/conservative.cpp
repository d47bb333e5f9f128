// Conservative backfilling: every waiting job has a reservation, and nobody may delay it. Source: Mu'alem and
// Feitelson 2001; compression after Feitelson and Weil 1998. How that reads with several pools, queues and
// nodes stands in docs/engine-rules.md.
#include "sim/policies/conservative.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/base/assert.hpp"
#include "sim/policies/conservative_plan.hpp"

namespace fleetsim {
namespace {

class Conservative final : public Policy {
 public:
  explicit Conservative(std::size_t depth) : depth_(depth) {}

  void schedule(const SchedulerView& view, Decisions& decisions) override {
    view_ = &view;
    decisions_ = &decisions;
    now_ = view.now;
    if (only_.empty()) prepare();
    if (nothing_changed()) return;
    give_up_withdrawn();
    if (plan_.begin(cluster(), view.queues, now_)) std::fill(cut_.begin(), cut_.end(), 0);
    guests_ = cluster().expects_guests();
    moved_ = false;
    for (std::size_t q = 0; guests_ && q < cut_.size(); ++q)
      cut_[q] = std::min(cut_[q], decisions.waiting().take_returned(queue_id(q)));
    bool again = false;
    do {
      start_due();
      reserve();
      start_unreserved();
      again = overflow();
    } while (again && !guests_);
    seen_version_ = cluster().version();
    seen_order_ = decisions.waiting().next_order();
    seen_at_ = now_;
    seen_withdrawals_ = decisions.waiting().withdrawals();
    if (!again && !moved_ && decisions.victims().empty()) return;
    decisions.ask_again();
    seen_version_ = std::numeric_limits<std::uint64_t>::max();
  }

  bool plans_ahead() const override { return true; }

 private:
  struct Cursor {
    std::uint32_t lane = 0;
    std::size_t at = 0;
  };

  const Cluster& cluster() const { return decisions_->cluster(); }
  std::span<Lane> lanes(std::size_t q) { return decisions_->waiting().lanes(queue_id(q)); }
  static QueueId queue_id(std::size_t q) { return QueueId{static_cast<std::uint16_t>(q)}; }

  void prepare() {
    for (std::size_t p = 0; p < cluster().pools(); ++p) {
      const PoolShape& shape = cluster().free(PoolId{static_cast<std::uint16_t>(p)}).shape();
      only_.emplace_back(shape);
      only_.back().assign(std::vector<std::int32_t>(static_cast<std::size_t>(shape.nodes), 0));
    }
    cut_.assign(view_->queues.size(), 0);
  }

  /// Between events a plan gives nothing new: a job that does not fit beside it now fits no better later, and
  /// every reservation begins at an end. A guest that outlives its estimate is another matter.
  bool nothing_changed() const {
    return decisions_->waiting().withdrawals() == seen_withdrawals_ &&
           (!cluster().expects_guests() || now_ == seen_at_) && cluster().version() == seen_version_ &&
           decisions_->waiting().next_order() == seen_order_ && plan_.stands(now_);
  }

  /// Reservations of jobs that have left their queues become free.
  void give_up_withdrawn() {
    for (std::size_t q = 0; q < cut_.size(); ++q) {
      for (const std::uint32_t order : decisions_->waiting().take_withdrawn(queue_id(q))) {
        if (!holds(q, order)) continue;
        const auto at = reservation_of(q, order);
        plan_.vacate(*at);
        plan_.reserved().erase(at);
      }
    }
  }

  /// False: a job that should have ended by now holds some of its GPUs.
  bool start(const Reserved& job, StartReason reason) {
    const auto free = cluster().free(job.pool).free();
    const auto first = static_cast<std::size_t>(cluster().free(job.pool).shape().first_node);
    for (const NodeSlice& slice : plan_.slots()[job.slot]) {
      if (free[index(slice.node) - first] < slice.gpus) return false;
    }
    Lane& lane = lanes(index(job.queue))[job.lane];
    start(lane, lane.jobs.position_of(job.order), job.pool, job.slot, job.length, reason);
    return true;
  }

  /// Nothing of the pool but the slices of the slot is free.
  const FreeMap& only(PoolId id, std::uint32_t slot) {
    FreeMap& only = only_[index(id)];
    for (const NodeSlice& slice : plan_.slots()[slot]) only.set(node_of(only, slice), slice.gpus);
    return only;
  }
  void clear(PoolId id, std::uint32_t slot) {
    FreeMap& only = only_[index(id)];
    for (const NodeSlice& slice : plan_.slots()[slot]) only.set(node_of(only, slice), 0);
  }
  static std::int32_t node_of(const FreeMap& map, const NodeSlice& slice) {
    return static_cast<std::int32_t>(index(slice.node)) - map.shape().first_node;
  }

  /// On exactly the slices of the slot, which the plan has taken out already.
  void start(Lane& lane, std::size_t at, PoolId id, std::uint32_t slot, Duration length, StartReason reason) {
    const JobId job = lane.jobs.job(at);
    decisions_->start(now_, lane, at, id, only(id, slot), reason);
    clear(id, slot);
    plan_.started(job, id, length, slot);
  }

  /// On GPUs of the slot, which the plan does not hold.
  void start_guest(Lane& lane, std::size_t at, PoolId id, std::uint32_t slot) {
    decisions_->start(now_, lane, at, id, only(id, slot), StartReason::overflow);
    clear(id, slot);
    plan_.slots().put(slot);
    plan_.guests_changed(id);
  }

  /// A job whose reservation has come, but guests sit on its nodes: it starts on other GPUs that are free
  /// beside the plan, or else takes some back where that costs least.
  bool start_elsewhere(const Reserved& job, StartReason reason) {
    if (job.start == Instant::max()) return false;
    Lane& lane = lanes(index(job.queue))[job.lane];
    plan_.lift(job);
    if (!start_anywhere(lane, lane.jobs.position_of(job.order), view_->queues[index(job.queue)].own,
                        reason)) {
      plan_.put_back(job);
      return false;
    }
    plan_.give_up_lifted(job);
    moved_ = true;
    return true;
  }

  bool start_anywhere(Lane& lane, std::size_t at, const std::vector<PoolId>& pools, StartReason reason) {
    return start_free(lane, at, lane.own, pools, reason) || claim(lane, at, pools, reason);
  }

  /// On GPUs that are free beside the plan.
  bool start_free(Lane& lane, std::size_t at, std::uint64_t mask, const std::vector<PoolId>& pools,
                  StartReason reason) {
    const Demand demand{lane.jobs.gpus(at), lane.max_leaves};
    const Duration length = planned(lane.jobs.limit(at));
    for (; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      const std::uint32_t slot = plan_.slots().get();
      if (guests_ && reason == StartReason::overflow) {
        if (plan_.place_guest(id, demand, length, slot)) {
          start_guest(lane, at, id, slot);
          return true;
        }
      } else if (plan_.take_now(id, demand, length, slot)) {
        start(lane, at, id, slot, length, reason);
        return true;
      }
      plan_.slots().put(slot);
    }
    return false;
  }

  /// On GPUs that guests give back, where they cost least.
  bool claim(Lane& lane, std::size_t at, const std::vector<PoolId>& pools, StartReason reason) {
    const Demand demand{lane.jobs.gpus(at), lane.max_leaves};
    const Duration length = planned(lane.jobs.limit(at));
    decisions_->drop_claim();
    for (std::uint64_t mask = lane.own; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      if (cluster().guests(id).empty()) continue;
      decisions_->consider_claim(id, demand, plan_.claimable_now(id, length), now_);
    }
    const PoolId id = decisions_->claimed();
    if (id == kNoPool) return false;
    const std::uint32_t slot = plan_.slots().get();
    decisions_->take_back().choose(demand.gpus, plan_.slots()[slot]);
    plan_.take(id, length, slot);
    start(lane, at, id, slot, length, reason);
    return true;
  }

  void start_due() {
    if (plan_.next_start() > now_) return;
    Instant next = Instant::max();
    passed_queues_.assign(view_->queues.size(), 0);
    passed_pools_.assign(only_.size(), 0);
    std::vector<Reserved>& reserved = plan_.reserved();
    std::size_t keep = 0;
    for (const Reserved& job : reserved) {
      const bool head = passed_queues_[index(job.queue)] == 0 && passed_pools_[index(job.pool)] == 0;
      const StartReason reason = head ? StartReason::head : StartReason::backfill;
      if (job.start <= now_ && (start(job, reason) || (guests_ && start_elsewhere(job, reason)))) continue;
      passed_queues_[index(job.queue)] = passed_pools_[index(job.pool)] = 1;
      next = std::min(next, job.start);
      reserved[keep++] = job;
    }
    reserved.resize(keep);
    plan_.set_next_start(next);
  }

  /// Gives reservations in queue order while there are any left.
  void reserve() {
    for (std::size_t q = 0; q < cut_.size(); ++q) {
      while (plan_.reserved().size() < depth_ && decisions_->waiting().arrived(queue_id(q)) > cut_[q]) {
        Reserved job;
        job.queue = queue_id(q);
        if (!next_unreserved(q, job)) break;
        cut_[q] = job.order + 1;
        job.slot = plan_.slots().get();
        plan_.find_place(job);
        std::vector<Reserved>& reserved = plan_.reserved();
        const auto place = std::upper_bound(reserved.begin(), reserved.end(), job);
        if (job.start <= now_) {
          const StartReason reason = reason_at(job, place);
          if (start(job, reason) || (guests_ && start_elsewhere(job, reason))) continue;
        }
        reserved.insert(place, job);
      }
    }
  }

  bool next_unreserved(std::size_t q, Reserved& job) {
    const auto all = lanes(q);
    std::size_t at = WaitingList::kEnd;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].own == 0 || all[k].jobs.empty()) continue;
      std::size_t first = all[k].jobs.first(all[k].jobs.position_of(cut_[q]));
      while (guests_ && first != WaitingList::kEnd && holds(q, all[k].jobs.order(first)))
        first = all[k].jobs.first(first + 1);
      if (first == WaitingList::kEnd) continue;
      if (at != WaitingList::kEnd && all[k].jobs.order(first) > job.order) continue;
      at = first;
      job.lane = static_cast<std::uint32_t>(k);
      job.order = all[k].jobs.order(first);
    }
    if (at == WaitingList::kEnd) return false;
    const Lane& lane = all[job.lane];
    job.job = lane.jobs.job(at);
    job.demand = {lane.jobs.gpus(at), lane.max_leaves};
    job.length = planned(lane.jobs.limit(at));
    job.own = lane.own;
    return true;
  }

  /// A limit of nothing is planned as the shortest time there is.
  static Duration planned(Duration limit) { return std::max(limit, Duration(1)); }

  StartReason reason_at(const Reserved& job, std::vector<Reserved>::const_iterator place) {
    const bool passes = std::any_of(plan_.reserved().cbegin(), place, [&](const Reserved& other) {
      return other.queue == job.queue || other.pool == job.pool;
    });
    return passes ? StartReason::backfill : StartReason::head;
  }

  /// Jobs beyond the depth start where they fit beside the plan.
  void start_unreserved() {
    for (std::size_t q = 0; q < cut_.size(); ++q) {
      if (decisions_->waiting().arrived(queue_id(q)) <= cut_[q]) continue;
      start_beside(q, cut_[q], &Lane::own, view_->queues[q].own, StartReason::backfill);
    }
  }

  /// All waiting jobs, on idle GPUs of other pools. True: reservations became free, so that jobs moved.
  bool overflow() {
    left_.clear();
    for (std::size_t q = 0; q < cut_.size(); ++q) {
      const auto& pools = view_->queues[q].overflow;
      if (!pools.empty()) start_beside(q, 0, &Lane::overflow, pools, StartReason::overflow);
    }
    for (const Reserved& job : left_) plan_.vacate(job);
    if (left_.empty()) return false;
    plan_.compress();
    return true;
  }

  void start_beside(std::size_t q, std::uint32_t from, std::uint64_t Lane::*mask,
                    const std::vector<PoolId>& pools, StartReason reason) {
    cursors_.clear();
    for (std::size_t k = 0; k < lanes(q).size(); ++k) {
      const Lane& lane = lanes(q)[k];
      if (lane.*mask == 0 || lane.jobs.empty()) continue;
      cursors_.push_back({static_cast<std::uint32_t>(k), from == 0 ? 0 : lane.jobs.position_of(from)});
    }
    while (Cursor* cursor = next_candidate(q, mask, pools)) {
      Lane& lane = lanes(q)[cursor->lane];
      const std::size_t at = cursor->at++;
      const std::uint32_t order = lane.jobs.order(at);
      const bool own = mask == &Lane::own;
      if (own && guests_ && holds(q, order)) continue;
      const bool started = own && guests_ ? start_anywhere(lane, at, pools, reason)
                                          : start_free(lane, at, lane.*mask, pools, reason);
      if (started && !own && lane.own != 0 && holds(q, order)) leave(q, order);
    }
  }

  std::vector<Reserved>::iterator reservation_of(std::size_t q, std::uint32_t order) {
    Reserved key;
    key.queue = queue_id(q);
    key.order = order;
    return std::lower_bound(plan_.reserved().begin(), plan_.reserved().end(), key);
  }
  bool holds(std::size_t q, std::uint32_t order) {
    const auto at = reservation_of(q, order);
    return at != plan_.reserved().end() && at->queue == queue_id(q) && at->order == order;
  }

  /// Its reservation stands until all queues have been served.
  void leave(std::size_t q, std::uint32_t order) {
    const auto at = reservation_of(q, order);
    left_.push_back(*at);
    plan_.reserved().erase(at);
  }

  /// The next job in queue order that may be able to start now.
  Cursor* next_candidate(std::size_t q, std::uint64_t Lane::*mask, const std::vector<PoolId>& pools) {
    Cursor* best = nullptr;
    for (Cursor& cursor : cursors_) {
      if (cursor.at == WaitingList::kEnd) continue;
      const Lane& lane = lanes(q)[cursor.lane];
      collect_windows(lane.*mask, pools, mask == &Lane::own);
      cursor.at = windows_.empty() ? WaitingList::kEnd : lane.jobs.next(cursor.at, windows_);
      if (cursor.at == WaitingList::kEnd) continue;
      if (best == nullptr || lane.jobs.order(cursor.at) < lanes(q)[best->lane].jobs.order(best->at)) {
        best = &cursor;
      }
    }
    return best;
  }

  void collect_windows(std::uint64_t mask, const std::vector<PoolId>& pools, bool own) {
    windows_.clear();
    for (; mask != 0; mask &= mask - 1) {
      const PoolId id = pools[std::countr_zero(mask)];
      if ((own ? cluster().claimable(id) : cluster().free(id)).total() == 0) continue;
      const std::vector<Window>& windows = own ? plan_.owner_windows(id) : plan_.windows(id);
      windows_.insert(windows_.end(), windows.begin(), windows.end());
    }
  }

  const std::size_t depth_;
  const SchedulerView* view_ = nullptr;
  Decisions* decisions_ = nullptr;
  Instant now_{};
  ConservativePlan plan_;
  std::vector<FreeMap> only_;       ///< by pool: nothing free, but for the slices of a job that starts
  std::vector<std::uint32_t> cut_;  ///< by queue: jobs of a lower order that have own pools hold reservations
  std::vector<Reserved> left_;      ///< holders that started elsewhere
  std::uint64_t seen_version_ = 0, seen_withdrawals_ = 0;
  std::uint32_t seen_order_ = 0;
  Instant seen_at_ = kNever;
  bool guests_ = false;
  bool moved_ = false;  ///< a job has started elsewhere than its reservation said
  std::vector<char> passed_queues_, passed_pools_;
  std::vector<Cursor> cursors_;
  std::vector<Window> windows_;
};

const RegisterPolicy kConservative{PolicyKind::conservative,
                                   [] { return make_conservative(kReservationDepth); }};

}  // namespace

std::unique_ptr<Policy> make_conservative(std::size_t depth) {
  return std::make_unique<Conservative>(depth);
}

}  // namespace fleetsim
