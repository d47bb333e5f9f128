// Bisection bandwidth: what the two halves of a machine can send each other at the same time, by max-flow.
#pragma once

#include "topology/fabric.hpp"

namespace fleetsim {

/// Bytes/s in one direction between the first half of the nodes and the second, in the order of their
/// numbers, which follows the leaves and units; of a full torus between the halves of its longest side. 0
/// where nothing joins them.
///
/// Shape:  only what joins nodes: adapters, switches and cables, or the links of a torus.
/// Units:  usable rates of the catalogue, no protocol efficiency.
/// Cost:   one max-flow on the switches (adapters of one half on one leaf are merged).
/// Source: Dally and Towles 2004, section 3.3; max-flow = min cut (Ford and Fulkerson 1956), push-relabel by
///         Boost.Graph.
[[nodiscard]] double bisection_bandwidth(const Fabric& fabric);

/// The same between the first half of one node's GPUs, in the order that jobs take them, and the second. GPUs
/// without peer access send through host memory, which both directions share. 0 for one GPU.
[[nodiscard]] double node_bisection_bandwidth(const Fabric& fabric, NodeId node);

}  // namespace fleetsim
