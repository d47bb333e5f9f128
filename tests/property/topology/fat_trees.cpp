// Trees of switches without oversubscription keep what they promise at every size, full or not.
#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"
#include "topology/bisection.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {
namespace {

using namespace test;

struct Tree {
  FabricShape shape;
  int ports, adapters, levels, su_nodes;
};

FabricSpec spec_of(const Tree& t) {
  FabricSpec s = spec(t.shape, network(t.ports), t.adapters);
  s.levels = t.levels;
  s.su_nodes = t.su_nodes;
  return s;
}

const std::vector<Tree> kTrees{{FabricShape::fat_tree, 8, 1, 0, 0},   {FabricShape::fat_tree, 36, 1, 3, 0},
                               {FabricShape::fat_tree, 36, 8, 0, 0},  {FabricShape::fat_tree, 40, 1, 3, 0},
                               {FabricShape::fat_tree, 40, 4, 0, 0},  {FabricShape::fat_tree, 40, 8, 0, 0},
                               {FabricShape::superpod, 40, 8, 0, 20}, {FabricShape::superpod, 64, 8, 0, 32},
                               {FabricShape::leaf_spine, 36, 2, 0, 0}};

TEST_CASE("Without oversubscription one half of the nodes can send all it has to the other, at every size") {
  for (const Tree& t : kTrees) {
    const FabricSpec s = spec_of(t);
    for (int nodes = 2; nodes <= 400; nodes += t.adapters == 1 ? 1 : 7) {
      if (!plan_fabric(s, nodes, 1).problem.empty()) break;
      // An adapter carries 12.5 GB/s; two per cent for cables that do not come out even.
      const double half = nodes / 2 * t.adapters * 12.5e9;
      CAPTURE(to_string(t.shape), t.ports, t.adapters, nodes);
      CHECK(bisection_bandwidth(fabric(node(PcieTopology::direct, 1), nodes, s)) >= 0.98 * half);
    }
  }
}

TEST_CASE("The ring over all nodes of a tree keeps its rate when a node is added") {
  for (const Tree& t : kTrees) {
    const FabricSpec s = spec_of(t);
    const NodeType n = node(PcieTopology::direct, t.adapters);
    double before = 0.0;
    for (int nodes = 2; nodes <= 130; ++nodes) {
      if (!plan_fabric(s, nodes, n.gpus).problem.empty()) break;
      const double rate =
          all_reduce(fabric(n, nodes, s), placement(nodes, n.gpus), Bytes{1'000'000'000}).network_rate;
      CAPTURE(to_string(t.shape), t.ports, t.adapters, nodes);
      CHECK(rate >= 0.98 * before);
      before = rate;
    }
  }
}

TEST_CASE("A block that would be nearly empty is not built: 80, 81 and 84 nodes with eight adapters each") {
  // 40 ports: leaves of 2 nodes. 80 nodes are 40 leaves in 2 blocks of 20; 81 are 41 in 3 blocks of 14, 14
  // and 13, each with 16 spines.
  const FabricSpec s = spec_of({FabricShape::fat_tree, 40, 8, 0, 0});
  const FabricPlan p = plan_fabric(s, 81, 8);
  CHECK(p.columns == 3);
  CHECK(p.first_unit(1) == 14);
  CHECK(p.first_unit(2) == 28);
  CHECK(p.first_unit(3) == 41);
  CHECK(p.counts.spine_switches == 3 * 16);
  for (const int nodes : {80, 81, 84, 90, 100})
    CHECK(bisection_bandwidth(fabric(node(PcieTopology::direct, 1), nodes, s)) ==
          Approx(nodes / 2 * 8 * 12.5e9));
}

}  // namespace
}  // namespace fleetsim
