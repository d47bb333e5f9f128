#include "topology/rings.hpp"

#include <map>
#include <set>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"

namespace fleetsim {
namespace {

using namespace test;

/// DGX-1 like: six NVLinks of 20 GB/s at every GPU.
NodeType cube_mesh() {
  NodeType n = node();
  n.gpu_links = GpuLinkTopology::cube_mesh;
  n.gpu_link = link("nvlink2", LinkKind::nvlink, 120);
  return n;
}

double rate(const NodeType& n, int gpus) {
  return all_reduce(alone(n), placement(1, gpus), Bytes{1'000'000'000}).node_rate;
}

TEST_CASE("Rings on a hybrid cube mesh carry 40, 80 and 120 GB/s for two, four and eight GPUs") {
  // Links used by a GPU x 20 GB/s x 0.9: a doubly linked pair 2, a quad 4 of 4 or 5, all eight 6 of 6.
  CHECK(rate(cube_mesh(), 2) == Approx(2 * 20e9 * 0.9));
  CHECK(rate(cube_mesh(), 4) == Approx(4 * 20e9 * 0.9));
  CHECK(rate(cube_mesh(), 8) == Approx(6 * 20e9 * 0.9));
}

TEST_CASE("Rings pass every GPU once and use no NVLink twice") {
  const Fabric f = alone(cube_mesh());
  const NodeVertices& node = f.graph().nodes[0];
  for (const int gpus : {2, 3, 4, 6, 7, 8}) {
    std::map<std::pair<VertexId, VertexId>, int> used;
    for (const auto& ring : rings(f.graph().wiring, node, f.node(NodeId{0}), gpus)) {
      CHECK(std::set<VertexId>(ring.begin(), ring.end()).size() == static_cast<std::size_t>(gpus));
      for (std::size_t i = 0; i < ring.size(); ++i) ++used[{ring[i], ring[(i + 1) % ring.size()]}];
    }
    for (const auto& [ends, count] : used) {
      const auto [e, joined] = boost::edge(ends.first, ends.second, f.graph().wiring);
      REQUIRE(joined);
      CHECK(count <= f.graph().wiring[e].cables);
    }
  }
}

TEST_CASE("Five GPUs of a cube mesh close no ring of NVLinks and fall back to PCIe") {
  // GPUs 0 3 2 1 4: GPU 4 has one NVLink into the quad, its other hop crosses the sockets at 16 GB/s.
  const Fabric f = alone(cube_mesh());
  CHECK(rings(f.graph().wiring, f.graph().nodes[0], f.node(NodeId{0}), 5).size() == 1);
  CHECK(rate(cube_mesh(), 5) == Approx(16e9));
}

TEST_CASE("Every GPU of a cube mesh has six NVLinks, each GPU pair the same both ways") {
  const Fabric f = alone(cube_mesh());
  for (const VertexId gpu : f.graph().nodes[0].gpus) {
    int links = 0;
    double out = 0.0;
    for (auto [e, end] = boost::out_edges(gpu, f.graph().wiring); e != end; ++e) {
      const Link& l = f.graph().wiring[*e];
      if (l.kind != LinkKind::nvlink) continue;
      links += l.cables;
      out += l.rate;
      CHECK(boost::edge(boost::target(*e, f.graph().wiring), gpu, f.graph().wiring).second);
    }
    CHECK(links == 6);
    CHECK(out == Approx(120e9));
  }
}

TEST_CASE("A ring over a doubled link runs twice, a pair of single links once") {
  // a = b = c = a, every link double: 2 rings x 2 directions.
  CHECK(disjoint_rings({{0, 2, 2}, {2, 0, 2}, {2, 2, 0}}).size() == 4);
  CHECK(disjoint_rings({{0, 1}, {1, 0}}).size() == 1);
  CHECK(disjoint_rings({{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}).empty());
}

TEST_CASE("Sixteen GPUs on NVSwitch exchange as fast as two") {
  // 120 x 0.9, one flow at every GPU; two sockets with four PCIe switches each.
  NodeType n = node(PcieTopology::dual_root, 16);
  n.gpu_links = GpuLinkTopology::nvswitch;
  n.gpu_link = link("nvlink2", LinkKind::nvlink, 120);
  for (const int gpus : {2, 8, 16}) CHECK(rate(n, gpus) == Approx(108e9));
  CHECK(alone(n).graph().nodes[0].switches.size() == 8);
}

}  // namespace
}  // namespace fleetsim
