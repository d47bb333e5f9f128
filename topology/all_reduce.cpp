#include "topology/all_reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <utility>

#include "sim/base/assert.hpp"
#include "topology/flows.hpp"
#include "topology/graph.hpp"
#include "topology/torus.hpp"

namespace fleetsim {
namespace {

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

/// What the flows of a placement can do, before a collective is chosen.
struct Paths {
  double gpus = 0.0, nodes = 0.0, most = 0.0;  ///< most: GPUs on the fullest node
  double inside = 0.0, between = 0.0;          ///< bytes/s of the two rings alone; 0: there is none
  double together = 0.0;                       ///< of both at the same time, on shared edges
  double hop_s = 0.0, net_s = 0.0;             ///< one step inside a node, between nodes
  double inside_s_per_byte = 0.0;              ///< slowest node's 2(k-1)/k / rate
  bool staged = false, in_network = true;
  bool shared_adapters = false;  ///< several GPUs of a node send through one adapter
  std::string inside_why, between_why, together_why;
};

Paths paths_of(const Fabric& fabric, const Placement& placement, const ScalingConstants& c) {
  const Fabric::Graph& g = fabric.graph();
  Paths p;
  p.nodes = static_cast<double>(placement.size());
  Flows all(g, c);
  std::map<std::pair<std::int32_t, std::int32_t>, bool> done;  // equal slices of equal nodes cost the same
  for (const NodeSlice& slice : placement) {
    const auto i = static_cast<std::int32_t>(index(slice.node));
    p.gpus += slice.gpus;
    p.most = std::max(p.most, static_cast<double>(slice.gpus));
    p.shared_adapters = p.shared_adapters || static_cast<std::size_t>(slice.gpus) > g.nodes[i].nics.size();
    p.in_network = p.in_network && reduces_in_network(g.types[g.type_of[i]]);
    if (slice.gpus < 2 || !done.emplace(std::pair(g.type_of[i], slice.gpus), true).second) continue;
    Flows flows(g, c);
    ring_inside(flows, g, i, slice.gpus);
    ring_inside(all, g, i, slice.gpus);
    const double rate = flows.rate();
    p.staged = p.staged || flows.staged();
    p.hop_s = std::max(p.hop_s, flows.latency());
    if (p.inside == 0.0 || rate < p.inside) p.inside = rate;
    const double per_byte = 2.0 * (slice.gpus - 1.0) / slice.gpus / rate;
    if (per_byte <= p.inside_s_per_byte) continue;
    p.inside_s_per_byte = per_byte;
    p.inside_why = flows.why();
  }
  p.together = p.inside;
  p.together_why = p.inside_why;
  if (placement.size() > 1) {
    Flows flows(g, c);
    ring_between(flows, g, placement);
    ring_between(all, g, placement);
    p.between = flows.rate();
    p.net_s = flows.latency();
    p.between_why = flows.why();
    p.staged = p.staged || flows.staged();
    p.together = all.rate();
    p.together_why = all.why();
  }
  return p;
}

struct Choice {
  Collective collective = Collective::none;
  double transfer_s = 0.0, latency_s = 0.0;
  const std::string* why = nullptr;  ///< what limits its transfer
  [[nodiscard]] double seconds() const { return transfer_s + latency_s; }
};

/// The fastest of the collectives that are offered; the first of equals.
class Fastest {
 public:
  explicit Fastest(const CollectiveOptions& options) : o_(options) {}

  /// `phases_s`: transfers that follow each other. Every piece pays a launch, its steps, and once in every
  /// phase the filling of a pipeline.
  void offer(Collective how, std::initializer_list<double> phases_s, double steps_s, const std::string& why) {
    Choice mine{how, 0.0, o_.messages * (o_.constants.launch_s + steps_s), &why};
    for (const double t : phases_s) {
      mine.transfer_s += t;
      mine.latency_s += o_.messages * 2.0 * std::sqrt(o_.constants.pipeline_s * t / o_.messages);
    }
    if (best_.collective == Collective::none || mine.seconds() < best_.seconds()) best_ = mine;
  }
  [[nodiscard]] const Choice& best() const { return best_; }

 private:
  const CollectiveOptions& o_;
  Choice best_;
};

Choice choose(const Paths& p, double size, const CollectiveOptions& o) {
  const double N = p.gpus, n = p.nodes, k = p.most;
  const double share = 2.0 * (N - 1.0) / N;
  const double depth_s = 2.0 * std::ceil(std::log2(n) - 1e-9) * p.net_s;
  Fastest fastest(o);
  fastest.offer(Collective::ring, {share * size / p.together},
                2.0 * (N - n) * p.hop_s + 2.0 * (n - 1.0) * p.net_s, p.together_why);
  if (n > 1.0) {
    fastest.offer(Collective::tree, {2.0 * size / p.together}, 2.0 * (k - 1.0) * p.hop_s + depth_s,
                  p.together_why);
    // NCCL builds none where every GPU has an adapter of its own: its rings use them all.
    if (p.inside > 0.0 && (p.shared_adapters || p.staged)) {
      const double inside_s = p.inside_s_per_byte * size;
      const double between_s = 2.0 * (n - 1.0) / n * size / p.between;
      fastest.offer(Collective::hierarchical, {inside_s, between_s},
                    2.0 * (k - 1.0) * p.hop_s + 2.0 * (n - 1.0) * p.net_s,
                    between_s > inside_s ? p.between_why : p.inside_why);
    }
  }
  if (o.in_network && p.in_network && p.inside > 0.0) {
    const double inside = p.inside * o.constants.in_network_gain;
    const bool network = n > 1.0 && p.between < inside;
    fastest.offer(Collective::in_network, {share * size / (network ? p.between : inside)},
                  2.0 * p.hop_s + depth_s, network ? p.between_why : p.inside_why);
  }
  return fastest.best();
}

}  // namespace

const char* to_string(Collective collective) {
  switch (collective) {
    case Collective::none:
      return "none";
    case Collective::ring:
      return "ring";
    case Collective::tree:
      return "tree";
    case Collective::hierarchical:
      return "hierarchical";
    case Collective::in_network:
      return "in-network";
  }
  return "";
}

bool reduces_in_network(const NodeType& node) {
  const std::string& family = node.gpu.architecture;
  return node.gpu_links == GpuLinkTopology::nvswitch && (family == "Hopper" || family == "Blackwell");
}

AllReduce all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes,
                     const CollectiveOptions& options) {
  check(fabric, placement);
  FLEETSIM_ASSERT(options.messages >= 1);
  if (fabric.spec().shape == FabricShape::torus)
    return torus_all_reduce(fabric, placement, bytes, options.messages);
  const Paths p = paths_of(fabric, placement, options.constants);
  AllReduce out;
  if (p.gpus < 2.0) return out;
  const double size = static_cast<double>(bytes.count());
  const Choice best = choose(p, size, options);
  out.collective = best.collective;
  out.transfer_s = best.transfer_s;
  out.latency_s = best.latency_s;
  out.seconds = best.seconds();
  out.node_s = p.inside_s_per_byte * size;
  out.node_rate = p.inside;
  out.network_rate = p.between;
  if (p.between > 0.0) out.network_s = 2.0 * (p.nodes - 1.0) / p.nodes * size / p.between;
  out.staged = p.staged;
  out.bottleneck = *best.why;
  return out;
}

AllReduce all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes, int messages) {
  CollectiveOptions options;
  options.messages = messages;
  return all_reduce(fabric, placement, bytes, options);
}

double bus_bandwidth(const AllReduce& exchange, Bytes bytes, int gpus) {
  if (gpus < 2 || !(exchange.seconds > 0.0)) return 0.0;
  return 2.0 * (gpus - 1.0) / gpus * static_cast<double>(bytes.count()) / exchange.seconds;
}

}  // namespace fleetsim
