// Rings over the NVLinks of a hybrid cube mesh: the paths that a ring collective can use at the same time.
#pragma once

#include <vector>

#include "topology/graph.hpp"

namespace fleetsim {

/// Rings that the first `gpus` GPUs of a node (in the order of NodeVertices::gpus) run side by side; each
/// entry is one direction round, a list of GPUs that closes on itself. Each ring carries an equal share of
/// the bytes.
///
/// Hybrid cube mesh: as many directed rings as a greedy search fits on the NVLinks, one NVLink of a GPU each;
/// where no ring of NVLinks passes all GPUs (five of eight), and for every other wiring, the one ring in the
/// order of the GPUs, whose hops are then routed.
/// Rate: the slowest edge's capacity / (share x rings on it); 2/4/6 rings of 20 GB/s at 2/4/8 GPUs of a DGX-1
/// V100. Source: NCCL searches its channels the same way (NVIDIA/nccl src/graph/search.cc).
/// Cost: under 10^4 steps at eight GPUs. Precondition: 2 <= gpus <= node.gpus.size().
[[nodiscard]] std::vector<std::vector<VertexId>> rings(const Wiring& wiring, const NodeVertices& node,
                                                       const NodeType& type, int gpus);

/// The same search on a plain matrix: links[a][b] parallel links from a to b. Empty where no ring exists.
[[nodiscard]] std::vector<std::vector<int>> disjoint_rings(std::vector<std::vector<int>> links);

}  // namespace fleetsim
