// Free GPUs of each node of one pool, indexed by how many are free, and the rule that places a job on them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/scenario.hpp"
#include "topology/fabric.hpp"

namespace fleetsim {

/// What the cluster must know of a pool. Nodes are numbered through the whole fleet, leaf after leaf: node n
/// hangs on leaf n / nodes_per_leaf.
struct PoolShape {
  std::int32_t nodes = 0;
  std::int32_t gpus_per_node = 1;
  std::int32_t first_node = 0;
  std::int32_t nodes_per_leaf = std::numeric_limits<std::int32_t>::max();
  PlacementRule rule = PlacementRule::pack;
};

/// Whether the rule prefers a node with `a` free GPUs to one with `b`, both large enough.
[[nodiscard]] inline bool prefers(PlacementRule rule, std::int32_t a, std::int32_t b) {
  return rule == PlacementRule::pack ? a < b : a > b;
}

/// Leaves without a limit on their number.
inline constexpr std::int32_t kAnyLeaves = std::numeric_limits<std::int32_t>::max();

/// Placement rule. With G GPUs a node, a job of g <= G sits on one node that can hold it: with `pack` the one
/// with the fewest free GPUs, with `spread` the one with the most, the lowest number among equals. A larger
/// job takes floor(g/G) whole nodes and a part of one more, chosen likewise. All on the first leaf that can
/// hold it; else on as few leaves as can: those with the most whole nodes free, the lower number among
/// equals, where the last of them gives way to an equal one if only that has room for the part.
///
/// Whether a job fits, on any leaves or on a given number, is a threshold for every size: max_fit().
///
/// Memory: nodes * (G + 1) / 8 bytes. Not for use by two threads at once.
class FreeMap {
 public:
  /// All GPUs free.
  explicit FreeMap(const PoolShape& shape);

  [[nodiscard]] const PoolShape& shape() const { return shape_; }
  /// Index within the pool, GPUs free.
  [[nodiscard]] std::span<const std::int32_t> free() const { return free_; }
  [[nodiscard]] std::int32_t total() const { return total_; }
  /// Whole nodes free.
  [[nodiscard]] std::int32_t whole() const;
  /// Nodes with at least `gpus` free. O(G).
  [[nodiscard]] std::int32_t nodes_with(std::int32_t gpus) const;
  /// Size of the largest job that fits; every smaller one fits too. O(G / 64).
  [[nodiscard]] std::int32_t max_fit() const;
  [[nodiscard]] bool fits(std::int32_t gpus) const { return gpus <= max_fit(); }
  /// The same on at most `leaves` leaf switches, >= 1. O(nodes / 64 + leaves log leaves).
  [[nodiscard]] std::int32_t max_fit(std::int32_t leaves) const;
  [[nodiscard]] bool fits(std::int32_t gpus, std::int32_t leaves) const {
    return fits(gpus) && (gpus <= shape_.gpus_per_node || leaves >= leaves_ || gpus <= max_fit(leaves));
  }

  /// Appends the slices that a job would get; asserts that it fits. Returns whether they hang on several leaf
  /// switches. O(nodes / 64) on one leaf, O(leaves^2) when it must be spread.
  bool choose(std::int32_t gpus, std::vector<NodeSlice>& out) const;

  void take(const NodeSlice& slice);
  void give(const NodeSlice& slice);
  void set(std::int32_t node, std::int32_t gpus);
  /// Replaces all counts; O(nodes + G * nodes / 64).
  void assign(std::span<const std::int32_t> gpus);

 private:
  struct Partial {
    std::int32_t free = 0;
    std::int32_t node = -1;
  };
  [[nodiscard]] std::int32_t first_choice(std::int32_t gpus) const;
  [[nodiscard]] std::int32_t next_choice(std::int32_t free, std::int32_t gpus) const;
  [[nodiscard]] std::span<const std::uint64_t> bucket(std::int32_t gpus) const;
  [[nodiscard]] std::int32_t best_fit(std::int32_t gpus) const;
  [[nodiscard]] Partial partial(std::int32_t lo, std::int32_t hi, std::int32_t gpus,
                                std::int32_t taken) const;
  [[nodiscard]] std::int32_t local(const NodeSlice& slice) const {
    return static_cast<std::int32_t>(index(slice.node)) - shape_.first_node;
  }
  [[nodiscard]] NodeId id(std::int32_t node) const {
    return NodeId{static_cast<std::uint32_t>(shape_.first_node + node)};
  }
  void leaf_range(std::int32_t leaf, std::int32_t& lo, std::int32_t& hi) const;
  [[nodiscard]] std::int32_t whole_on(std::int32_t leaf) const;
  bool choose_gang(std::int32_t gpus, std::vector<NodeSlice>& out) const;
  bool several_leaves(std::int32_t whole, std::int32_t rest, std::vector<NodeSlice>& out) const;
  /// Best node for the part of a gang. `spoken_for(leaf)`: whole nodes that the gang takes there, -1: not
  /// on this leaf.
  template <class SpokenFor>
  [[nodiscard]] Partial part_on(std::int32_t rest, const SpokenFor& spoken_for, std::int32_t& on) const;
  void take_whole(std::int32_t lo, std::int32_t hi, std::int32_t count, std::vector<NodeSlice>& out) const;

  PoolShape shape_;
  std::int32_t words_ = 0;
  std::int32_t leaves_ = 1;
  std::int32_t first_leaf_ = 0;
  std::int32_t total_ = 0;
  std::vector<std::int32_t> free_;
  // Only for pools of several nodes:
  std::vector<std::uint64_t> buckets_;       ///< one bit a node for each count of free GPUs
  std::vector<std::int32_t> count_;          ///< nodes in each bucket
  std::vector<std::uint64_t> occupied_;      ///< one bit a bucket that is not empty
  mutable std::vector<std::int32_t> taken_;  ///< whole nodes used of each leaf
  struct LeafRoom {
    std::int32_t whole = 0, part = 0;  ///< nodes all free; most GPUs free on another one
  };
  mutable std::vector<LeafRoom> rooms_;  ///< scratch of max_fit(leaves)
};

}  // namespace fleetsim
