// What an exchange may never do: get faster by another node, or slower by better hardware.
#include <rapidcheck.h>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

using namespace test;

/// Machines as the catalogue has them: two to sixteen GPUs, with peer access or without, bridged, on an
/// NVSwitch that may add up, or a cube mesh; steps take 3.4, 5.7 and 14 us.
NodeType random_machine() {
  NodeType n = node(*rc::gen::element(PcieTopology::dual_root, PcieTopology::single_root,
                                      PcieTopology::cascaded, PcieTopology::direct),
                    *rc::gen::element(1, 2, 4, 8), *rc::gen::arbitrary<bool>());
  n.gpu_links = *rc::gen::element(GpuLinkTopology::none, GpuLinkTopology::none, GpuLinkTopology::bridge_pairs,
                                  GpuLinkTopology::nvswitch);
  if (n.gpus == 8 && *rc::gen::inRange(0, 4) == 0) n.gpu_links = GpuLinkTopology::cube_mesh;
  if (n.gpus == 1) n.gpu_links = GpuLinkTopology::none;
  if (n.gpu_links == GpuLinkTopology::nvswitch) n.gpu.peer_to_peer = true;
  n.gpu_link = link("nvlink", LinkKind::nvlink, *rc::gen::inRange(40, 800));
  n.gpu_link->latency.value = Latency{3.4e-6};
  if (*rc::gen::arbitrary<bool>()) n.gpu.architecture = "Hopper";
  n.pcie = link("pcie", LinkKind::pcie, *rc::gen::element(3.0, 6.0, 12.0, 25.6, 51.2));
  n.pcie.latency.value = Latency{5.7e-6};
  n.cpu_link = link("socket", LinkKind::cpu, *rc::gen::element(9.0, 16.0, 20.0, 45.0));
  n.cpu_link.latency.value = Latency{5.7e-6};
  n.host_staging.value = BytesPerSecond{*rc::gen::element(27.5, 60.0) * 1e9};
  return n;
}

FabricSpec random_switches() {
  FabricSpec s = spec(*rc::gen::element(FabricShape::single_switch, FabricShape::leaf_spine,
                                        FabricShape::fat_tree, FabricShape::superpod),
                      network(*rc::gen::element(36, 40, 64), *rc::gen::element(1.25, 3.0, 12.5, 25.0, 50.0)),
                      *rc::gen::element(1, 2, 4, 8), *rc::gen::element(1.0, 1.0, 2.0, 3.0));
  s.link.latency.value = Latency{14e-6};
  // A unit that fits a leaf with as many cables up as down.
  if (s.shape == FabricShape::superpod) s.su_nodes = *rc::gen::inRange(4, s.link.switch_ports / 2 + 1);
  if (s.shape == FabricShape::single_switch) s.link.switch_ports = 64 * 8;
  return s;
}

Bytes random_size() {
  return Bytes{std::int64_t{1} << *rc::gen::inRange(15, 31)};
}

/// Sums of flows in another order differ in the last digits.
constexpr double kDigits = 1e-9;

TEST_CASE("No exchange gets faster when a node is added, whatever the machine, the fabric and the size") {
  CHECK(rc::check([] {
    const NodeType n = random_machine();
    const FabricSpec s = random_switches();
    const Fabric f = fabric(n, 64, s);
    const Bytes size = random_size();
    const int messages = *rc::gen::element(1, 1, 12);
    double before = 0.0;
    for (int nodes = 1; nodes <= 64; ++nodes) {
      const AllReduce now = all_reduce(f, placement(nodes, n.gpus), size, messages);
      if (now.seconds < before * (1.0 - kDigits)) {
        RC_LOG() << to_string(s.shape) << " " << to_string(n.pcie_topology) << " " << to_string(n.gpu_links)
                 << " size " << size.count() << ": node " << nodes << " makes " << before << " s "
                 << now.seconds << " s, " << to_string(now.collective) << ": " << now.bottleneck << "\n";
      }
      RC_ASSERT(now.seconds >= before * (1.0 - kDigits));
      before = now.seconds;
    }
  }));
}

TEST_CASE("More adapters or a faster network never make an exchange slower") {
  CHECK(rc::check([] {
    const NodeType n = random_machine();
    FabricSpec s = random_switches();
    s.adapters_per_node = 1;
    // A leaf takes fewer nodes of more adapters, so that more of an oversubscribed fabric is crossed.
    s.oversubscription = 1.0;
    const int nodes = *rc::gen::inRange(2, 17);
    const Bytes size = random_size();
    const auto seconds = [&] {
      return all_reduce(fabric(n, nodes, s), placement(nodes, n.gpus), size).seconds;
    };
    double before = seconds();
    for (const int adapters : {2, 4, 8}) {
      // GPUs that reach each other and have an adapter each are offered no hierarchy, as NCCL builds none.
      if (adapters >= n.gpus && !all_reduce(fabric(n, nodes, s), placement(nodes, n.gpus), size).staged)
        break;
      s.adapters_per_node = adapters;
      const double now = seconds();
      RC_LOG() << to_string(s.shape) << " " << to_string(n.pcie_topology) << " " << to_string(n.gpu_links)
               << ": " << nodes << " nodes, " << adapters << " adapters: " << before << " s, " << now
               << " s\n";
      RC_ASSERT(now <= before * (1.0 + kDigits));
      before = now;
      FabricSpec faster = s;
      std::swap(faster, s);
      s.link.usable_rate.value = s.link.wire_rate.value = s.link.wire_rate.value * 2.0;
      RC_ASSERT(seconds() <= now * (1.0 + kDigits));
      std::swap(faster, s);
    }
  }));
}

}  // namespace
}  // namespace fleetsim
