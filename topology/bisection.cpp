#include "topology/bisection.hpp"

#include <algorithm>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <cstdint>
#include <map>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"
#include "topology/torus.hpp"

namespace fleetsim {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

/// Bytes/s in whole numbers: push-relabel ends only on excesses that are exactly zero.
struct Pipe {
  std::int64_t capacity = 0, residual = 0;
  Traits::edge_descriptor reverse;
};
using Pipes = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Pipe>;
constexpr double kLargest = 1e15;

/// A network of pipes from source 0 to sink 1, over the vertices of a wiring.
class Cut {
 public:
  Cut() : pipes_(2) {}

  void from_source(VertexId v, double rate) { add(0, at(v), rate); }
  void to_sink(VertexId v, double rate) { add(at(v), 1, rate); }
  void pipe(VertexId a, VertexId b, double rate) { add(at(a), at(b), rate); }

  [[nodiscard]] double flow() {
    return static_cast<double>(boost::push_relabel_max_flow(
        pipes_, std::size_t{0}, std::size_t{1}, boost::get(&Pipe::capacity, pipes_),
        boost::get(&Pipe::residual, pipes_), boost::get(&Pipe::reverse, pipes_),
        boost::get(boost::vertex_index, pipes_)));
  }

 private:
  std::size_t at(VertexId v) {
    const auto [it, is_new] = number_.emplace(v, boost::num_vertices(pipes_));
    if (is_new) boost::add_vertex(pipes_);
    return it->second;
  }
  void add(std::size_t a, std::size_t b, double rate) {
    const auto there = boost::add_edge(a, b, pipes_).first;
    const auto back = boost::add_edge(b, a, pipes_).first;
    pipes_[there].capacity = std::llround(rate);
    pipes_[there].reverse = back;
    pipes_[back].reverse = there;
  }

  Pipes pipes_;
  std::map<VertexId, std::size_t> number_;
};

double torus_bisection(const Fabric::Graph& g) {
  const std::vector<int>& sides = g.plan.sides;
  const auto longest = std::max_element(sides.begin(), sides.end()) - sides.begin();
  int stride = 1;
  for (std::ptrdiff_t d = 0; d < longest; ++d) stride *= sides[d];
  const bool full = std::find(g.places.begin(), g.places.end(), kNowhere) == g.places.end();
  Cut cut;
  for (std::size_t place = 0; place < g.places.size(); ++place) {
    const VertexId v = g.places[place];
    if (v == kNowhere) continue;
    const bool first = full ? static_cast<int>(place) / stride % sides[longest] < sides[longest] / 2
                            : static_cast<std::size_t>(g.wiring[v].node) < g.nodes.size() / 2;
    if (first) {
      cut.from_source(v, kLargest);
    } else {
      cut.to_sink(v, kLargest);
    }
    for (const auto e : boost::make_iterator_range(boost::out_edges(v, g.wiring)))
      if (g.wiring[e].kind == LinkKind::network) cut.pipe(v, boost::target(e, g.wiring), g.wiring[e].rate);
  }
  return cut.flow();
}

}  // namespace

double bisection_bandwidth(const Fabric& fabric) {
  const Fabric::Graph& g = fabric.graph();
  if (g.nodes.size() < 2 || fabric.spec().shape == FabricShape::none) return 0.0;
  if (fabric.spec().shape == FabricShape::torus) return torus_bisection(g);
  Cut cut;
  const std::size_t half = g.nodes.size() / 2;
  std::map<VertexId, double> sent, received;  // by the nodes of a leaf
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    for (const VertexId nic : g.nodes[n].nics) {
      for (const auto e : boost::make_iterator_range(boost::out_edges(nic, g.wiring)))
        if (g.wiring[e].kind == LinkKind::network)
          (n < half ? sent : received)[boost::target(e, g.wiring)] += g.wiring[e].rate;
    }
  }
  for (const auto& [leaf, rate] : sent) cut.from_source(leaf, rate);
  for (const auto& [leaf, rate] : received) cut.to_sink(leaf, rate);
  for (const auto* level : {&g.leaves, &g.spines, &g.cores}) {
    for (const VertexId v : *level) {
      for (const auto e : boost::make_iterator_range(boost::out_edges(v, g.wiring)))
        if (g.wiring[boost::target(e, g.wiring)].node < 0)
          cut.pipe(v, boost::target(e, g.wiring), g.wiring[e].rate);
    }
  }
  return cut.flow();
}

double node_bisection_bandwidth(const Fabric& fabric, NodeId node) {
  const Fabric::Graph& g = fabric.graph();
  FLEETSIM_ASSERT(index(node) < g.nodes.size());
  const NodeVertices& v = g.nodes[index(node)];
  const NodeType& type = fabric.node(node);
  if (v.gpus.size() < 2) return 0.0;
  // NVLink and PCIe share no link, so what both carry adds up.
  const auto flow = [&](bool nvlink) {
    Cut cut;
    for (std::size_t i = 0; i < v.gpus.size(); ++i) {
      if (i < v.gpus.size() / 2) {
        cut.from_source(v.gpus[i], kLargest);
      } else {
        cut.to_sink(v.gpus[i], kLargest);
      }
    }
    for (VertexId at = v.first; at < v.last; ++at) {
      for (const auto e : boost::make_iterator_range(boost::out_edges(at, g.wiring))) {
        const VertexId to = boost::target(e, g.wiring);
        const LinkKind kind = g.wiring[e].kind;
        if (to >= v.first && to < v.last && kind != LinkKind::network && (kind == LinkKind::nvlink) == nvlink)
          cut.pipe(at, to, g.wiring[e].rate);
      }
    }
    return cut.flow();
  };
  const double pcie = flow(false);
  return flow(true) + (type.gpu.peer_to_peer ? pcie : std::min(pcie, type.host_staging.value.count() / 2.0));
}

}  // namespace fleetsim
