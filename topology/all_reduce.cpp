#include "topology/all_reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"
#include "topology/rings.hpp"
#include "topology/scaling_constants.hpp"
#include "topology/torus.hpp"

namespace fleetsim {
namespace {

/// Flows of one phase of the collective. A flow of weight 1 carries all bytes of the phase.
class Flows {
 public:
  explicit Flows(const Fabric::Graph& graph) : g_(graph) {}

  void add(const std::vector<EdgeId>& path, double weight) {
    for (const EdgeId e : path) {
      Load& load = loads_[{boost::source(e, g_.wiring), boost::target(e, g_.wiring)}];
      load.edge = e;
      load.weight += weight;
      latency_ = std::max(latency_, g_.wiring[e].latency_s);
    }
  }

  /// Between two devices of one node, staged through host memory when `peers` is false.
  void add_inside(const NodeVertices& node, VertexId from, VertexId to, double weight, bool peers) {
    if (peers) return add(route(g_, from, to, &node), weight);
    // The buffer lies in the memory next to the receiver.
    std::vector<EdgeId> down;
    for (const VertexId memory : node.memories) {
      std::vector<EdgeId> way = route(g_, memory, to, &node);
      if (down.empty() || way.size() < down.size()) down = std::move(way);
    }
    FLEETSIM_ASSERT(!down.empty());
    add(route(g_, from, boost::source(down.front(), g_.wiring), &node), weight);
    add(down, weight);
    const int owner = g_.wiring[from].node;
    staged_[owner] += weight;
    const VertexId gpu = g_.wiring[from].device == Device::gpu ? from : to;
    double& mine = staged_by_gpu_[gpu];
    mine = std::max(mine, weight);  // sending and receiving run side by side
  }

  /// Bytes/s of a flow of weight 1.
  [[nodiscard]] double rate() {
    double slowest = 0.0;
    const auto offer = [&](double rate, const auto& why) {
      if (slowest > 0.0 && rate >= slowest) return;
      slowest = rate;
      why_ = why();
    };
    for (const auto& [ends, load] : loads_) {
      const Link& link = g_.wiring[load.edge];
      // Host memory has one limit for the node, below; its edges have none of their own.
      if (is_memory(ends.first) || is_memory(ends.second)) continue;
      offer(link.capacity / load.weight, [&, from = ends.first, to = ends.second] {
        return fmt::format("{} to {} ({}, {:.1f} GB/s)", describe(g_.wiring[from]), describe(g_.wiring[to]),
                           to_string(link.kind), link.capacity / 1e9);
      });
    }
    for (const auto& [gpu, weight] : staged_by_gpu_) {
      offer(scaling::kStagingRate.value / weight, [&, v = gpu] {
        return fmt::format("{} copies through host memory ({:.1f} GB/s)", describe(g_.wiring[v]),
                           scaling::kStagingRate.value / 1e9);
      });
    }
    for (const auto& [node, weight] : staged_) {
      const double limit = g_.types[g_.type_of[node]].host_staging.value.count();
      if (limit <= 0.0) {
        throw std::invalid_argument(
            fmt::format("GPUs of node {} cannot reach each other and the host memory stages nothing",
                        g_.types[g_.type_of[node]].name));
      }
      offer(limit / weight, [&, n = node] {
        return fmt::format("host memory of node {} ({:.1f} GB/s for all GPUs)", n, limit / 1e9);
      });
    }
    return slowest;
  }

  [[nodiscard]] bool staged() const { return !staged_.empty(); }
  [[nodiscard]] double latency() const { return latency_; }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  struct Load {
    EdgeId edge;
    double weight = 0.0;
  };
  [[nodiscard]] bool is_memory(VertexId v) const { return g_.wiring[v].device == Device::memory; }

  const Fabric::Graph& g_;
  std::map<std::pair<VertexId, VertexId>, Load> loads_;
  std::map<std::int32_t, double> staged_;  ///< node -> weight of all flows through its memory
  std::map<VertexId, double> staged_by_gpu_;
  double latency_ = 0.0;
  std::string why_;
};

/// GPUs see each other when NVLink joins them all the way, or when their driver lets them over PCIe.
bool peers(const Fabric::Graph& g, const NodeVertices& node, const NodeType& type, VertexId a, VertexId b) {
  if (type.gpu.peer_to_peer) return true;
  if (type.gpu_links == GpuLinkTopology::none) return false;
  const std::vector<EdgeId> way = route(g, a, b, &node);
  return std::all_of(way.begin(), way.end(),
                     [&](const EdgeId& e) { return g.wiring[e].kind == LinkKind::nvlink; });
}

void ring_inside(Flows& flows, const Fabric::Graph& g, const NodeVertices& node, const NodeType& type,
                 int gpus) {
  const std::vector<std::vector<VertexId>> all = rings(g.wiring, node, type, gpus);
  const double share = 1.0 / static_cast<double>(all.size());
  for (const std::vector<VertexId>& ring : all) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const VertexId from = ring[i], to = ring[(i + 1) % ring.size()];
      flows.add_inside(node, from, to, share, peers(g, node, type, from, to));
    }
  }
}

/// Adapter of each GPU: the nearest that does not serve its full share of GPUs already.
std::vector<std::size_t> adapters_of(const Fabric::Graph& g, const NodeVertices& node, int gpus) {
  const int nics = static_cast<int>(node.nics.size());
  const int share = (gpus + nics - 1) / nics;
  std::vector<int> served(node.nics.size(), 0);
  std::vector<std::size_t> out;
  for (int k = 0; k < gpus; ++k) {
    std::size_t best = 0, hops = 0;
    for (std::size_t r = 0; r < node.nics.size(); ++r) {
      if (served[r] == share) continue;
      const std::size_t far = route(g, node.gpus[k], node.nics[r], &node).size();
      if (hops != 0 && far >= hops) continue;
      best = r;
      hops = far;
    }
    ++served[best];
    out.push_back(best);
  }
  return out;
}

/// The ring over the nodes: every GPU sends and receives its share of the bytes through its adapter.
void ring_between(Flows& flows, const Fabric::Graph& g, const Placement& placement) {
  const auto n = placement.size();
  std::map<std::pair<std::int32_t, int>, std::vector<std::size_t>>
      adapters;  // of equal slices of equal nodes
  for (std::size_t i = 0; i < n; ++i) {
    const auto here = index(placement[i].node);
    const NodeVertices& node = g.nodes[here];
    const NodeVertices& next = g.nodes[index(placement[(i + 1) % n].node)];
    const bool direct = g.types[g.type_of[here]].gpu.peer_to_peer;
    const int gpus = placement[i].gpus;
    std::vector<std::size_t>& nic_of = adapters[{g.type_of[here], gpus}];
    if (nic_of.empty()) nic_of = adapters_of(g, node, gpus);
    std::vector<int> served(node.nics.size(), 0);
    for (int k = 0; k < gpus; ++k) {
      const VertexId nic = node.nics[nic_of[k]];
      ++served[nic_of[k]];
      flows.add_inside(node, node.gpus[k], nic, 1.0 / gpus, direct);
      flows.add_inside(node, nic, node.gpus[k], 1.0 / gpus, direct);
    }
    for (std::size_t r = 0; r < served.size(); ++r) {
      if (served[r] == 0) continue;
      flows.add(route(g, node.nics[r], next.nics[r], nullptr), static_cast<double>(served[r]) / gpus);
    }
  }
}

void check(const Fabric& fabric, const Placement& placement) {
  FLEETSIM_ASSERT(!placement.empty());
  for (const NodeSlice& slice : placement) {
    FLEETSIM_ASSERT(slice.gpus > 0);
    const NodeType& type = fabric.node(slice.node);
    if (slice.gpus > type.gpus) {
      throw std::invalid_argument(fmt::format("{} GPUs are asked of node {} ({}), which has {}", slice.gpus,
                                              index(slice.node), type.name, type.gpus));
    }
  }
  if (placement.size() > 1 && fabric.spec().shape == FabricShape::none) {
    throw std::invalid_argument(
        fmt::format("no fabric joins the {} nodes of the placement", placement.size()));
  }
}

}  // namespace

AllReduce all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes, int messages) {
  check(fabric, placement);
  if (fabric.spec().shape == FabricShape::torus) return torus_all_reduce(fabric, placement, bytes, messages);
  const Fabric::Graph& g = fabric.graph();
  const double size = static_cast<double>(bytes.count());
  AllReduce out;
  double steps_s = 0.0;
  std::map<std::pair<std::int32_t, std::int32_t>, bool> done;  // equal slices of equal nodes cost the same
  std::string inside_why, between_why;
  for (const NodeSlice& slice : placement) {
    const auto i = index(slice.node);
    if (slice.gpus < 2 || !done.emplace(std::pair(g.type_of[i], slice.gpus), true).second) continue;
    Flows flows(g);
    ring_inside(flows, g, g.nodes[i], g.types[g.type_of[i]], slice.gpus);
    const double k = slice.gpus;
    const double rate = flows.rate();
    const double time = 2.0 * (k - 1.0) / k * size / rate;
    out.staged = out.staged || flows.staged();
    steps_s = std::max(steps_s, 2.0 * (k - 1.0) * flows.latency());
    if (out.node_rate == 0.0 || rate < out.node_rate) out.node_rate = rate;
    if (time <= out.node_s) continue;
    out.node_s = time;
    inside_why = flows.why();
  }
  const double n = static_cast<double>(placement.size());
  if (placement.size() > 1) {
    Flows flows(g);
    ring_between(flows, g, placement);
    out.network_rate = flows.rate();
    out.network_s = 2.0 * (n - 1.0) / n * size / out.network_rate;
    out.staged = out.staged || flows.staged();
    steps_s += 2.0 * std::log2(n) * flows.latency();
    between_why = flows.why();
  }
  if (placement.size() > 1 || placement.front().gpus > 1)
    out.latency_s = messages * (scaling::kLaunch.value + steps_s);
  out.seconds = out.node_s + out.network_s + out.latency_s;
  out.bottleneck = out.network_s > out.node_s ? between_why : inside_why;
  return out;
}

}  // namespace fleetsim
