#include "topology/all_reduce.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

const Bytes kGigabyte{1'000'000'000};

TEST_CASE("A ring over a switch moves 2(n-1)/n of the bytes at the rate of one link") {
  // NVSwitch: 240 GB/s x 0.9 = 216 GB/s, one flow an edge.
  const Fabric f = alone(nvswitch_node());
  for (const int n : {2, 4, 8}) {
    const AllReduce r = all_reduce(f, placement(1, n), kGigabyte);
    CHECK(r.node_rate == Approx(216e9));
    // 2(n-1)/n S/B
    CHECK(r.node_s == Approx(2.0 * (n - 1) / n * 1e9 / 216e9));
    CHECK_FALSE(r.staged);
  }
}

TEST_CASE("One GPU exchanges nothing") {
  const AllReduce r = all_reduce(alone(node()), placement(1, 1), kGigabyte);
  CHECK(r.seconds == 0.0);
  CHECK(r.bottleneck.empty());
}

TEST_CASE("GPUs on two sockets meet at the link between them") {
  // Within a socket PCIe: 20 x 0.9 = 18 GB/s. Across: 16 GB/s, one flow each way.
  const Fabric f = alone(node(PcieTopology::dual_root));
  CHECK(all_reduce(f, placement(1, 4), kGigabyte).node_rate == Approx(18e9));
  const AllReduce across = all_reduce(f, placement(1, 8), kGigabyte);
  CHECK(across.node_rate == Approx(16e9));
  CHECK(across.bottleneck == "node 0 CPU 0 to node 0 CPU 1 (cpu, 16.0 GB/s)");
}

TEST_CASE("GPUs without peer access share the host memory") {
  // Each GPU copies at 6.5 GB/s at most; all together 24 GB/s, so 24/8 = 3 GB/s at eight.
  const Fabric f = alone(node(PcieTopology::direct, 8, false));
  const AllReduce two = all_reduce(f, placement(1, 2), kGigabyte);
  CHECK(two.staged);
  CHECK(two.node_rate == Approx(6.5e9));
  CHECK(all_reduce(f, placement(1, 8), kGigabyte).node_rate == Approx(3e9));
}

TEST_CASE("Staged copies of two GPUs share the switch above them") {
  // dual root: two GPUs a switch; the uplink of 20 x 0.9 GB/s carries both copies. Host memory is made ample.
  NodeType n = node(PcieTopology::dual_root, 8, false);
  n.host_staging.value = BytesPerSecond{1e12};
  n.pcie.usable_rate.value = BytesPerSecond{10e9};
  // 10 x 0.9 / 2 = 4.5 GB/s
  CHECK(all_reduce(alone(n), placement(1, 8), kGigabyte).node_rate == Approx(4.5e9));
  // single root: four GPUs a switch.
  n.pcie_topology = PcieTopology::single_root;
  CHECK(all_reduce(alone(n), placement(1, 8), kGigabyte).node_rate == Approx(2.25e9));
  // cascaded: all eight through the one link to the CPU.
  n.pcie_topology = PcieTopology::cascaded;
  CHECK(all_reduce(alone(n), placement(1, 8), kGigabyte).node_rate == Approx(1.125e9));
}

TEST_CASE("An NVLink bridge helps its pair and half of the ring of more") {
  NodeType n = node(PcieTopology::direct, 8, false);
  n.gpu_links = GpuLinkTopology::bridge_pairs;
  n.gpu_link = link("bridge", LinkKind::nvlink, 50);
  const Fabric f = alone(n);
  const AllReduce pair = all_reduce(f, placement(1, 2), kGigabyte);
  CHECK(pair.node_rate == Approx(45e9));
  CHECK_FALSE(pair.staged);
  // Four of eight hops are staged: 24/4 = 6 GB/s.
  const AllReduce all = all_reduce(f, placement(1, 8), kGigabyte);
  CHECK(all.staged);
  CHECK(all.node_rate == Approx(6e9));
}

TEST_CASE("Two nodes over EDR: rings inside, one ring over the adapters") {
  // Inside 2(8-1)/8 S / 216; between 2(2-1)/2 S / (12.5 x 0.92).
  const Fabric f = fabric(nvswitch_node(), 2, spec(FabricShape::single_switch));
  const AllReduce r = all_reduce(f, placement(2, 8), kGigabyte);
  CHECK(r.network_rate == Approx(11.5e9));
  CHECK(r.node_s == Approx(1.75 * 1e9 / 216e9));
  CHECK(r.network_s == Approx(1e9 / 11.5e9));
}

TEST_CASE("Eight adapters carry eight times one adapter's bytes") {
  const AllReduce one =
      all_reduce(fabric(nvswitch_node(), 4, spec(FabricShape::single_switch)), placement(4, 8), kGigabyte);
  const AllReduce eight = all_reduce(
      fabric(nvswitch_node(), 4, spec(FabricShape::single_switch, network(), 8)), placement(4, 8), kGigabyte);
  // Two GPUs and two adapters on a PCIe switch; every adapter serves one GPU beside it.
  CHECK(eight.network_rate == Approx(8 * one.network_rate));
}

TEST_CASE("A ring in leaf order crosses the spine once each way, whatever the oversubscription") {
  // 27 nodes a leaf at 3:1, 9 cables up: one crossing flow of 11.5 GB/s fits.
  const Fabric f = fabric(nvswitch_node(), 54, spec(FabricShape::leaf_spine, network(), 1, 3.0));
  CHECK(all_reduce(f, placement(54, 8), kGigabyte).network_rate == Approx(11.5e9));
}

TEST_CASE("A ring that hops between leaves at every node shares the ways up") {
  // 54 nodes at 27:1: 27 cables need one way up; a ring that alternates leaves sends 27 flows through it.
  const Fabric f = fabric(nvswitch_node(), 54, spec(FabricShape::leaf_spine, network(), 1, 27.0));
  const int leaf = f.nodes_per_leaf();
  Placement zigzag;
  for (unsigned i = 0; i < 19; ++i) {
    zigzag.push_back({NodeId{i}, 8});
    zigzag.push_back({NodeId{static_cast<unsigned>(leaf) + i}, 8});
  }
  const int ways_up = f.counts().switch_cables / 2;
  // 19 flows over `ways_up` cables of 11.5 GB/s
  CHECK(all_reduce(f, zigzag, kGigabyte).network_rate == Approx(11.5e9 * ways_up / 19.0));
}

TEST_CASE("Every piece of an exchange pays its launch, its steps and the filling of its pipeline") {
  NodeType n = nvswitch_node();
  n.gpu_link->latency.value = Latency{3e-6};
  // m (30 us + 2(k-1) 3 us + 2 sqrt(4 us x t/m)) with m = 10, k = 8, t = 1.75 / 216
  const double t = 1.75 / 216;
  CHECK(all_reduce(alone(n), placement(1, 8), kGigabyte, 10).latency_s ==
        Approx(10 * (30e-6 + 14 * 3e-6 + 2 * std::sqrt(4e-6 * t / 10))));
}

TEST_CASE("The collective follows from the number of nodes and the size of the message") {
  LinkType edr = network();
  edr.latency.value = Latency{14e-6};
  const NodeType n = nvswitch_node();
  const auto exchange = [&](int nodes, int adapters, Bytes size) {
    return all_reduce(fabric(n, nodes, spec(FabricShape::single_switch, edr, adapters)), placement(nodes, 8),
                      size);
  };
  // Two nodes and one adapter: the hierarchy sends 2(2-1)/2 S through it, a ring 2(16-1)/16 S.
  const AllReduce two = exchange(2, 1, kGigabyte);
  CHECK(two.collective == Collective::hierarchical);
  CHECK(two.transfer_s == Approx(1.75 / 216 + 1 / 11.5));
  // Four nodes with eight adapters: a ring overlaps what the hierarchy does in turn; 2(32-1)/32 S at 92 GB/s.
  const AllReduce four = exchange(4, 8, kGigabyte);
  CHECK(four.collective == Collective::ring);
  CHECK(four.transfer_s == Approx(62.0 / 32 / 92));
  // 32 nodes, 1 MB: 62 steps of 14 us in a ring against 2 x 5 in a tree.
  const AllReduce many = exchange(32, 1, Bytes{1'000'000});
  CHECK(many.collective == Collective::tree);
  const double t = 2e6 / 11.5e9;
  CHECK(many.seconds == Approx(t + 30e-6 + 10 * 14e-6 + 2 * std::sqrt(4e-6 * t)));
}

TEST_CASE("What is named as the limit belongs to the collective that was chosen") {
  const NodeType n = nvswitch_node();
  // A ring of four nodes: the eight adapters together, 8 x 11.5 GB/s, are slower than NVLink's 216.
  const AllReduce ring =
      all_reduce(fabric(n, 4, spec(FabricShape::single_switch, network(), 8)), placement(4, 8), kGigabyte);
  CHECK(ring.collective == Collective::ring);
  CHECK(ring.bottleneck.find("NIC") != std::string::npos);
  CHECK(ring.bottleneck.find("(network, 8 x 11.5 GB/s)") != std::string::npos);
  // A hierarchy over one adapter: 1/11.5 s between the nodes, 1.75/216 inside.
  const AllReduce two =
      all_reduce(fabric(n, 2, spec(FabricShape::single_switch)), placement(2, 8), kGigabyte);
  CHECK(two.collective == Collective::hierarchical);
  CHECK(two.bottleneck.find("(network, 11.5 GB/s)") != std::string::npos);
}

TEST_CASE("GPUs that copy through host memory may scatter first, however many adapters they have") {
  // Four adapters or eight make no difference where the host memory is the limit.
  NodeType n = node(PcieTopology::direct, 8, false);
  const auto seconds = [&](int adapters) {
    return all_reduce(fabric(n, 2, spec(FabricShape::single_switch, network(), adapters)), placement(2, 8),
                      kGigabyte)
        .seconds;
  };
  CHECK(seconds(8) == Approx(seconds(4)));
  CHECK(seconds(8) <= seconds(1));
}

TEST_CASE("Both parts of a hierarchy fill a pipeline") {
  LinkType edr = network();
  const AllReduce r = all_reduce(fabric(nvswitch_node(), 2, spec(FabricShape::single_switch, edr, 1)),
                                 placement(2, 8), kGigabyte);
  REQUIRE(r.collective == Collective::hierarchical);
  // 30 us + 2 sqrt(4 us x 1.75/216) + 2 sqrt(4 us x 1/11.5); links of these tests have no latency
  CHECK(r.latency_s == Approx(30e-6 + 2 * std::sqrt(4e-6 * 1.75 / 216) + 2 * std::sqrt(4e-6 / 11.5)));
}

TEST_CASE("A switch that adds up gives 1.27 times the ring's rate from Hopper on") {
  NodeType n = nvswitch_node(371);
  CHECK_FALSE(reduces_in_network(n));
  n.gpu.architecture = "Hopper";
  CHECK(reduces_in_network(n));
  const Fabric f = alone(n);
  const AllReduce on = all_reduce(f, placement(1, 8), kGigabyte);
  CHECK(on.collective == Collective::in_network);
  // 1.75 S / (371 x 0.9 x 1.27)
  CHECK(on.transfer_s == Approx(1.75 / (371 * 0.9 * 1.27)));
  CollectiveOptions off;
  off.in_network = false;
  CHECK(all_reduce(f, placement(1, 8), kGigabyte, off).collective == Collective::ring);
}

TEST_CASE("The bus bandwidth of a long message is the rate of the link") {
  const Bytes long_message{64'000'000'000};
  const AllReduce r = all_reduce(alone(nvswitch_node()), placement(1, 8), long_message);
  // 2(n-1)/n S/t -> 240 x 0.9 GB/s
  CHECK(bus_bandwidth(r, long_message, 8) == Approx(216e9).epsilon(0.01));
  CHECK(bus_bandwidth(AllReduce{}, long_message, 1) == 0.0);
}

TEST_CASE("Placements that cannot be are refused with a sentence") {
  CHECK_THROWS_AS(all_reduce(fabric(node(), 2, spec(FabricShape::none)), placement(2, 8), kGigabyte),
                  std::invalid_argument);
  CHECK_THROWS_AS(all_reduce(alone(node()), placement(1, 9), kGigabyte), std::invalid_argument);
  NodeType n = node(PcieTopology::direct, 8, false);
  n.host_staging.value = BytesPerSecond{0};
  CHECK_THROWS_AS(all_reduce(alone(n), placement(1, 2), kGigabyte), std::invalid_argument);
}

}  // namespace
}  // namespace fleetsim
