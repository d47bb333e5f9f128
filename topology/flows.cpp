#include "topology/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/assert.hpp"
#include "topology/rings.hpp"

namespace fleetsim {

void Flows::add(const std::vector<EdgeId>& path, double weight) {
  for (const EdgeId e : path) {
    Load& load = loads_[{boost::source(e, g_.wiring), boost::target(e, g_.wiring)}];
    load.edge = e;
    load.weight += weight;
    latency_ = std::max(latency_, g_.wiring[e].latency_s);
  }
}

void Flows::add_inside(const NodeVertices& node, VertexId from, VertexId to, double weight, bool peers) {
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
  staged_[g_.wiring[from].node] += weight;
  const VertexId gpu = g_.wiring[from].device == Device::gpu ? from : to;
  double& mine = staged_by_gpu_[gpu];
  mine = std::max(mine, weight);  // sending and receiving run side by side
}

template <class Why>
void Flows::offer(double rate, const Why& why) {
  if (slowest_ > 0.0 && rate >= slowest_) return;
  slowest_ = rate;
  why_ = why();
}

void Flows::offer_staging() {
  for (const auto& [gpu, weight] : staged_by_gpu_) {
    offer(c_.staging_rate / weight, [&, v = gpu] {
      return fmt::format("{} copies through host memory ({:.1f} GB/s)", describe(g_.wiring[v]),
                         c_.staging_rate / 1e9);
    });
  }
  for (const auto& [node, weight] : staged_) {
    const NodeType& type = g_.types[g_.type_of[node]];
    const bool epyc = type.cpu_link.name.starts_with("xgmi");
    const double limit = epyc && c_.epyc_staging > 0.0 ? c_.epyc_staging : type.host_staging.value.count();
    if (limit <= 0.0) {
      throw std::invalid_argument(fmt::format(
          "GPUs of node {} cannot reach each other and the host memory stages nothing", type.name));
    }
    offer(limit / weight, [&, n = node] {
      return fmt::format("host memory of node {} ({:.1f} GB/s for all GPUs)", n, limit / 1e9);
    });
  }
}

namespace {

/// "8 x " where a link carries an eighth of the bytes beside seven others, "1/2 of " where two flows share
/// it.
std::string side_by_side(double weight) {
  const double links = 1.0 / weight, flows = weight;
  const auto whole = [](double x) { return x > 1.5 && std::abs(x - std::round(x)) < 1e-6; };
  if (whole(links)) return fmt::format("{:.0f} x ", links);
  if (whole(flows)) return fmt::format("1/{:.0f} of ", flows);
  return "";
}

}  // namespace

double Flows::rate() {
  slowest_ = 0.0;
  for (const auto& [ends, flow_load] : loads_) {
    const auto& load = flow_load;  // clang 14 lets no lambda capture a structured binding
    const Link& link = g_.wiring[load.edge];
    // Host memory has one limit for the node, not one an edge.
    if (is_memory(ends.first) || is_memory(ends.second)) continue;
    offer(link.capacity / load.weight, [&, from = ends.first, to = ends.second] {
      return fmt::format("{} to {} ({}, {}{:.1f} GB/s)", describe(g_.wiring[from]), describe(g_.wiring[to]),
                         to_string(link.kind), side_by_side(load.weight), link.capacity / 1e9);
    });
  }
  offer_staging();
  return slowest_;
}

namespace {

/// GPUs see each other when NVLink joins them all the way, or when their driver lets them over PCIe.
bool peers(const Fabric::Graph& g, const NodeVertices& node, const NodeType& type, VertexId a, VertexId b) {
  if (type.gpu.peer_to_peer) return true;
  if (type.gpu_links == GpuLinkTopology::none) return false;
  const std::vector<EdgeId> way = route(g, a, b, &node);
  return std::all_of(way.begin(), way.end(),
                     [&](const EdgeId& e) { return g.wiring[e].kind == LinkKind::nvlink; });
}

}  // namespace

void ring_inside(Flows& flows, const Fabric::Graph& g, std::int32_t owner, int gpus) {
  const NodeVertices& node = g.nodes[owner];
  const NodeType& type = g.types[g.type_of[owner]];
  const std::vector<std::vector<VertexId>> all = rings(g.wiring, node, type, gpus);
  const double share = 1.0 / static_cast<double>(all.size());
  for (const std::vector<VertexId>& ring : all) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const VertexId from = ring[i], to = ring[(i + 1) % ring.size()];
      flows.add_inside(node, from, to, share, peers(g, node, type, from, to));
    }
  }
}

namespace {

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

}  // namespace

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

}  // namespace fleetsim
