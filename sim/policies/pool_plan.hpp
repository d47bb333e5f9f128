// The plan of one pool: which GPUs of which nodes are promised to whom from when to when.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/time.hpp"
#include "sim/cluster/free_map.hpp"
#include "sim/policies/demand.hpp"
#include "sim/policies/timeline.hpp"
#include "sim/policies/waiting.hpp"

namespace fleetsim {

/// A job fits at an instant when the placement rule can place it on the GPUs that stay free, node by node,
/// for its whole length from then on; so what is promised to it is a set of nodes, and holds.
///
/// Regions of the plan that got free carry stamps: a job that found no earlier instant before a region got
/// free can find one only by using that region.
class PoolPlan {
 public:
  explicit PoolPlan(const PoolShape& shape);

  void reset(Instant now);
  void trim(Instant now);

  /// First instant t in [from, before) at which the job fits; `before` when there is none.
  [[nodiscard]] Instant earliest(const Demand& job, Duration length, Instant from, Instant before);
  /// The same for a job that holds `own` from `own_start` on, not before `before`, and that found nothing
  /// earlier up to stamp `since`. `own` may be empty: the job has its place elsewhere.
  [[nodiscard]] Instant earlier(const Demand& job, Duration length, Instant from, Instant before,
                                std::span<const NodeSlice> own, Instant own_start, std::uint64_t since);
  /// Where the placement rule puts a job that fits at `at`.
  void place(std::int32_t gpus, Duration length, Instant at, std::vector<NodeSlice>& out);
  /// Where it can start now on GPUs that are also free in `free`; false: nowhere.
  [[nodiscard]] bool place_now(const Demand& job, Duration length, Instant now, const FreeMap& free,
                               std::vector<NodeSlice>& out);

  /// GPUs that stay free of what is planned for the whole length, at most those of `free`, by node. Stand
  /// until the next call of this or of place_now().
  [[nodiscard]] std::span<const std::int32_t> stay_now(Duration length, Instant now, const FreeMap& free);
  /// Of one node until when.
  struct GuestShare {
    std::int32_t node = 0;  ///< index within the pool
    std::int32_t gpus = 0;
    Instant until{};
  };
  /// As place_now() for a guest, which leaves free what other guests are expected to hold meanwhile.
  [[nodiscard]] bool place_guest(const Demand& job, Duration length, Instant now, const FreeMap& free,
                                 std::span<const GuestShare> others, std::vector<NodeSlice>& out);

  void take(std::span<const NodeSlice> slices, Instant from, Instant to);
  void give(std::span<const NodeSlice> slices, Instant from, Instant to);
  /// As give(), with a stamp for earlier().
  void vacate(std::span<const NodeSlice> slices, Instant from, Instant to, std::uint64_t stamp) {
    give(slices, from, to);
    note_freed(slices, from, to, stamp);
  }
  /// The stamp alone, of what has been given back.
  void note_freed(std::span<const NodeSlice> slices, Instant from, Instant to, std::uint64_t stamp);
  void forget_stamps();

  /// Appends what a job must be like to start now: sufficient for jobs of one node, necessary for larger
  /// ones.
  void windows(Instant now, const FreeMap& free, std::vector<Window>& out);

 private:
  struct Freed {
    std::int32_t node = 0;
    std::uint64_t stamp = 0;
    Instant from{}, to{};  ///< hull of what got free
  };
  struct Step {
    Instant at{};
    std::int32_t whole = 0, part = 0;  ///< change of the number of nodes
  };
  [[nodiscard]] std::int32_t node_of(const NodeSlice& slice) const {
    return static_cast<std::int32_t>(index(slice.node)) - shape_.first_node;
  }
  [[nodiscard]] bool one_node(std::int32_t gpus) const { return gpus <= shape_.gpus_per_node; }
  [[nodiscard]] Instant earliest_gang(const Demand& job, Duration length, Instant from, Instant before);
  void find_stays(Duration length, Instant at);
  [[nodiscard]] Instant earlier_on(const Freed& freed, std::int32_t gpus, Duration length, Instant from,
                                   Instant before, Instant clip) const;
  void choose(std::int32_t gpus, std::vector<NodeSlice>& out);

  PoolShape shape_;
  std::vector<Timeline> nodes_;
  std::vector<Freed> freed_;
  std::vector<std::int32_t> freed_at_;  ///< by node: index into freed_, -1: none
  std::vector<std::int32_t> stay_;      ///< scratch: GPUs that stay free, by node
  FreeMap map_;                         ///< scratch: the same, with the placement rule
  std::vector<Step> steps_;             ///< scratch
  std::vector<Window> front_;           ///< scratch
};

}  // namespace fleetsim
