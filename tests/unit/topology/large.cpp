// Fabrics of ten thousand GPUs are built and asked within seconds. The bound is loose, as machines are busy.
#include <chrono>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"
#include "topology/bisection.hpp"

namespace fleetsim {
namespace {

using namespace test;

void build_and_ask(const NodeType& n, int nodes, const FabricSpec& s) {
  const auto start = std::chrono::steady_clock::now();
  const Fabric f = fabric(n, nodes, s);
  CHECK(f.size() == nodes);
  CHECK(all_reduce(f, placement(nodes, n.gpus), Bytes{1'000'000'000}, 40).seconds > 0.0);
  CHECK(bisection_bandwidth(f) > 0.0);
  CHECK_FALSE(f.to_dot().empty());
  CHECK(f.counts().nodes == nodes);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  INFO(to_string(s.shape) << " of " << nodes << " nodes");
  CHECK(took.count() < 20.0);
}

TEST_CASE("10 000 GPUs in 1250 nodes, leaf-spine and fat tree of three levels") {
  build_and_ask(nvswitch_node(), 1250, spec(FabricShape::leaf_spine, network(64)));
  FabricSpec s = spec(FabricShape::fat_tree, network(64));
  s.levels = 3;
  build_and_ask(nvswitch_node(), 1250, s);
}

TEST_CASE("1280 nodes in scalable units, eight rails and a core level") {
  build_and_ask(nvswitch_node(), 1280, spec(FabricShape::superpod, network(64), 8));
}

TEST_CASE("A ring over 10 000 nodes moves 2(n-1)/n of the bytes at the rate of one adapter") {
  const NodeType n = node(PcieTopology::direct, 1);
  FabricSpec s = spec(FabricShape::fat_tree, network(64));
  const Fabric f = fabric(n, 10'000, s);
  const AllReduce r = all_reduce(f, placement(10'000, 1), Bytes{1'000'000'000});
  // 12.5 x 0.92 GB/s; leaves and pods are passed in order, so no cable carries two hops.
  CHECK(r.network_rate == Approx(11.5e9));
  CHECK(r.network_s == Approx(2.0 * 9'999 / 10'000 * 1e9 / 11.5e9));
}

TEST_CASE("A pod of 4096 accelerators in a torus") {
  FabricSpec s = spec(FabricShape::torus, link("ici", LinkKind::network, 50));
  s.dimensions = {16, 16, 16};
  build_and_ask(node(PcieTopology::direct, 4), 1024, s);
}

}  // namespace
}  // namespace fleetsim
