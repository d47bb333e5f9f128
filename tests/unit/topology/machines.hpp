// Round-numbered hardware for tests: figures are chosen to make the arithmetic short, not to be real.
#pragma once

#include <string>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/hardware.hpp"
#include "topology/step_time.hpp"

namespace fleetsim::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline LinkType link(const char* name, LinkKind kind, double gb_per_s) {
  LinkType l;
  l.name = l.title = name;
  l.kind = kind;
  l.wire_rate.value = l.usable_rate.value = BytesPerSecond{gb_per_s * 1e9};
  return l;
}

/// EDR-like: 36 ports, 12.5 GB/s.
inline LinkType network(int ports = 36, double gb_per_s = 12.5) {
  LinkType l = link("edr", LinkKind::network, gb_per_s);
  l.switch_ports = ports;
  return l;
}

inline NodeType node(PcieTopology topology = PcieTopology::dual_root, int gpus = 8, bool peers = true) {
  NodeType n;
  n.name = n.title = "node";
  n.gpu.name = "card";
  n.gpu.peer_to_peer = peers;
  n.gpu.memory.value = Bytes{24'000'000'000};
  n.gpu.memory_bandwidth.value = BytesPerSecond{900e9};
  n.gpus = gpus;
  n.pcie_topology = topology;
  n.pcie = link("pcie", LinkKind::pcie, 20.0);
  n.cpu_link = link("socket", LinkKind::cpu, 16.0);
  n.host_staging.value = BytesPerSecond{24e9};
  return n;
}

inline NodeType nvswitch_node(double gb_per_s = 240.0) {
  NodeType n = node();
  n.gpu_links = GpuLinkTopology::nvswitch;
  n.gpu_link = link("nvlink", LinkKind::nvlink, gb_per_s);
  return n;
}

inline FabricSpec spec(FabricShape shape, LinkType l = network(), int adapters = 1,
                       double oversubscription = 1.0) {
  FabricSpec s;
  s.shape = shape;
  s.link = std::move(l);
  if (shape == FabricShape::torus) s.link.switch_ports = 0;  // accelerator to accelerator
  s.adapters_per_node = adapters;
  s.oversubscription = oversubscription;
  return s;
}

inline Fabric fabric(const NodeType& type, int nodes, const FabricSpec& s) {
  const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), &type);
  return Fabric::build(s, all);
}
inline Fabric alone(const NodeType& type) {
  return fabric(type, 1, spec(FabricShape::none));
}

/// The first `gpus` GPUs of nodes 0 .. nodes-1, the same number on each.
inline Placement placement(int nodes, int gpus_each) {
  Placement p;
  for (int i = 0; i < nodes; ++i) p.push_back({NodeId{static_cast<unsigned>(i)}, gpus_each});
  return p;
}

/// One pass takes 0.3 s on "card" at a batch of 100.
inline ModelType model(double gradient_mb = 100.0) {
  ModelType m;
  m.name = "model";
  m.reference_gpu = "card";
  m.reference_bandwidth.value = BytesPerSecond{900e9};
  m.gradient.value = Bytes{static_cast<std::int64_t>(gradient_mb * 1e6)};
  m.batch_per_gpu.value = 100;
  m.reference_step.value = from_seconds(0.3);
  return m;
}

}  // namespace fleetsim::test
