// Routes inside a node: fewest hops, ties by destination, searched with Boost.Graph. Routes between nodes:
// routes_between.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/property_map.hpp>
#include <boost/range/iterator_range.hpp>
#include <limits>
#include <stdexcept>

#include "topology/graph.hpp"

namespace fleetsim {
namespace {

/// Keeps the vertices that one search may see, and lets only its ends be GPUs or host memories.
struct Visible {
  const Wiring* wiring = nullptr;
  VertexId from = 0, to = 0;
  VertexId first = 0, last = 0;

  bool operator()(VertexId v) const {
    if (v == from || v == to) return true;
    const Device device = (*wiring)[v].device;
    return v >= first && v < last && device != Device::gpu && device != Device::memory &&
           device != Device::nic;
  }
};

using View = boost::filtered_graph<Wiring, boost::keep_all, Visible>;
constexpr int kUnseen = std::numeric_limits<int>::max();

/// Hops from the start; the search ends by exception as soon as the target is reached.
struct Reached {};
class Hops : public boost::default_bfs_visitor {
 public:
  Hops(std::vector<int>& hops, VertexId base, VertexId target) : hops_(&hops), base_(base), target_(target) {}
  template <class Edge, class G>
  void tree_edge(Edge e, const G& g) const {
    (*hops_)[boost::target(e, g) - base_] = (*hops_)[boost::source(e, g) - base_] + 1;
  }
  template <class G>
  void examine_vertex(VertexId v, const G&) const {
    if (v == target_) throw Reached{};
  }

 private:
  std::vector<int>* hops_;
  VertexId base_, target_;
};

}  // namespace

std::vector<EdgeId> route(const Fabric::Graph& graph, VertexId from, VertexId to, const NodeVertices* node) {
  if (node == nullptr) return route_between(graph, from, to);
  const Wiring& w = graph.wiring;
  const Visible visible{&w, from, to, node->first, node->last};
  const View view(w, boost::keep_all{}, visible);
  const VertexId base = visible.first;
  std::vector<int> hops(visible.last - visible.first, kUnseen);
  hops[from - base] = 0;
  try {
    // Colours only of the vertices that can be seen: a node of a large fabric costs what a small one does.
    std::vector<boost::default_color_type> colour(visible.last - visible.first, boost::white_color);
    const auto colours = boost::make_iterator_property_map(
        colour.begin(), boost::make_function_property_map<VertexId>([base](VertexId v) { return v - base; }));
    boost::queue<VertexId> queue;
    boost::breadth_first_visit(view, from, queue, Hops(hops, base, to), colours);
  } catch (const Reached&) {
  }
  if (hops[to - base] == kUnseen)
    throw std::invalid_argument(
        fmt::format("there is no way from {} to {}", describe(w[from]), describe(w[to])));

  // Walk back: among the neighbours one hop nearer to the start, the target's number picks.
  const std::size_t key = route_key(w[to]);
  std::vector<EdgeId> path;
  for (VertexId at = to; at != from;) {
    std::vector<EdgeId> choices;
    bool nvlink = false;  // GPUs that are joined by NVLink do not take the PCIe switch beside it
    for (const auto e : boost::make_iterator_range(boost::in_edges(at, view))) {
      const int h = hops[boost::source(e, w) - base];
      if (h == kUnseen || h + 1 != hops[at - base]) continue;
      choices.push_back(e);
      nvlink = nvlink || w[e].kind == LinkKind::nvlink;
    }
    if (nvlink) std::erase_if(choices, [&](const EdgeId& e) { return w[e].kind != LinkKind::nvlink; });
    path.push_back(chosen(w, choices, key));
    at = boost::source(path.back(), w);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::size_t route_key(const Vertex& target) {
  return static_cast<std::size_t>(std::max(target.node, 0)) + static_cast<std::size_t>(target.index);
}

EdgeId chosen(const Wiring& w, std::vector<EdgeId>& choices, std::size_t key) {
  std::sort(choices.begin(), choices.end(),
            [&](const EdgeId& a, const EdgeId& b) { return boost::source(a, w) < boost::source(b, w); });
  return choices[key % choices.size()];
}

}  // namespace fleetsim
