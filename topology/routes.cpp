// Routes inside a node: fewest hops (breadth first), ties by destination. Routes between nodes:
// routes_between.cpp.
#include <fmt/format.h>

#include <algorithm>
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

constexpr int kUnseen = std::numeric_limits<int>::max();

/// Hops from `from` to the vertices of [first, last) that can be seen, no farther than to `to`: breadth
/// first.
std::vector<int> hops_within(const Visible& visible) {
  const Wiring& w = *visible.wiring;
  std::vector<int> hops(visible.last - visible.first, kUnseen);
  hops[visible.from - visible.first] = 0;
  std::vector<VertexId> queue{visible.from};
  for (std::size_t next = 0; next < queue.size() && queue[next] != visible.to; ++next) {
    for (const auto e : boost::make_iterator_range(boost::out_edges(queue[next], w))) {
      const VertexId v = boost::target(e, w);
      if (!visible(v) || hops[v - visible.first] != kUnseen) continue;
      hops[v - visible.first] = hops[queue[next] - visible.first] + 1;
      queue.push_back(v);
    }
  }
  return hops;
}

}  // namespace

std::vector<EdgeId> route(const Fabric::Graph& graph, VertexId from, VertexId to, const NodeVertices* node) {
  if (node == nullptr) return route_between(graph, from, to);
  const Wiring& w = graph.wiring;
  const Visible visible{&w, from, to, node->first, node->last};
  const VertexId base = visible.first;
  const std::vector<int> hops = hops_within(visible);
  if (hops[to - base] == kUnseen)
    throw std::invalid_argument(
        fmt::format("there is no way from {} to {}", describe(w[from]), describe(w[to])));

  // Walk back: among the neighbours one hop nearer to the start, the target's number picks.
  const std::size_t key = route_key(w[to]);
  std::vector<EdgeId> path;
  for (VertexId at = to; at != from;) {
    std::vector<EdgeId> choices;
    bool nvlink = false;  // GPUs that are joined by NVLink do not take the PCIe switch beside it
    for (const auto e : boost::make_iterator_range(boost::in_edges(at, w))) {
      if (!visible(boost::source(e, w))) continue;
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
