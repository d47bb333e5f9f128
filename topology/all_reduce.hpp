// Time of one gradient exchange on a placement, from the flows on every directed edge of its routes.
#pragma once

#include <string>

#include "topology/fabric.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {

/// How an exchange is done. NCCL picks by message size; so does all_reduce().
enum class Collective {
  none,          ///< one GPU
  ring,          ///< one pipelined ring through all GPUs
  tree,          ///< a chain in each node, a double binary tree between nodes, pipelined
  hierarchical,  ///< reduce-scatter in the node, ring over the adapters, gather in the node, one after
                 ///< another
  in_network,    ///< the NVSwitch adds up (NVLS); between nodes as `tree`
};
[[nodiscard]] const char* to_string(Collective collective);

struct AllReduce {
  double seconds = 0.0;     ///< of the fastest collective
  double transfer_s = 0.0;  ///< bytes over rate in it
  double latency_s = 0.0;   ///< launches, steps and filling of its pipeline
  Collective collective = Collective::none;
  double node_s = 0.0;        ///< rings inside the nodes alone
  double network_s = 0.0;     ///< ring over the nodes' adapters alone
  double node_rate = 0.0;     ///< bytes/s of the slowest ring inside a node; 0: one GPU a node
  double network_rate = 0.0;  ///< bytes/s of one node's ring over the network; 0: one node
  bool staged = false;        ///< some traffic goes through host memory because GPUs cannot reach each other
  std::string
      bottleneck;  ///< what limits the rate of `collective`, of two phases the longer; empty for one GPU
};

struct CollectiveOptions {
  int messages = 1;        ///< the exchange comes in that many equal pieces, each paying the latency
  bool in_network = true;  ///< false: NVLS off
  ScalingConstants constants;
};

/// All-reduce of `bytes` on every GPU of the placement, by the fastest of the collectives above.
///
/// S bytes, N GPUs, k in each of n nodes, hop and net the catalogue's latencies of a step, pieces of S/m:
///   ring          2(N-1)/N S/B     steps 2(N-n) hop + 2(n-1) net
///   tree          2 S/B            steps 2(k-1) hop + 2 log2(n) net
///   in-network    2(N-1)/N S/B     steps 2 hop + 2 log2(n) net, B inside a node x in_network_gain
///   hierarchical  2(k-1)/k S/B_node + 2(n-1)/n S/B_net    steps 2(k-1) hop + 2(n-1) net
/// plus m (launch + steps + 2 sqrt(pipeline x piece/B)); the root is the best number of chunks of a pipeline,
/// and the hierarchy, whose two parts follow each other, pays one for each.
/// B = min over directed edges of capacity / flows on real routes; traffic between GPUs without peer access
/// is staged through host memory, at most the staging rate a GPU and NodeType::host_staging in all. Errors:
/// std::invalid_argument when no fabric joins the nodes or a slice has more GPUs than its node. Cost: O(GPUs
/// of a node + nodes) route searches. Source: NCCL; closed form 2(n-1)/n S/B (Patarasuk and Yuan 2009),
/// double binary trees (Sanders, Speck and Traeff 2009).
[[nodiscard]] AllReduce all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes,
                                   const CollectiveOptions& options);
[[nodiscard]] AllReduce all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes,
                                   int messages = 1);

/// 2(N-1)/N bytes / seconds: what nccl-tests call bus bandwidth, bytes/s. 0 for one GPU.
[[nodiscard]] double bus_bandwidth(const AllReduce& exchange, Bytes bytes, int gpus);

/// The node's NVSwitch adds up what its GPUs send (NVLS): Hopper and later.
[[nodiscard]] bool reduces_in_network(const NodeType& node);

}  // namespace fleetsim
