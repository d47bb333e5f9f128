// The graph behind Fabric. Private to this room: Boost.Graph stays in its .cpp files.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/fabric_plan.hpp"

namespace fleetsim {

enum class Device : std::uint8_t { gpu, pcie_switch, cpu, memory, nic, nvswitch, leaf, spine, core };

struct Vertex {
  Device device{};
  std::int32_t node = -1;  ///< index of the NodeId; -1 for switches of the fabric
  std::int32_t index = 0;  ///< among its kind in the node, or in the fabric
};

/// One direction of a link. Every link is two edges.
struct Link {
  LinkKind kind{};
  double rate = 0.0;      ///< bytes/s that the catalogue calls usable, all parallel cables together
  double capacity = 0.0;  ///< bytes/s that a collective gets: rate less protocol efficiency
  double latency_s = 0.0;
  int cables = 1;  ///< parallel cables that this edge stands for
};

using Wiring = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Vertex, Link>;
using VertexId = boost::graph_traits<Wiring>::vertex_descriptor;
using EdgeId = boost::graph_traits<Wiring>::edge_descriptor;

/// Where the vertices of one node are. They are numbered consecutively, so a route inside a node is a search
/// in [first, last).
struct NodeVertices {
  VertexId first = 0, last = 0;
  std::vector<VertexId> gpus;  ///< in the order that jobs take them
  std::vector<VertexId> switches, cpus, memories, nics;
};

struct Fabric::Graph {
  FabricSpec spec;
  std::vector<NodeType> types;        ///< distinct
  std::vector<std::int32_t> type_of;  ///< node -> index into types
  std::vector<NodeVertices> nodes;
  std::vector<VertexId> leaves;  ///< unit after unit, rail after rail
  std::vector<VertexId> spines;  ///< block after block
  std::vector<VertexId> cores;   ///< group after group
  std::vector<VertexId> places;  ///< torus: accelerator at each place of the lattice, kNowhere where free
  FabricPlan plan;
  Wiring wiring;
};

inline constexpr VertexId kNowhere = static_cast<VertexId>(-1);

/// Adds the switches and cables of graph.plan, whose nodes are wired already.
void wire_fabric(Fabric::Graph& graph);

/// Adds the inside of one node. Throws std::invalid_argument for impossible wirings.
NodeVertices wire_node(Wiring& wiring, const NodeType& type, std::int32_t node, const LinkType* network,
                       int adapters);

/// Adds both directions of a link.
void connect(Wiring& wiring, VertexId a, VertexId b, const LinkType& link, int cables = 1);
/// What a collective gets of a link, bytes/s.
[[nodiscard]] double collective_rate(const LinkType& link);

/// Fewest hops from `from` to `to`; among equals NVLink first, then the one that (target modulo choices)
/// picks at every step backwards from the target, as destination-based forwarding tables do. GPUs and host
/// memories never relay. Only vertices of `node` are searched. When `node` is null the way leads up from
/// adapter to switch, as far as it must, and down again; on a torus from accelerator to accelerator, along
/// one side after the other. Throws std::invalid_argument when there is no way. Cost: O(edges of the node);
/// O(ports^2) over switches; O(hops) on a full torus.
[[nodiscard]] std::vector<EdgeId> route(const Fabric::Graph& graph, VertexId from, VertexId to,
                                        const NodeVertices* node);

/// As route(), between adapters of two nodes, or between two accelerators of a torus.
[[nodiscard]] std::vector<EdgeId> route_between(const Fabric::Graph& graph, VertexId from, VertexId to);
/// What forwarding tables know a target by: its node's and its own number.
[[nodiscard]] std::size_t route_key(const Vertex& target);
/// The edge, of those that end at one vertex, on which traffic for a target with this key comes. Sorts
/// `choices` by their start.
[[nodiscard]] EdgeId chosen(const Wiring& wiring, std::vector<EdgeId>& choices, std::size_t key);

/// "node 3 GPU 5", "leaf 2"
[[nodiscard]] std::string describe(const Vertex& vertex);

}  // namespace fleetsim
