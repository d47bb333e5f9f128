// Which guests must go so that a job of the owners can start at once: those whose work is the least loss.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/policies/demand.hpp"

namespace fleetsim {

/// GPU time that guests would lose, in microseconds times GPUs; among equals the fewer jobs.
struct ClaimCost {
  std::int64_t lost_us = 0;
  std::int32_t jobs = 0;
  friend auto operator<=>(const ClaimCost&, const ClaimCost&) = default;
  ClaimCost operator+(const ClaimCost& other) const { return {lost_us + other.lost_us, jobs + other.jobs}; }
};

/// A guest loses its time since its start, or since its last complete checkpoint.
///
/// A claimant on one node: of all sets of guests that suffice on some node, the one of least cost; the lower
/// node among equals, and on a node that which spares the guests that started first. Exact: the guests of a
/// node are a covering knapsack of few items.
///
/// A claimant of several nodes: nodes are cleared one after another, each time the one whose guests lose
/// least (those that go already cost nothing), until the claimant fits by the placement rule; then guests
/// that are not needed stay, the most expensive first. Exact when no guest spans nodes, the claimant takes
/// whole nodes and any leaves will do; else a small set without a needless member, for the exact problem (the
/// least union of k sets) is NP-hard.
class ClaimPlanner {
 public:
  /// `period`: time from one checkpoint to the next, 0: jobs write none.
  explicit ClaimPlanner(Duration period) : period_(period) {}

  /// `allowed`: by node of the pool, GPUs that the claimant may have of it, at most those claimable. False:
  /// not even without any guest there is room.
  /// Cost: O(guests * GPUs of a node) for one node, O(guests * nodes) placements for several.
  [[nodiscard]] bool find(const Cluster& cluster, PoolId pool, const Demand& job,
                          std::span<const std::int32_t> allowed, Instant now);

  /// Of the last find() that was true; in the order in which they started.
  [[nodiscard]] std::span<const JobId> guests() const { return chosen_; }
  [[nodiscard]] const ClaimCost& cost() const { return cost_; }

 private:
  struct Share {
    std::size_t guest = 0;  ///< index into the pool's guests
    std::int32_t gpus = 0;  ///< of this node
  };
  bool find_one_node(std::span<const std::int32_t> free, std::span<const std::int32_t> allowed,
                     std::int32_t gpus);
  ClaimCost cover(const std::vector<Share>& on_node, std::int32_t needed);
  bool find_gang(const Cluster& cluster, PoolId pool, const Demand& job,
                 std::span<const std::int32_t> allowed);
  [[nodiscard]] bool fits_without(const FreeMap& free, const Demand& job,
                                  std::span<const std::int32_t> allowed);

  Duration period_;
  std::vector<ClaimCost> costs_;             ///< by guest
  std::vector<std::vector<Share>> on_node_;  ///< by node, in the order of their starts
  std::vector<char> goes_;                   ///< by guest
  std::vector<std::size_t> picked_;          ///< scratch: guests of one cover
  std::vector<JobId> chosen_;
  ClaimCost cost_;
  std::vector<std::int32_t> room_;  ///< scratch: GPUs by node
};

}  // namespace fleetsim
