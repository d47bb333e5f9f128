// Free GPUs of each node of one pool, indexed by how many are free, and the rule that places a job on them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/ids.hpp"
#include "topology/fabric.hpp"

namespace fleetsim {

/// What the cluster must know of a pool. Nodes are numbered through the whole fleet, leaf after leaf: node n
/// hangs on leaf n / nodes_per_leaf.
struct PoolShape {
  std::int32_t nodes = 0;
  std::int32_t gpus_per_node = 1;
  std::int32_t first_node = 0;
  std::int32_t nodes_per_leaf = std::numeric_limits<std::int32_t>::max();
};

/// Placement rule. With G GPUs a node, a job of g <= G sits on one node: the one with the fewest free GPUs
/// that still fits, the lowest number among equals. A larger job takes floor(g/G) whole nodes and, best fit
/// among the rest, a part of one more: on the first leaf that can hold it all, else on the leaves with the
/// most whole nodes free, so on few. Whether a job fits is a threshold, max_fit(), for every size.
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
    std::int32_t free = std::numeric_limits<std::int32_t>::max();
    std::int32_t node = -1;
  };
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
  bool choose_gang(std::int32_t gpus, std::vector<NodeSlice>& out) const;
  bool spread(std::int32_t whole, std::int32_t rest, std::vector<NodeSlice>& out) const;
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
};

}  // namespace fleetsim
