// Builds the graph of all nodes and switches, and counts what has to be bought for it.
#include "topology/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

void check(const FabricSpec& spec) {
  if (spec.shape == FabricShape::none) return;
  const std::string& link = spec.link.name;
  if (spec.link.usable_rate.value.count() <= 0)
    throw std::invalid_argument(fmt::format("a fabric over '{}' has no bandwidth", link));
  if (spec.adapters_per_node < 1)
    throw std::invalid_argument(
        "a fabric needs at least one adapter in every node; shape none has no fabric");
  if (spec.link.switch_ports < 1)
    throw std::invalid_argument(fmt::format("the switch for '{}' has no ports", link));
  if (!(spec.oversubscription >= 1.0) || !std::isfinite(spec.oversubscription))
    throw std::invalid_argument("oversubscription is leaf down ports over up ports and cannot be below 1");
}

class FabricBuilder {
 public:
  explicit FabricBuilder(Fabric::Graph& graph)
      : g_(graph),
        nodes_(static_cast<int>(graph.type_of.size())),
        ports_(graph.spec.link.switch_ports),
        adapters_(graph.spec.adapters_per_node) {}

  void build() {
    if (g_.spec.shape == FabricShape::none || nodes_ == 0) return;
    if (nodes_ * adapters_ <= ports_) {
      add_leaves(ports_ / adapters_);  // everything fits one switch: no spine to buy
    } else if (g_.spec.shape == FabricShape::single_switch) {
      throw std::invalid_argument(fmt::format(
          "{} nodes with {} adapter{} each need {} switch ports and the '{}' switch has {}; take shape "
          "leaf-spine",
          nodes_, adapters_, adapters_ == 1 ? "" : "s", nodes_ * adapters_, g_.spec.link.name, ports_));
    } else {
      add_leaf_spine();
    }
  }

 private:
  void add_leaves(int nodes_per_leaf) {
    g_.nodes_per_leaf = nodes_per_leaf;
    for (int n = 0; n < nodes_; ++n) {
      if (n % nodes_per_leaf == 0) g_.leaves.push_back(add(Device::leaf, static_cast<int>(g_.leaves.size())));
      for (const VertexId nic : g_.nodes[n].nics) connect(g_.wiring, nic, g_.leaves.back(), g_.spec.link);
    }
  }

  VertexId add(Device device, int index) { return boost::add_vertex(Vertex{device, -1, index}, g_.wiring); }

  [[nodiscard]] int uplinks(int nodes_on_leaf) const {
    return static_cast<int>(std::ceil(nodes_on_leaf * adapters_ / g_.spec.oversubscription - 1e-9));
  }

  /// Most nodes on a leaf so that down ports + up ports fit the switch.
  void add_leaf_spine() {
    int per_leaf = ports_ / adapters_;
    while (per_leaf > 0 && per_leaf * adapters_ + uplinks(per_leaf) > ports_) --per_leaf;
    if (per_leaf == 0) {
      throw std::invalid_argument(
          fmt::format("a leaf switch with {} ports cannot hold one node with {} adapters and its uplinks",
                      ports_, adapters_));
    }
    add_leaves(per_leaf);
    std::vector<int> up;
    for (std::size_t l = 0; l < g_.leaves.size(); ++l)
      up.push_back(uplinks(std::min(per_leaf, nodes_ - static_cast<int>(l) * per_leaf)));
    const int most = *std::max_element(up.begin(), up.end());
    // Every leaf spreads its uplinks over all spines: the fewest spines whose ports take them all.
    for (int spines = 1; spines <= most; ++spines) {
      int used = 0;
      for (const int u : up) used += (u + spines - 1) / spines;
      if (used > ports_) continue;
      add_spines(spines, up);
      return;
    }
    throw std::invalid_argument(
        fmt::format("{} nodes need {} leaf switches, more than the {} ports of a '{}' spine switch can join; "
                    "two levels of "
                    "switches do not reach",
                    nodes_, g_.leaves.size(), ports_, g_.spec.link.name));
  }

  void add_spines(int spines, const std::vector<int>& up) {
    for (int s = 0; s < spines; ++s) g_.spines.push_back(add(Device::spine, s));
    for (std::size_t l = 0; l < up.size(); ++l) {
      for (int s = 0; s < spines; ++s) {
        // A leaf with fewer cables than spines starts at another spine than its neighbour.
        const int slot = (s - static_cast<int>(l) % spines + spines) % spines;
        const int cables = up[l] / spines + (slot < up[l] % spines ? 1 : 0);
        if (cables > 0) connect(g_.wiring, g_.leaves[l], g_.spines[s], g_.spec.link, cables);
      }
    }
  }

  Fabric::Graph& g_;
  int nodes_, ports_, adapters_;
};

}  // namespace

const char* to_string(FabricShape shape) {
  switch (shape) {
    case FabricShape::none:
      return "none";
    case FabricShape::single_switch:
      return "single-switch";
    case FabricShape::leaf_spine:
      return "leaf-spine";
  }
  return "";
}

Fabric::Fabric(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

Fabric Fabric::build(const FabricSpec& spec, std::span<const NodeType* const> nodes) {
  check(spec);
  auto graph = std::make_unique<Graph>();
  graph->spec = spec;
  // Equal names are one type: pointers would make the numbering depend on where the caller keeps its records.
  std::map<std::string, std::int32_t> known;
  const LinkType* network = spec.shape == FabricShape::none ? nullptr : &spec.link;
  for (const NodeType* type : nodes) {
    FLEETSIM_ASSERT(type != nullptr);
    const auto [it, is_new] = known.emplace(type->name, static_cast<std::int32_t>(graph->types.size()));
    if (is_new) graph->types.push_back(*type);
    graph->type_of.push_back(it->second);
    graph->nodes.push_back(wire_node(graph->wiring, *type, static_cast<std::int32_t>(graph->nodes.size()),
                                     network, spec.adapters_per_node));
  }
  FabricBuilder(*graph).build();
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
  }
  for (const EdgeId e : boost::make_iterator_range(boost::edges(w))) {
    // Each cable is two directed edges; count it where it points up.
    if (w[boost::target(e, w)].device == Device::leaf && w[boost::source(e, w)].device == Device::nic)
      c.node_cables += w[e].cables;
    if (w[boost::target(e, w)].device == Device::spine) c.switch_cables += w[e].cables;
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
  return graph_->nodes_per_leaf == 0 ? 0 : static_cast<int>(index(id)) / graph_->nodes_per_leaf;
}

int Fabric::nodes_per_leaf() const {
  return graph_->nodes_per_leaf == 0 ? size() : graph_->nodes_per_leaf;
}

const Fabric::Graph& Fabric::graph() const {
  return *graph_;
}

std::string describe(const Vertex& v) {
  static constexpr const char* kNames[] = {"GPU", "PCIe switch", "CPU",  "memory",
                                           "NIC", "NVSwitch",    "leaf", "spine"};
  const std::string name = fmt::format("{} {}", kNames[static_cast<int>(v.device)], v.index);
  return v.node < 0 ? name : fmt::format("node {} {}", v.node, name);
}

std::string Fabric::to_text() const {
  const Wiring& w = graph_->wiring;
  const FabricCounts c = counts();
  std::string out = fmt::format(
      "fabric {} nodes={} adapters={} leaf_switches={} spine_switches={} node_cables={} switch_cables={}\n",
      to_string(spec().shape), c.nodes, c.adapters, c.leaf_switches, c.spine_switches, c.node_cables,
      c.switch_cables);
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
