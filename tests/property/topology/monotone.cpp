#include <rapidcheck.h>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"

namespace fleetsim {
namespace {

using namespace test;

const Bytes kSize{300'000'000};

NodeType random_node() {
  NodeType n = node(*rc::gen::element(PcieTopology::dual_root, PcieTopology::single_root,
                                      PcieTopology::cascaded, PcieTopology::direct),
                    2 * *rc::gen::inRange(1, 5), *rc::gen::arbitrary<bool>());
  n.gpu_links =
      *rc::gen::element(GpuLinkTopology::none, GpuLinkTopology::bridge_pairs, GpuLinkTopology::nvswitch);
  if (n.gpus == 8 && *rc::gen::arbitrary<bool>()) n.gpu_links = GpuLinkTopology::cube_mesh;
  n.gpu_link = link("nvlink", LinkKind::nvlink, *rc::gen::inRange(10, 900));
  n.pcie.usable_rate.value = BytesPerSecond{*rc::gen::inRange(1, 60) * 1e9};
  n.cpu_link.usable_rate.value = BytesPerSecond{*rc::gen::inRange(1, 60) * 1e9};
  return n;
}

TEST_CASE("More bandwidth anywhere in a node never makes a step longer") {
  CHECK(rc::check([] {
    const NodeType n = random_node();
    NodeType better = n;
    const double factor = 1.0 + *rc::gen::inRange(1, 30) / 10.0;
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        better.pcie.usable_rate.value = n.pcie.usable_rate.value * factor;
        break;
      case 1:
        better.cpu_link.usable_rate.value = n.cpu_link.usable_rate.value * factor;
        break;
      case 2:
        better.gpu_link->usable_rate.value = n.gpu_link->usable_rate.value * factor;
        break;
      default:
        better.host_staging.value = n.host_staging.value * factor;
    }
    const int gpus = *rc::gen::inRange(1, n.gpus + 1);
    const auto total = [&](const NodeType& type) {
      return step_time(model(), {gpus}, alone(type), placement(1, gpus)).total;
    };
    RC_ASSERT(total(better) <= total(n));
  }));
}

TEST_CASE("Efficiency lies in (0, 1] and the parts add up") {
  CHECK(rc::check([] {
    const NodeType n = random_node();
    const int nodes = *rc::gen::inRange(1, 60), each = *rc::gen::inRange(1, n.gpus + 1);
    const Fabric f = fabric(
        n, 60, spec(FabricShape::leaf_spine, network(), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 4)));
    const StepTime s = step_time(model(), {nodes * each}, f, placement(nodes, each));
    RC_ASSERT(s.efficiency > 0.0 && s.efficiency <= 1.0);
    RC_ASSERT(s.total == s.compute + s.exposed_communication + s.input_stall);
  }));
}

TEST_CASE("Communication never drops as nodes are added") {
  CHECK(rc::check([] {
    const NodeType n = random_node();
    const Fabric f = fabric(n, 40, spec(FabricShape::leaf_spine));
    double before = 0.0;
    for (int nodes = 1; nodes <= 40; ++nodes) {
      const double now = all_reduce(f, placement(nodes, n.gpus), kSize, 12).seconds;
      RC_ASSERT(now >= before);
      before = now;
    }
  }));
}

TEST_CASE("Every leaf-spine fabric joins all its nodes and uses no port twice") {
  CHECK(rc::check([] {
    const int ports = *rc::gen::inRange(4, 65), adapters = *rc::gen::inRange(1, 4);
    const double over = *rc::gen::inRange(10, 41) / 10.0;
    const int nodes = *rc::gen::inRange(1, 120);
    const NodeType n = node(PcieTopology::direct, 1);
    try {
      const Fabric f = fabric(n, nodes, spec(FabricShape::leaf_spine, network(ports), adapters, over));
      const FabricCounts c = f.counts();
      RC_ASSERT(c.node_cables == nodes * adapters);
      RC_ASSERT(c.node_cables + c.switch_cables <= c.leaf_switches * ports);
      RC_ASSERT(c.switch_cables <= c.spine_switches * ports);
      RC_ASSERT(c.spine_switches == 0 || c.switch_cables * over >= c.node_cables - 1e-6);
      RC_ASSERT(f.leaf_of(NodeId{static_cast<unsigned>(nodes - 1)}) == c.leaf_switches - 1);
      // First and last node reach each other.
      if (nodes > 1) {
        const Placement ends{{NodeId{0}, 1}, {NodeId{static_cast<unsigned>(nodes - 1)}, 1}};
        RC_ASSERT(all_reduce(f, ends, kSize).network_rate > 0.0);
      }
    } catch (const std::invalid_argument&) {
      RC_ASSERT(nodes * adapters > ports);  // only fabrics of several switches can fail
    }
  }));
}

}  // namespace
}  // namespace fleetsim
