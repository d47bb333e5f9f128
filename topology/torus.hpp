// A torus of accelerators: which lattice, which links, and what an all-reduce costs on it.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/all_reduce.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {

/// Most places of a lattice: a thousand TPU v4 pods of 4096 chips.
inline constexpr std::int64_t kMostTorusPlaces = std::int64_t{1} << 22;

/// Sides of the lattice and of one node's block in it, and the cables between nodes.
///
/// Shape:  a node holds a block of accelerators as cubic as they go (four of a TPU v4 host: 2 x 2 x 1); nodes
/// are
///         numbered along the first side first. Sides come from the spec, else as cubic as the nodes go. A
///         lattice with more places than accelerators is filled in the order of the numbers, and lacks the
///         other links.
/// Errors: FabricPlan::problem, also beyond kMostTorusPlaces. Cost: O(divisors^2); with free places
/// O(accelerators).
[[nodiscard]] FabricPlan plan_torus(const FabricSpec& spec, int nodes, int gpus_per_node);

/// Place in the lattice, first side fastest, of accelerator `gpu` of a node; and the node of a place.
[[nodiscard]] int torus_place(const FabricPlan& plan, int node, int gpu);
[[nodiscard]] int torus_node(const FabricPlan& plan, int place);

/// Neighbours in the lattice that both exist among `nodes`. A side of two places has two cables between them.
struct TorusLink {
  int from = 0, to = 0;  ///< places
  int cables = 1;
};
[[nodiscard]] std::vector<TorusLink> torus_links(const FabricPlan& plan, int nodes);

/// A box of neighbouring accelerators: its sides, and which of them close to a ring.
struct TorusSlice {
  std::vector<int> sides;
  std::vector<bool> wraps;
};
/// The box that a job of so many accelerators gets: least places, then most cubic. A side closes to a ring
/// only where it spans the lattice. Precondition: 1 <= accelerators <= places. Cost: O(product of all sides
/// but one).
[[nodiscard]] TorusSlice torus_slice(const std::vector<int>& lattice, int accelerators);

/// Seconds of an all-reduce of `bytes` on a slice.
///
/// The bytes are cut into as many parts as the slice has sides of two or more, D. Every part is
/// reduce-scattered along one side after the other and gathered the same way back, and part i starts at side
/// i, so that the parts never share a link:
///   T = 2 sum_p max_i [ S/D * prod_{q<p} 1/n(i,q) * (n(i,p) - 1)/n(i,p) / R(i,p) + (n(i,p) - 1) a ],
/// n(i,p) the length of the side that part i uses in phase p; R = 2 b on a ring (both directions round), b on
/// a side that does not close (its end link carries the data of all behind it). All sides equal and closed: T
/// = 2 (1 - 1/N) S / (2 D b). Units: link_rate b in bytes/s per direction of one link; latency_s a per step.
/// Source: Sack and Gropp 2015 (multiported torus collectives); as used on TPU pods, Ying et al.,
/// arXiv:1811.06992 (2-D); TPU v4's six links: Jouppi et al., ISCA 2023.
[[nodiscard]] double torus_all_reduce_s(const TorusSlice& slice, double link_rate, double bytes,
                                        double latency_s = 0.0);

/// all_reduce() on a torus: the placement stands for a box of as many accelerators.
[[nodiscard]] AllReduce torus_all_reduce(const Fabric& fabric, const Placement& placement, Bytes bytes,
                                         int messages);

/// "16 x 16 x 16"
[[nodiscard]] std::string sides_text(const std::vector<int>& sides);

}  // namespace fleetsim
