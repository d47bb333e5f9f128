// What a systems engineer asks about the inside of a node, read off its graph: what hangs where, and how two
// devices reach each other.
#pragma once

#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fleetsim {

/// A CPU or PCIe switch and what hangs on it, e.g. {"PCIe switch 1", "CPU 0", {"GPU 2", "GPU 3", "NIC 1"}}.
struct HostFacts {
  std::string name;
  std::string above;                 ///< the host it hangs on; empty for a CPU
  std::vector<std::string> devices;  ///< GPUs and adapters; CPUs and switches have rows of their own
};

/// Pairs of devices whose shortest ways are alike, named as `nvidia-smi topo -m` does: NV (NVLink all the
/// way), ICI (one link of a torus), PIX (one PCIe switch), PXB (several), PHB (through one CPU), SYS (across
/// the link between CPUs).
struct DevicePath {
  std::string name, meaning;
  int pairs = 0;
  double rate = 0.0;    ///< usable bytes/s each way of the narrowest link of the way, one flow alone
  bool direct = false;  ///< the devices reach each other; else they copy through host memory
};

struct NodeFacts {
  int sockets = 0, switches = 0, adapters = 0;
  std::vector<HostFacts> hosts;            ///< CPUs first
  std::vector<DevicePath> gpu_to_gpu;      ///< nearest first; classes that occur
  std::vector<DevicePath> gpu_to_adapter;  ///< every GPU with its nearest adapter
};

/// Cost: one route search a pair of GPUs and a pair of GPU and adapter.
[[nodiscard]] NodeFacts node_facts(const Fabric& fabric, NodeId id);

}  // namespace fleetsim
