#include "topology/fabric.hpp"

#include <stdexcept>
#include <string>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

std::string why(const NodeType& type, int nodes, const FabricSpec& s) {
  try {
    static_cast<void>(fabric(type, nodes, s));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("Nodes that fit one leaf need one switch and no spine") {
  for (const int n : {1, 16, 36}) {
    const FabricCounts c = fabric(node(), n, spec(FabricShape::leaf_spine)).counts();
    CHECK(c == FabricCounts{n, n, 1, 0, n, 0});
  }
}

TEST_CASE("A leaf-spine fabric without oversubscription gives every node its own way up") {
  // 36 ports: 18 down, 18 up. 40 nodes: leaves of 18 + 18 + 4 with 18 + 18 + 4 cables up; one spine has 36
  // ports for 40 cables, so two spines.
  const Fabric f = fabric(node(), 40, spec(FabricShape::leaf_spine));
  CHECK(f.counts() == FabricCounts{40, 40, 3, 2, 40, 40});
  CHECK(f.nodes_per_leaf() == 18);
  CHECK(f.leaf_of(NodeId{17}) == 0);
  CHECK(f.leaf_of(NodeId{18}) == 1);
  CHECK(f.leaf_of(NodeId{39}) == 2);
}

TEST_CASE("Oversubscription trades ways up for nodes") {
  // d + d/3 <= 36 -> d = 27, up 9. 54 nodes: two leaves, 18 cables, one spine.
  const Fabric f = fabric(node(), 54, spec(FabricShape::leaf_spine, network(), 1, 3.0));
  CHECK(f.counts() == FabricCounts{54, 54, 2, 1, 54, 18});
}

TEST_CASE("A node with several adapters hangs on one leaf with all of them") {
  // 40 ports, 8 adapters: 20 down ports hold 2 nodes (16 ports, 16 up). 20 nodes: 10 leaves, 160 cables each
  // way.
  const Fabric f = fabric(node(), 20, spec(FabricShape::leaf_spine, network(40), 8));
  CHECK(f.nodes_per_leaf() == 2);
  CHECK(f.counts().adapters == 160);
  CHECK(f.counts().leaf_switches == 10);
  CHECK(f.counts().switch_cables == 160);
  // 160 cables on spines of 40 ports: four.
  CHECK(f.counts().spine_switches == 4);
}

TEST_CASE("Without a fabric there is nothing to buy for it") {
  CHECK(fabric(node(), 5, spec(FabricShape::none)).counts() == FabricCounts{5, 0, 0, 0, 0, 0});
  CHECK(fabric(node(), 0, spec(FabricShape::leaf_spine)).counts() == FabricCounts{});
}

TEST_CASE("A wiring that cannot be says why") {
  CHECK(contains(why(node(), 37, spec(FabricShape::single_switch)),
                 "37 switch ports and the 'edr' switch has 36"));
  CHECK(contains(why(node(), 2, spec(FabricShape::single_switch, network(36, 0.0))), "no bandwidth"));
  CHECK(contains(why(node(), 2, spec(FabricShape::single_switch, network(0))), "has no switch"));
  CHECK(contains(why(node(), 2, spec(FabricShape::single_switch, network(), 0)), "at least one adapter"));
  CHECK(contains(why(node(), 2, spec(FabricShape::leaf_spine, network(), 1, 0.5)), "cannot be below 1"));
  CHECK(contains(why(node(), 100, spec(FabricShape::leaf_spine, network(4), 4)), "4 ports cannot hold"));
  // 4 ports: 2 down, 2 up; a spine joins 4 leaves, so at most 8 nodes.
  CHECK(why(node(), 8, spec(FabricShape::leaf_spine, network(4))).empty());
  CHECK(contains(why(node(), 9, spec(FabricShape::leaf_spine, network(4))),
                 "two levels of switches do not reach"));

  NodeType bad = node();
  bad.pcie.usable_rate.value = BytesPerSecond{0};
  CHECK(contains(why(bad, 1, spec(FabricShape::none)), "PCIe link has no bandwidth"));
  bad = node(PcieTopology::direct, 3);
  bad.gpu_links = GpuLinkTopology::bridge_pairs;
  CHECK(contains(why(bad, 1, spec(FabricShape::none)), "no link with a bandwidth"));
  bad.gpu_link = link("nvlink", LinkKind::nvlink, 48);
  CHECK(contains(why(bad, 1, spec(FabricShape::none)), "join pairs, and it has 3 GPUs"));
  bad.gpu_links = GpuLinkTopology::cube_mesh;
  CHECK(contains(why(bad, 1, spec(FabricShape::none)), "a hybrid cube mesh joins 8 GPUs, and it has 3"));
  bad = node();
  bad.gpus = 0;
  CHECK(contains(why(bad, 1, spec(FabricShape::none)), "no GPU"));
}

TEST_CASE("Pictures name every node once and pin every position") {
  NodeType other = node();
  other.name = "second";
  other.title = "Water <& \"cooled\">";
  const NodeType first = node();
  std::vector<const NodeType*> all(13, &first);
  all.insert(all.end(), 3, &other);
  const std::string dot = Fabric::build(spec(FabricShape::leaf_spine), all).to_dot();
  CHECK(contains(dot, "1–13: node"));
  CHECK(contains(dot, "14–16: Water <& \\\"cooled\\\">"));
  CHECK(contains(dot, "16 of 36 ports used"));
  CHECK(contains(dot, "12.5 GB/s each way"));
  std::size_t boxes = 0;
  for (std::size_t at = dot.find(" [pos="); at != std::string::npos; at = dot.find(" [pos=", at + 1)) ++boxes;
  CHECK(contains(dot, "rates of links are usable ones"));
  // 16 nodes, 1 switch, 2 row names, 1 rate, 2 legend boxes and texts, the kind of rates.
  CHECK(boxes == 16 + 1 + 2 + 1 + 4 + 1);
}

TEST_CASE("The inside of a node shows how fast each link is and what GPUs cannot do") {
  NodeType n = node(PcieTopology::direct, 8, false);
  n.host_staging.from.estimate = true;
  const std::string dot = fabric(n, 1, spec(FabricShape::single_switch)).node_to_dot(NodeId{0});
  for (const char* part : {"GPU 7", "CPU 1", "NIC 0", "24 GB", "16 GB/s", "\"20\"",
                           "24 GB/s for all of them together (estimate)"})
    CHECK(contains(dot, part));
  CHECK(contains(alone(nvswitch_node()).node_to_dot(NodeId{0}), "240 GB/s to every GPU, each way"));
}

TEST_CASE("The text dump names every vertex and both directions of every link") {
  const std::string text =
      fabric(node(PcieTopology::direct, 2), 2, spec(FabricShape::single_switch)).to_text();
  CHECK(contains(text,
                 "fabric single-switch nodes=2 adapters=2 leaf_switches=1 spine_switches=0 node_cables=2 "
                 "switch_cables=0\n"));
  CHECK(contains(text, "vertex node 1 GPU 1 (card)\n"));
  CHECK(contains(text, "edge node 0 NIC 0 -> leaf 0: network 12.5 GB/s\n"));
  CHECK(contains(text, "edge leaf 0 -> node 0 NIC 0: network 12.5 GB/s\n"));
}

}  // namespace
}  // namespace fleetsim
