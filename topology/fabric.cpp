// Builds the graph of all nodes and switches, and counts what has to be bought for it.
#include "topology/fabric.hpp"

#include <fmt/format.h>

#include <boost/range/iterator_range.hpp>
#include <map>
#include <stdexcept>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"

namespace fleetsim {

const char* to_string(FabricShape shape) {
  switch (shape) {
    case FabricShape::none:
      return "none";
    case FabricShape::single_switch:
      return "single-switch";
    case FabricShape::leaf_spine:
      return "leaf-spine";
    case FabricShape::fat_tree:
      return "fat-tree";
    case FabricShape::superpod:
      return "superpod";
    case FabricShape::torus:
      return "torus";
  }
  return "";
}

Fabric::Fabric(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

Fabric Fabric::build(const FabricSpec& spec, std::span<const NodeType* const> nodes) {
  auto graph = std::make_unique<Graph>();
  graph->spec = spec;
  graph->plan = plan_fabric(spec, static_cast<int>(nodes.size()), nodes.empty() ? 1 : nodes.front()->gpus);
  if (!graph->plan.problem.empty()) throw std::invalid_argument(graph->plan.problem);
  // Equal names are one type: pointers would make the numbering depend on where the caller keeps its records.
  std::map<std::string, std::int32_t> known;
  const bool adapters = spec.shape != FabricShape::none && spec.shape != FabricShape::torus;
  const LinkType* network = adapters ? &spec.link : nullptr;
  for (const NodeType* type : nodes) {
    FLEETSIM_ASSERT(type != nullptr);
    const auto [it, is_new] = known.emplace(type->name, static_cast<std::int32_t>(graph->types.size()));
    if (is_new) graph->types.push_back(*type);
    graph->type_of.push_back(it->second);
    graph->nodes.push_back(wire_node(graph->wiring, *type, static_cast<std::int32_t>(graph->nodes.size()),
                                     network, spec.adapters_per_node));
  }
  wire_fabric(*graph);
  return Fabric(std::move(graph));
}

const FabricSpec& Fabric::spec() const {
  return graph_->spec;
}

FabricCounts Fabric::counts() const {
  const Wiring& w = graph_->wiring;
  FabricCounts c;
  c.nodes = size();
  for (const VertexId v : boost::make_iterator_range(boost::vertices(w))) {
    c.adapters += w[v].device == Device::nic;
    c.leaf_switches += w[v].device == Device::leaf;
    c.spine_switches += w[v].device == Device::spine;
    c.core_switches += w[v].device == Device::core;
  }
  for (const EdgeId e : boost::make_iterator_range(boost::edges(w))) {
    // Each cable is two directed edges; count it where it points up.
    const Vertex &from = w[boost::source(e, w)], &to = w[boost::target(e, w)];
    if (from.device == Device::nic && to.device == Device::leaf) c.node_cables += w[e].cables;
    if (from.device == Device::leaf && to.device == Device::spine) c.switch_cables += w[e].cables;
    if (from.device == Device::spine && to.device == Device::core) c.core_cables += w[e].cables;
    if (w[e].kind == LinkKind::network && from.device == Device::gpu && from.node < to.node)
      c.torus_cables += w[e].cables;
  }
  return c;
}

const NodeType& Fabric::node(NodeId id) const {
  FLEETSIM_ASSERT(index(id) < graph_->type_of.size());
  return graph_->types[graph_->type_of[index(id)]];
}

int Fabric::size() const {
  return static_cast<int>(graph_->type_of.size());
}

int Fabric::leaf_of(NodeId id) const {
  return graph_->leaves.empty() ? 0 : static_cast<int>(index(id)) / graph_->plan.nodes_per_unit;
}

int Fabric::nodes_per_leaf() const {
  return graph_->plan.nodes_per_unit;
}

const Fabric::Graph& Fabric::graph() const {
  return *graph_;
}

std::string describe(const Vertex& v) {
  static constexpr const char* kNames[] = {"GPU",      "PCIe switch", "CPU",   "memory", "NIC",
                                           "NVSwitch", "leaf",        "spine", "core"};
  const std::string name = fmt::format("{} {}", kNames[static_cast<int>(v.device)], v.index);
  return v.node < 0 ? name : fmt::format("node {} {}", v.node, name);
}

std::string Fabric::to_text() const {
  const Wiring& w = graph_->wiring;
  const FabricCounts c = counts();
  std::string out = fmt::format(
      "fabric {} nodes={} adapters={} leaf_switches={} spine_switches={} node_cables={} switch_cables={}",
      to_string(spec().shape), c.nodes, c.adapters, c.leaf_switches, c.spine_switches, c.node_cables,
      c.switch_cables);
  if (c.core_switches > 0)
    out += fmt::format(" core_switches={} core_cables={}", c.core_switches, c.core_cables);
  if (spec().shape == FabricShape::torus)
    out += fmt::format(" sides={} torus_cables={}", fmt::join(graph_->plan.sides, "x"), c.torus_cables);
  out += '\n';
  for (const VertexId v : boost::make_iterator_range(boost::vertices(w))) {
    out += fmt::format("vertex {}", describe(w[v]));
    if (w[v].device == Device::gpu)
      out += fmt::format(" ({})", graph_->types[graph_->type_of[w[v].node]].gpu.name);
    out += '\n';
  }
  for (const EdgeId e : boost::make_iterator_range(boost::edges(w))) {
    out += fmt::format("edge {} -> {}: {} {:g} GB/s", describe(w[boost::source(e, w)]),
                       describe(w[boost::target(e, w)]), to_string(w[e].kind), w[e].rate / 1e9);
    if (w[e].cables > 1) out += fmt::format(" ({} cables)", w[e].cables);
    out += '\n';
  }
  return out;
}

}  // namespace fleetsim
