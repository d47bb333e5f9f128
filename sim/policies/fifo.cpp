// First in, first out: each queue starts its head while it fits. Nothing overtakes on the queue's own pools,
// but a job that the nodes that are there could not hold even when empty is no head: it waits aside for
// nodes.
#include <algorithm>

#include "sim/policies/policy.hpp"

namespace fleetsim {
namespace {

class Fifo final : public Policy {
 public:
  void schedule(const SchedulerView& view, Decisions& decisions) override {
    outages_ = decisions.cluster().expects_outages();
    wanted_.assign(decisions.cluster().pools(), false);
    for (std::size_t q = 0; q < view.queues.size(); ++q) {
      serve(view, decisions, QueueId{static_cast<std::uint16_t>(q)}, &Lane::own, view.queues[q].own);
    }
    for (std::size_t q = 0; q < view.queues.size(); ++q) {
      if (view.queues[q].overflow.empty()) continue;
      serve(view, decisions, QueueId{static_cast<std::uint16_t>(q)}, &Lane::overflow,
            view.queues[q].overflow);
    }
    if (!decisions.victims().empty()) decisions.ask_again();
  }

  bool plans_ahead() const override { return false; }

 private:
  /// Starts jobs of the queue in order until one does not fit. A head that is blocked on its own pools keeps
  /// jobs of other queues from overflowing onto them.
  void serve(const SchedulerView& view, Decisions& decisions, QueueId queue, std::uint64_t Lane::*mask,
             const std::vector<PoolId>& pools) {
    const bool own = mask == &Lane::own;
    for (;;) {
      Lane* lane = nullptr;
      std::size_t position = WaitingList::kEnd;
      for (Lane& candidate : decisions.waiting().lanes(queue)) {
        if (candidate.*mask == 0 || candidate.jobs.empty()) continue;
        const std::size_t at = outages_ ? first_in(decisions.cluster(), candidate, candidate.*mask, pools)
                                        : candidate.jobs.first();
        if (at == WaitingList::kEnd) continue;
        if (lane == nullptr || candidate.jobs.order(at) < lane->jobs.order(position)) {
          lane = &candidate;
          position = at;
        }
      }
      if (lane == nullptr) return;
      bool started = false;
      const Demand demand{lane->jobs.gpus(position), lane->max_leaves};
      for (std::size_t bit = 0; bit < pools.size() && !started; ++bit) {
        if ((lane->*mask >> bit & 1) == 0 || (!own && wanted_[index(pools[bit])])) continue;
        const FreeMap& free = decisions.cluster().free(pools[bit]);
        if (!free.fits(demand.gpus, demand.max_leaves)) continue;
        decisions.start(view.now, *lane, position, pools[bit], free,
                        own ? StartReason::head : StartReason::overflow);
        started = true;
      }
      if (started || (own && claim(view, decisions, *lane, position, pools))) continue;
      for (std::size_t bit = 0; own && bit < pools.size(); ++bit) {
        if ((lane->own >> bit & 1) != 0) wanted_[index(pools[bit])] = true;
      }
      return;
    }
  }

  /// Starts the head on GPUs that guests give back, where they cost least.
  static bool claim(const SchedulerView& view, Decisions& decisions, Lane& lane, std::size_t position,
                    const std::vector<PoolId>& pools) {
    const Demand demand{lane.jobs.gpus(position), lane.max_leaves};
    decisions.drop_claim();
    for (std::size_t bit = 0; bit < pools.size(); ++bit) {
      if ((lane.own >> bit & 1) == 0) continue;
      const FreeMap& claimable = decisions.cluster().claimable(pools[bit]);
      if (!claimable.fits(demand.gpus, demand.max_leaves)) continue;
      decisions.consider_claim(pools[bit], demand, claimable.free(), view.now);
    }
    const PoolId pool = decisions.claimed();
    if (pool == kNoPool) return false;
    decisions.start(view.now, lane, position, pool, decisions.take_back(), StartReason::head);
    return true;
  }

  /// The first job of the lane that one of the pools could hold with the nodes that are there.
  static std::size_t first_in(const Cluster& cluster, const Lane& lane, std::uint64_t mask,
                              const std::vector<PoolId>& pools) {
    Window window{0, Duration::max()};
    for (std::size_t bit = 0; bit < pools.size(); ++bit) {
      if ((mask >> bit & 1) == 0) continue;
      window.gpus = std::max(window.gpus, cluster.there(pools[bit])->max_fit(lane.max_leaves));
    }
    return lane.jobs.next(0, {&window, 1});
  }

  bool outages_ = false;
  std::vector<char> wanted_;  ///< index = PoolId: a blocked head waits for it
};

const RegisterPolicy kFifo{PolicyKind::fifo, [] { return std::unique_ptr<Policy>(new Fifo); }};

}  // namespace
}  // namespace fleetsim
