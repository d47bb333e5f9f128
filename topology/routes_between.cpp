// Routes between nodes: up from the adapter to the first switch that both ends hang below, and down again;
// on a torus along one side after the other.
#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <iterator>
#include <map>
#include <stdexcept>

#include "topology/graph.hpp"
#include "topology/torus.hpp"

namespace fleetsim {
namespace {

int height(Device device) {
  switch (device) {
    case Device::nic:
      return 1;
    case Device::leaf:
      return 2;
    case Device::spine:
      return 3;
    case Device::core:
      return 4;
    default:
      return 0;
  }
}

using Level = std::vector<VertexId>;  // sorted

bool holds(const Level& level, VertexId v) {
  return std::binary_search(level.begin(), level.end(), v);
}

/// Switches one level above.
Level above(const Wiring& w, const Level& level) {
  Level out;
  for (const VertexId v : level) {
    for (const auto e : boost::make_iterator_range(boost::out_edges(v, w))) {
      const VertexId to = boost::target(e, w);
      if (height(w[to].device) == height(w[v].device) + 1) out.push_back(to);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Of `level`, those below one of `top`.
Level below(const Wiring& w, const Level& level, const Level& top) {
  Level out;
  for (const VertexId v : level) {
    const auto edges = boost::make_iterator_range(boost::out_edges(v, w));
    if (std::any_of(edges.begin(), edges.end(),
                    [&](const EdgeId& e) { return holds(top, boost::target(e, w)); }))
      out.push_back(v);
  }
  return out;
}

/// The way from `a` on one side of the tree to `b` on the other passes switches of one level after the other.
std::vector<EdgeId> tree_route(const Wiring& w, VertexId from, VertexId to) {
  std::vector<Level> up{{from}}, down{{to}};
  Level top;
  while (top.empty()) {
    up.push_back(above(w, up.back()));
    down.push_back(above(w, down.back()));
    if (up.back().empty() || down.back().empty()) return {};
    std::set_intersection(up.back().begin(), up.back().end(), down.back().begin(), down.back().end(),
                          std::back_inserter(top));
  }
  // What may be passed on the way down: what lies below the top.
  std::vector<Level> levels(up.begin(), up.end() - 1);
  levels.push_back(top);
  down.back() = top;
  for (std::size_t i = down.size() - 1; i > 1; --i) down[i - 1] = below(w, down[i - 1], down[i]);
  for (std::size_t i = down.size() - 1; i-- > 1;) levels.push_back(down[i]);

  std::size_t key = route_key(w[to]);
  std::vector<EdgeId> path;
  for (VertexId at = to; at != from;) {
    const Level& before = levels.back();
    std::vector<EdgeId> choices;
    for (const auto e : boost::make_iterator_range(boost::in_edges(at, w)))
      if (holds(before, boost::source(e, w))) choices.push_back(e);
    path.push_back(chosen(w, choices, key));
    key /= choices.size();  // the next level spreads by the next digit, or it would see one choice only
    at = boost::source(path.back(), w);
    levels.pop_back();
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// Around the free places of a lattice that is not full: breadth first, nearest in the order of the links.
std::vector<EdgeId> way_around(const Wiring& w, VertexId from, VertexId to) {
  std::map<VertexId, EdgeId> came;
  std::vector<VertexId> queue{from};
  for (std::size_t next = 0; next < queue.size() && came.count(to) == 0; ++next) {
    for (const auto e : boost::make_iterator_range(boost::out_edges(queue[next], w))) {
      const VertexId v = boost::target(e, w);
      if (w[e].kind == LinkKind::network && v != from && came.emplace(v, e).second) queue.push_back(v);
    }
  }
  std::vector<EdgeId> path;
  if (came.count(to) == 0) return path;
  for (VertexId at = to; at != from; at = boost::source(path.back(), w)) path.push_back(came.at(at));
  std::reverse(path.begin(), path.end());
  return path;
}

/// Along the first side the shorter way round, then along the next; equal ways: forward to even places.
std::vector<EdgeId> torus_route(const Fabric::Graph& g, VertexId from, VertexId to) {
  const auto place_of = [&](VertexId v) {
    const NodeVertices& node = g.nodes[g.wiring[v].node];
    const auto at = std::find(node.gpus.begin(), node.gpus.end(), v);
    return torus_place(g.plan, g.wiring[v].node, static_cast<int>(at - node.gpus.begin()));
  };
  int at = place_of(from), stride = 1;
  const int target = place_of(to);
  std::vector<EdgeId> path;
  for (const int side : g.plan.sides) {
    const int ahead = (target / stride % side - at / stride % side + side) % side;
    const bool forward = 2 * ahead < side || (2 * ahead == side && target / stride % side % 2 == 0);
    for (int hops = forward ? ahead : side - ahead; hops > 0 && hops < side; --hops) {
      const int here = at / stride % side;
      const int next = at + stride * ((here + (forward ? 1 : side - 1)) % side - here);
      if (g.places[next] == kNowhere) return way_around(g.wiring, from, to);
      path.push_back(boost::edge(g.places[at], g.places[next], g.wiring).first);
      at = next;
    }
    stride *= side;
  }
  return path;
}

}  // namespace

std::vector<EdgeId> route_between(const Fabric::Graph& graph, VertexId from, VertexId to) {
  if (from == to) return {};
  std::vector<EdgeId> path =
      graph.plan.sides.empty() ? tree_route(graph.wiring, from, to) : torus_route(graph, from, to);
  if (path.empty()) {
    throw std::invalid_argument(fmt::format("there is no way from {} to {}", describe(graph.wiring[from]),
                                            describe(graph.wiring[to])));
  }
  return path;
}

}  // namespace fleetsim
