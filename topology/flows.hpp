// Flows of a collective on the directed edges of a fabric, and the rate that the busiest edge leaves them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/graph.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {

/// Flows that run at the same time. A flow of weight 1 carries all bytes of the exchange once.
class Flows {
 public:
  Flows(const Fabric::Graph& graph, const ScalingConstants& constants) : g_(graph), c_(constants) {}

  void add(const std::vector<EdgeId>& path, double weight);
  /// Between two devices of one node, staged through host memory when `peers` is false.
  void add_inside(const NodeVertices& node, VertexId from, VertexId to, double weight, bool peers);

  /// Bytes/s of a flow of weight 1. Throws std::invalid_argument when the host memory stages nothing.
  [[nodiscard]] double rate();
  [[nodiscard]] bool staged() const { return !staged_.empty(); }
  /// Seconds of one step over the slowest edge.
  [[nodiscard]] double latency() const { return latency_; }
  /// What limits the rate, in words; after rate().
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  struct Load {
    EdgeId edge;
    double weight = 0.0;
  };
  [[nodiscard]] bool is_memory(VertexId v) const { return g_.wiring[v].device == Device::memory; }
  template <class Why>
  void offer(double rate, const Why& why);
  void offer_staging();

  const Fabric::Graph& g_;
  const ScalingConstants& c_;
  std::map<std::pair<VertexId, VertexId>, Load> loads_;
  std::map<std::int32_t, double> staged_;  ///< node -> weight of all flows through its memory
  std::map<VertexId, double> staged_by_gpu_;
  double latency_ = 0.0;
  double slowest_ = 0.0;
  std::string why_;
};

/// The ring over the first `gpus` GPUs of a node, in the node's numbering.
void ring_inside(Flows& flows, const Fabric::Graph& graph, std::int32_t node, int gpus);
/// The ring over the nodes: every GPU sends and receives its share of the bytes through its adapter.
void ring_between(Flows& flows, const Fabric::Graph& graph, const Placement& placement);

}  // namespace fleetsim
