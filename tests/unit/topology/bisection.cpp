#include "topology/bisection.hpp"

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

double between(const Fabric& f) {
  return bisection_bandwidth(f) / 1e9;
}
double inside(const NodeType& n) {
  return node_bisection_bandwidth(alone(n), NodeId{0}) / 1e9;
}

TEST_CASE("A fabric without oversubscription has the adapters of half the nodes as bisection") {
  const NodeType n = node(PcieTopology::direct, 1);
  // 32 x 12.5, in one switch, two levels, three levels, scalable units of two rails.
  CHECK(between(fabric(n, 32, spec(FabricShape::single_switch))) == Approx(16 * 12.5));
  CHECK(between(fabric(n, 64, spec(FabricShape::leaf_spine, network(16)))) == Approx(32 * 12.5));
  CHECK(between(fabric(n, 128, spec(FabricShape::fat_tree, network(8)))) == Approx(64 * 12.5));
  CHECK(between(fabric(n, 64, spec(FabricShape::superpod, network(8), 2))) == Approx(32 * 2 * 12.5));
}

TEST_CASE("Oversubscription divides the bisection") {
  // 54 nodes at 3:1 over two leaves: 9 cables up each.
  const NodeType n = node(PcieTopology::direct, 1);
  CHECK(between(fabric(n, 54, spec(FabricShape::leaf_spine, network(), 1, 3.0))) == Approx(9 * 12.5));
}

TEST_CASE("Nothing joins nodes without a fabric, and one node has no halves") {
  CHECK(between(fabric(node(), 4, spec(FabricShape::none))) == 0.0);
  CHECK(between(fabric(node(), 1, spec(FabricShape::single_switch))) == 0.0);
}

TEST_CASE("The bisection of a torus cuts its longest side twice") {
  FabricSpec s = spec(FabricShape::torus, link("ici", LinkKind::network, 50));
  s.dimensions = {4, 4, 8};
  // 2 cuts x 4 x 4 links
  CHECK(between(fabric(node(PcieTopology::direct, 4), 32, s)) == Approx(2 * 16 * 50));
  s.dimensions = {8, 4, 1};
  CHECK(between(fabric(node(PcieTopology::direct, 4), 8, s)) == Approx(2 * 4 * 50));
}

TEST_CASE("Halves of a node meet at the link between sockets, a switch uplink or NVLink") {
  CHECK(inside(node(PcieTopology::dual_root)) == Approx(16));    // socket link
  CHECK(inside(node(PcieTopology::single_root)) == Approx(20));  // one x16 uplink of 20
  CHECK(inside(node(PcieTopology::cascaded)) == Approx(20));
  CHECK(inside(nvswitch_node()) == Approx(4 * 240 + 16));
  CHECK(inside(node(PcieTopology::direct, 1)) == 0.0);
  // Cube mesh: 2 + 2 + 1 + 1 links of 20 between the quads, and the sockets beside them.
  NodeType mesh = node();
  mesh.gpu_links = GpuLinkTopology::cube_mesh;
  mesh.gpu_link = link("nvlink2", LinkKind::nvlink, 120);
  CHECK(inside(mesh) == Approx(6 * 20 + 16));
  // Without peer access both directions share host memory: 24 / 2.
  CHECK(inside(node(PcieTopology::direct, 8, false)) == Approx(12));
}

}  // namespace
}  // namespace fleetsim
