#include "topology/node_wiring.hpp"

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

using namespace test;

std::string fault(const NodeType& n, int adapters = 0) {
  const auto found = wiring_fault(n, adapters);
  return found ? found->key + ": " + found->what() : "";
}

TEST_CASE("More cards than slots cannot be") {
  NodeType n = node();
  n.slots = 9;
  CHECK(fault(n, 1).empty());
  CHECK(fault(n, 2) ==
        "pcie: node node cannot be wired: 8 GPUs and 2 network adapters need 10 slots, and it has 9");
}

TEST_CASE("More lanes than a CPU has cannot be") {
  // Direct: four GPUs of 16 lanes at each socket, and the adapter at the first.
  NodeType n = node(PcieTopology::direct);
  n.pcie.lanes = 16;
  n.lanes_per_cpu = 64;
  CHECK(fault(n).empty());
  CHECK(fault(n, 1) ==
        "pcie: node node cannot be wired: 5 links of 16 lanes leave CPU 0, which has 64 lanes");
  // Eight lanes a slot leave room.
  n.pcie.lanes = 8;
  CHECK(fault(n, 1).empty());
  // Behind switches only their links up count: two a socket.
  n = node(PcieTopology::dual_root);
  n.pcie.lanes = 16;
  n.lanes_per_cpu = 32;
  CHECK(fault(n, 4).empty());
  n.lanes_per_cpu = 16;
  CHECK(fault(n) == "pcie: node node cannot be wired: 2 links of 16 lanes leave CPU 0, which has 16 lanes");
}

TEST_CASE("Network adapters hang beside the GPUs, or on the CPUs when the node says so") {
  NodeType n = node(PcieTopology::dual_root);
  const auto host_of = [&] {
    const Fabric f = fabric(n, 1, spec(FabricShape::single_switch));
    const Fabric::Graph& g = f.graph();
    for (auto [e, end] = boost::out_edges(g.nodes[0].nics[0], g.wiring); e != end; ++e) {
      const Vertex& to = g.wiring[boost::target(*e, g.wiring)];
      if (to.node == 0) return to.device;
    }
    return Device::memory;
  };
  CHECK(host_of() == Device::pcie_switch);
  n.adapters_on_cpu = true;
  CHECK(host_of() == Device::cpu);
  n = node(PcieTopology::direct);
  CHECK(host_of() == Device::cpu);
}

TEST_CASE("A fault of the wiring names the key to blame") {
  NodeType n = node(PcieTopology::direct, 6);
  n.gpu_links = GpuLinkTopology::cube_mesh;
  n.gpu_link = link("nvlink2", LinkKind::nvlink, 120);
  CHECK(fault(n) == "gpu_links: node node cannot be wired: a hybrid cube mesh joins 8 GPUs, and it has 6");
}

}  // namespace
}  // namespace fleetsim
