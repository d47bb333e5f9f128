// How many switches of which level a fabric needs and what hangs on what: arithmetic only, no graph. The
// graph is built from the plan, and the budget search prices fleets by it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fleetsim {

/// A fabric of switches is made of units of nodes, each with its leaf switches (one; a SuperPOD unit one a
/// rail), and of blocks of leaves that share spine switches; with three levels, core switches join the
/// blocks.
struct FabricPlan {
  std::string problem;  ///< a sentence why it cannot be wired; empty: it can
  FabricCounts counts;
  int levels = 0;          ///< of switches; 0: none
  int nodes_per_unit = 0;  ///< that share their leaves; all nodes where there are no leaves
  int units = 0;
  int rails = 1;            ///< leaves of a unit; adapter r of a node hangs on leaf r
  int up = 0, up_last = 0;  ///< cables up of a leaf, of a leaf of the last unit
  int columns = 0;          ///< of units whose leaves share spines
  int spines = 0;           ///< of a block
  int spine_up = 0;         ///< cables from a spine to the cores; 0: there are none
  int cores = 0;            ///< of a group; group s joins spine s of every block
  // Torus only: sides of the lattice and of the block of one node, in accelerators.
  std::vector<int> sides, node_sides;

  /// Blocks side by side in one column: with three levels each rail has its own spines.
  [[nodiscard]] int blocks_a_column() const { return levels == 3 ? rails : 1; }
  /// Units are spread evenly over the columns: those of a column end where the next one's begin.
  [[nodiscard]] int first_unit(int column) const {
    return units / columns * column + std::min(column, units % columns);
  }
};

/// Shape:  levels are the fewest that reach unless FabricSpec::levels says more; nodes fill unit after unit.
///         A leaf takes as many nodes as leave ports for its cables up (down over up = oversubscription);
///         spines are the fewest whose ports take the evenly spread cables of their leaves, and a leaf that
///         is not full has as many cables to each. With three levels half the ports of a spine go down and
///         half up, as in a k-ary fat tree, every block has as many spines, and core group s joins spine s of
///         every block.
/// Units:  gpus_per_node matters to the torus only, whose vertices are the accelerators.
/// Errors: FabricPlan::problem. Cost: O(ports), a torus with free places O(accelerators).
/// Source: Al-Fares, Loukissas, Vahdat, "A scalable, commodity data center network architecture", SIGCOMM
/// 2008;
///         NVIDIA DGX SuperPOD reference architectures (RA-09950-001; B200: docs.nvidia.com/dgx-superpod).
/// No count of switches falls when a node is added (a property test holds this): budgets are searched by it.
[[nodiscard]] FabricPlan plan_fabric(const FabricSpec& spec, int nodes, int gpus_per_node);

}  // namespace fleetsim
