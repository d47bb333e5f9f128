// Time of one gradient exchange on a placement, from the flows on every directed edge of its routes.
#pragma once

#include <string>

#include "topology/fabric.hpp"

namespace fleetsim {

struct AllReduce {
  double seconds = 0.0;       ///< node + network + latency
  double node_s = 0.0;        ///< rings inside the nodes
  double network_s = 0.0;     ///< ring over the nodes' adapters
  double latency_s = 0.0;     ///< launches and steps
  double node_rate = 0.0;     ///< bytes/s of the slowest ring inside a node; 0: one GPU a node
  double network_rate = 0.0;  ///< bytes/s of one node's ring over the network; 0: one node
  bool staged = false;        ///< some traffic goes through host memory because GPUs cannot reach each other
  std::string bottleneck;     ///< what limits the longer part, in words; empty for one GPU
};

/// Ring all-reduce inside a node, hierarchical (reduce-scatter in the node, ring over the adapters, gather in
/// the node) over several: 2(k-1)/k bytes / rate in nodes of k GPUs, 2(n-1)/n bytes / rate between n nodes.
///
/// rate = min over directed edges of capacity / flows; traffic between GPUs without peer access is staged
/// through host memory, at most the staging rate a GPU and NodeType::host_staging in all. `messages`: the
/// exchange comes in that many pieces, each paying the latency. Errors: std::invalid_argument when no fabric
/// joins the nodes or a slice has more GPUs than its node. Cost: O(GPUs of a node + nodes) route searches.
/// Source: NCCL's ring algorithm; closed form 2(n-1)/n S/B (Patarasuk and Yuan 2009).
[[nodiscard]] AllReduce all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes,
                                   int messages = 1);

}  // namespace fleetsim
