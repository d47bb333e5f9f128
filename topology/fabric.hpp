// The interconnect: one graph of all nodes, switches and links. Built once, then sealed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/base/ids.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// leaf_spine is a fat tree of two levels; superpod is rail-optimised: adapter r of every node of a unit
/// hangs on leaf r; the vertices of a torus are the accelerators themselves.
enum class FabricShape { none, single_switch, leaf_spine, fat_tree, superpod, torus };

struct FabricSpec {
  FabricShape shape = FabricShape::none;
  LinkType link;  ///< ignored for `none`
  int adapters_per_node = 1;
  double oversubscription = 1.0;  ///< leaf down ports over up ports
  int levels = 0;                 ///< fat tree: 2 or 3 levels of switches; 0: the fewest that reach
  int su_nodes = 0;               ///< superpod: nodes of a scalable unit; 0: as many as a leaf has ports for
  /// Torus: accelerators along each side, two or three sides. All zero: as cubic as fits; none: three sides.
  std::vector<int> dimensions{};
};

/// Counted from the graph; the bill of materials is made from these.
struct FabricCounts {
  int nodes = 0;
  int adapters = 0;
  int leaf_switches = 0;
  int spine_switches = 0;
  int node_cables = 0;    ///< adapter to leaf
  int switch_cables = 0;  ///< leaf to spine
  int core_switches = 0;
  int core_cables = 0;   ///< spine to core
  int torus_cables = 0;  ///< between the accelerators of different nodes
  [[nodiscard]] int switches() const { return leaf_switches + spine_switches + core_switches; }
  friend bool operator==(const FabricCounts&, const FabricCounts&) = default;
};

/// GPUs of one job on one node. Storey one: the first `gpus` GPUs in the node's numbering stand for any
/// choice.
struct NodeSlice {
  NodeId node{};
  std::int32_t gpus = 0;
};
using Placement = std::vector<NodeSlice>;

class Fabric {
 public:
  /// `nodes[i]` is the type of NodeId{i}; numbering fills leaf after leaf. Throws std::invalid_argument with
  /// a sentence for impossible wirings (too few ports, zero bandwidth); the loader checks beforehand. Cost:
  /// O(nodes x links a node).
  static Fabric build(const FabricSpec& spec, std::span<const NodeType* const> nodes);
  ~Fabric();
  Fabric(Fabric&&) noexcept;
  Fabric& operator=(Fabric&&) noexcept;

  [[nodiscard]] const FabricSpec& spec() const;
  [[nodiscard]] FabricCounts counts() const;
  [[nodiscard]] const NodeType& node(NodeId id) const;
  [[nodiscard]] int size() const;
  /// Leaf switch that a node hangs on, of a SuperPOD its scalable unit; 0 for shapes without leaves.
  [[nodiscard]] int leaf_of(NodeId id) const;
  /// Nodes that share one leaf switch, or one scalable unit; all of them where there are no leaves.
  [[nodiscard]] int nodes_per_leaf() const;
  /// Graphviz text of switches and nodes with pinned positions, and of the inside of one node.
  [[nodiscard]] std::string to_dot() const;
  [[nodiscard]] std::string node_to_dot(NodeId id) const;
  /// One line a vertex and edge, for --dump fabric.
  [[nodiscard]] std::string to_text() const;

  struct Graph;  // Boost.Graph, private to the room
  [[nodiscard]] const Graph& graph() const;

 private:
  explicit Fabric(std::unique_ptr<Graph> graph);
  std::unique_ptr<Graph> graph_;
};

[[nodiscard]] const char* to_string(FabricShape shape);  ///< as scenario files spell it

}  // namespace fleetsim
