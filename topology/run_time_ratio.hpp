// How much longer the same job takes on another node type. Load, limits and simulation all ask here.
#pragma once

#include "topology/fabric.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// Run time of a job of `gpus` GPUs packed on as few `target` nodes as hold it, over its run time packed on
/// `reference` nodes, both on an otherwise empty fabric of `fabric`'s kind; wall time = drawn wall time x
/// this.
///
/// `crosses_leaves`: the target nodes hang on two leaf switches (halved between them); the reference never
/// does so by choice. Ignored for jobs of one node and for fabrics without leaves.
/// Infinite when the job needs several target nodes and the fabric joins none. A reference that cannot hold
/// the job for the same reason counts as scaling perfectly.
/// Precondition: gpus >= 1, both nodes have GPUs. Errors: std::invalid_argument from Fabric::build.
/// Cost: builds two small fabrics; who asks often keeps a StepTimeBook.
[[nodiscard]] double run_time_ratio(const ModelType& model, int gpus, const NodeType& target,
                                    const NodeType& reference, const FabricSpec& fabric, bool crosses_leaves);

/// `gpus` GPUs on consecutive nodes from `first`, each filled before the next, the last one partial.
[[nodiscard]] Placement packed_placement(int gpus, int gpus_per_node, int first = 0);

}  // namespace fleetsim
