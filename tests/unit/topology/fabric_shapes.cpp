#include <map>
#include <set>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

using namespace test;

/// Counts need no inside of a node: one GPU, and as many adapters as the spec says.
FabricCounts counts(int nodes, const FabricSpec& s) {
  return fabric(node(PcieTopology::direct, 1), nodes, s).counts();
}

std::string why(int nodes, const FabricSpec& s) {
  return plan_fabric(s, nodes, 1).problem;
}

FabricSpec fat_tree(int ports, int levels = 0) {
  FabricSpec s = spec(FabricShape::fat_tree, network(ports));
  s.levels = levels;
  return s;
}

TEST_CASE("A fat tree of k-port switches joins k^2/2 nodes with two levels and k^3/4 with three") {
  for (const int k : {4, 8, 12}) {
    // Two levels: k leaves, k/2 spines.
    const FabricCounts two = counts(k * k / 2, fat_tree(k));
    CHECK(two.leaf_switches == k);
    CHECK(two.spine_switches == k / 2);
    CHECK(two.core_switches == 0);
    // Three levels: k pods of k/2 leaves and k/2 spines, (k/2)^2 cores; as many cables on every level.
    const FabricCounts three = counts(k * k * k / 4, fat_tree(k));
    CHECK(three.leaf_switches == k * k / 2);
    CHECK(three.spine_switches == k * k / 2);
    CHECK(three.core_switches == k * k / 4);
    CHECK(three.node_cables == k * k * k / 4);
    CHECK(three.switch_cables == k * k * k / 4);
    CHECK(three.core_cables == k * k * k / 4);
    CHECK(contains(why(k * k * k / 4 + 1, fat_tree(k)), "more than three levels"));
    CHECK(contains(why(k * k / 2 + 1, fat_tree(k, 2)), "two levels of switches do not reach"));
  }
}

TEST_CASE("Switches of 40, 36 and 64 ports join 800, 648 and 2048 hosts with two levels") {
  for (const auto& [ports, hosts] : std::map<int, int>{{40, 800}, {36, 648}, {64, 2048}}) {
    CHECK(plan_fabric(fat_tree(ports), hosts, 1).levels == 2);
    CHECK(plan_fabric(fat_tree(ports), hosts + 1, 1).levels == 3);
  }
}

TEST_CASE("Three levels that are asked for leave the spines ports to grow") {
  // 8 ports: leaves of 4; 12 nodes are three leaves of one pod: 3 ceil(4/s) <= 4 down ports -> 4 spines, no
  // core.
  const FabricCounts c = counts(12, fat_tree(8, 3));
  CHECK(c.leaf_switches == 3);
  CHECK(c.spine_switches == 4);
  CHECK(c.core_switches == 0);
  // 20 nodes: pods of 3 and 2 leaves, 4 spines each; in every group 2 spines x 4 cables are one core.
  const FabricCounts more = counts(20, fat_tree(8, 3));
  CHECK(more.leaf_switches == 5);
  CHECK(more.spine_switches == 4 + 4);
  CHECK(more.core_switches == 4);
  CHECK(more.core_cables == 4 * 2 * 4);
}

TEST_CASE("Oversubscription at the leaves thins the levels above") {
  // 12 ports, 2:1: 8 down, 4 up. Pods of 6 leaves and 4 spines; 96 nodes are 12 leaves in 2 pods.
  FabricSpec s = fat_tree(12, 3);
  s.oversubscription = 2.0;
  const FabricCounts c = counts(96, s);
  CHECK(c.leaf_switches == 12);
  CHECK(c.switch_cables == 48);
  CHECK(c.spine_switches == 8);
  // Every group: 2 spines x 6 cables = one core.
  CHECK(c.core_switches == 4);
}

struct Official {
  int nodes, leaves, spines, cores;
};

FabricSpec superpod(int ports, int su_nodes) {
  FabricSpec s = spec(FabricShape::superpod, network(ports), 8);
  s.su_nodes = su_nodes;
  return s;
}

TEST_CASE("Scalable units count the switches of the DGX SuperPOD reference architectures") {
  // docs.nvidia.com/dgx-superpod, H100 (31 of 32 places: one port for UFM; 2 and 3 units are listed without
  // nodes) and B200 (table of larger component counts). QM9700, 64 ports.
  for (const Official& o :
       {Official{31, 8, 4, 0}, Official{64, 16, 8, 0}, Official{96, 24, 16, 0}, Official{127, 32, 16, 0},
        Official{128, 32, 16, 0}, Official{256, 64, 32, 0}, Official{512, 128, 128, 64},
        Official{1024, 256, 256, 128}, Official{2048, 512, 512, 256}}) {
    const FabricCounts c = plan_fabric(superpod(64, 32), o.nodes, 8).counts;
    CAPTURE(o.nodes);
    CHECK(c.leaf_switches == o.leaves);
    CHECK(c.spine_switches == o.spines);
    CHECK(c.core_switches == o.cores);
  }
  // Cables of the B200 table: 2048 nodes, 16384 on each level; 256 nodes have no third.
  const FabricCounts large = plan_fabric(superpod(64, 32), 2048, 8).counts;
  CHECK(large.node_cables == 16384);
  CHECK(large.switch_cables == 16384);
  CHECK(large.core_cables == 16384);
  // The reference cables unit 1 of the H100, 31 nodes, for 32: 4 ceil(31/4).
  CHECK(plan_fabric(superpod(64, 32), 31, 8).counts.switch_cables == 8 * 32);
}

TEST_CASE("Scalable units of 20 DGX A100 on 40-port switches") {
  // RA-09950-001: 20 nodes, 8 HDR adapters, one leaf a rail. Spines and cores are derived, no table is
  // public: 8 ceil(20/s) <= 40 -> 4; above five units a rail of 7 leaves has 7 ceil(20/s) <= 20 -> 10 spines,
  // and 10 groups of 8 ceil(20/c) <= 40 -> 4 cores.
  for (const Official& o : {Official{20, 8, 4, 0}, Official{40, 16, 10, 0}, Official{100, 40, 20, 0},
                            Official{140, 56, 80, 40}}) {
    const FabricCounts c = plan_fabric(superpod(40, 20), o.nodes, 8).counts;
    CAPTURE(o.nodes);
    CHECK(c.leaf_switches == o.leaves);
    CHECK(c.spine_switches == o.spines);
    CHECK(c.core_switches == o.cores);
  }
}

TEST_CASE("Bids for H100 clusters count fewer switches than a non-blocking rail fabric beyond two levels") {
  // PicoCreator's sheet (2024-08): 48 switches for 128 nodes and 96 for 256, as here. Deviations: 64 nodes
  // with 8 switches have leaves only (rails never meet; here 16 + 8); 1024 nodes with 384 and 2048 with 768
  // count leaves and half as many spines, which 64-port switches cannot join without blocking (here 256 + 256
  // + 128 = 640).
  CHECK(plan_fabric(superpod(64, 32), 128, 8).counts.switches() == 48);
  CHECK(plan_fabric(superpod(64, 32), 256, 8).counts.switches() == 96);
  CHECK(plan_fabric(superpod(64, 32), 64, 8).counts.switches() == 24);
  CHECK(plan_fabric(superpod(64, 32), 1024, 8).counts.switches() == 640);
}

TEST_CASE("Adapter r of every node of a unit hangs on leaf r, and rails meet only above") {
  // 8 ports, 2 adapters: units of 4 nodes with 2 leaves. 12 nodes: 3 units.
  FabricSpec s = spec(FabricShape::superpod, network(8), 2);
  const Fabric f = fabric(node(PcieTopology::direct, 2), 12, s);
  const Fabric::Graph& g = f.graph();
  CHECK(f.nodes_per_leaf() == 4);
  CHECK(f.leaf_of(NodeId{3}) == 0);
  CHECK(f.leaf_of(NodeId{4}) == 1);
  for (int n = 0; n < 12; ++n) {
    for (int r = 0; r < 2; ++r)
      CHECK(boost::edge(g.nodes[n].nics[r], g.leaves[n / 4 * 2 + r], g.wiring).second);
  }
  CHECK(route(g, g.nodes[0].nics[1], g.nodes[3].nics[1], nullptr).size() == 2);
  CHECK(route(g, g.nodes[0].nics[0], g.nodes[3].nics[1], nullptr).size() == 4);
  CHECK(route(g, g.nodes[0].nics[1], g.nodes[11].nics[1], nullptr).size() == 4);
}

TEST_CASE("With a core level rails have spines of their own") {
  // 4 ports, 2 adapters: units of 2 nodes; 4 units of 2 leaves are 8, more than 4. Columns of 2 units.
  const Fabric f = fabric(node(PcieTopology::direct, 2), 8, spec(FabricShape::superpod, network(4), 2));
  const Fabric::Graph& g = f.graph();
  REQUIRE(f.counts().core_switches > 0);
  const auto hops = [&](int a, int ra, int b, int rb) {
    return route(g, g.nodes[a].nics[ra], g.nodes[b].nics[rb], nullptr).size();
  };
  CHECK(hops(0, 0, 1, 0) == 2);      // one leaf
  CHECK(hops(0, 0, 3, 0) == 4);      // one rail, one column
  CHECK(hops(0, 0, 0 + 1, 1) == 6);  // other rail
  CHECK(hops(0, 0, 7, 0) == 6);      // other column
}

TEST_CASE("Every pair of nodes has a way, and it goes up and down once") {
  FabricSpec pods = fat_tree(4);
  const Fabric f = fabric(node(PcieTopology::direct, 1), 16, pods);
  const Fabric::Graph& g = f.graph();
  REQUIRE(f.counts().core_switches == 4);
  std::set<VertexId> cores;
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < 16; ++b) {
      if (a == b) continue;
      const auto way = route(g, g.nodes[a].nics[0], g.nodes[b].nics[0], nullptr);
      // Leaves of 2, pods of 4.
      CHECK(way.size() == (a / 2 == b / 2 ? 2U : a / 4 == b / 4 ? 4U : 6U));
      for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        CHECK(boost::target(way[i], g.wiring) == boost::source(way[i + 1], g.wiring));
        const VertexId v = boost::target(way[i], g.wiring);
        if (g.wiring[v].device == Device::core) cores.insert(v);
      }
    }
  }
  CHECK(cores.size() == 4);  // destinations spread over all cores
}

TEST_CASE("Fabrics that cannot be wired say why") {
  CHECK(contains(why(40, fat_tree(8, 4)), "2 or 3 levels of switches, not 4"));
  CHECK(contains(why(200, superpod(40, 21)),
                 "a scalable unit of 21 nodes does not fit leaf switches of 40 ports, which hold 20"));
  FabricSpec s = spec(FabricShape::torus);
  s.dimensions = {4};
  CHECK(contains(why(4, s), "two or three dimensions, not 1"));
  s.dimensions = {4, 4, 0};
  CHECK(contains(why(4, s), "at least 1"));
  s.dimensions = {3, 5, 1};
  CHECK(contains(plan_fabric(s, 2, 4).problem,
                 "a torus of 3 x 5 x 1 cannot be cut into nodes with 4 accelerators"));
  s.dimensions = {4, 4, 4};
  CHECK(contains(plan_fabric(s, 17, 4).problem,
                 "a torus of 4 x 4 x 4 has 64 places, and 17 nodes with 4 accelerators need 68"));
  CHECK(contains(plan_fabric(s, 4, 0).problem, "has none") == false);
  // 2^22 places are the most; the products here are 10^8 and beyond 64 bits.
  for (const std::vector<int>& sides :
       {std::vector{1000, 1000, 100}, std::vector{2'000'000'000, 2'000'000'000, 16}}) {
    s.dimensions = sides;
    CHECK(contains(plan_fabric(s, 6, 8).problem, "has more than 4194304 places"));
  }
  s.dimensions = {};
  CHECK(contains(plan_fabric(s, 2'000'000, 8).problem, "a torus of 16000000 accelerators has more"));
  const NodeType four = node(PcieTopology::direct, 4), two = node(PcieTopology::direct, 2);
  NodeType other = two;
  other.name = "other";
  const std::vector<const NodeType*> mixed{&four, &other};
  CHECK_THROWS_WITH(Fabric::build(spec(FabricShape::torus), mixed),
                    "a torus needs the same number of accelerators in every node");
}

}  // namespace
}  // namespace fleetsim
