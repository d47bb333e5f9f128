#include "topology/node_facts.hpp"

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

int pairs(const std::vector<DevicePath>& classes, const std::string& name) {
  for (const DevicePath& c : classes)
    if (c.name == name) return c.pairs;
  return 0;
}

TEST_CASE("Pairs of GPUs are classed by what lies between them") {
  // Dual root, two GPUs a switch: 4 pairs below one switch; 2 x 4 pairs through a CPU; 4 x 4 across sockets.
  const NodeFacts dual = node_facts(alone(node(PcieTopology::dual_root)), NodeId{});
  CHECK(dual.sockets == 2);
  CHECK(dual.switches == 4);
  CHECK(pairs(dual.gpu_to_gpu, "PIX") == 4);
  CHECK(pairs(dual.gpu_to_gpu, "PHB") == 8);
  CHECK(pairs(dual.gpu_to_gpu, "SYS") == 16);
  // Direct: 2 x 6 pairs on one CPU, 4 x 4 across.
  const NodeFacts direct = node_facts(alone(node(PcieTopology::direct)), NodeId{});
  CHECK(pairs(direct.gpu_to_gpu, "PHB") == 12);
  CHECK(pairs(direct.gpu_to_gpu, "SYS") == 16);
  // Cascaded: the two switches of four GPUs hang on each other, no CPU between: 2 x 6 and 4 x 4.
  const NodeFacts cascaded = node_facts(alone(node(PcieTopology::cascaded)), NodeId{});
  CHECK(pairs(cascaded.gpu_to_gpu, "PIX") == 12);
  CHECK(pairs(cascaded.gpu_to_gpu, "PXB") == 16);
}

TEST_CASE("NVSwitch joins all pairs directly") {
  const NodeFacts facts = node_facts(alone(nvswitch_node()), NodeId{});
  REQUIRE(facts.gpu_to_gpu.size() == 1);
  CHECK(facts.gpu_to_gpu[0].name == "NV");
  CHECK(facts.gpu_to_gpu[0].pairs == 28);
  CHECK(facts.gpu_to_gpu[0].direct);
}

TEST_CASE("GPUs without peer access are said to copy through host memory") {
  const NodeFacts facts = node_facts(alone(node(PcieTopology::direct, 8, false)), NodeId{});
  for (const DevicePath& c : facts.gpu_to_gpu) CHECK_FALSE(c.direct);
  // The narrowest link of the way: the slot within a socket, the link between CPUs across.
  CHECK(facts.gpu_to_gpu[0].rate == Approx(20e9));
  CHECK(facts.gpu_to_gpu[1].rate == Approx(16e9));
}

TEST_CASE("Every GPU and adapter hangs on exactly one host") {
  const NodeFacts facts = node_facts(alone(node(PcieTopology::dual_root)), NodeId{});
  std::size_t devices = 0;
  for (const HostFacts& host : facts.hosts) devices += host.devices.size();
  CHECK(devices == 8);
  CHECK(facts.hosts[0].name == "CPU 0");
  CHECK(facts.hosts[2].name == "PCIe switch 0");
  CHECK(facts.hosts[2].above == "CPU 0");
  CHECK(facts.hosts[2].devices == std::vector<std::string>{"GPU 0", "GPU 1"});
}

}  // namespace
}  // namespace fleetsim
