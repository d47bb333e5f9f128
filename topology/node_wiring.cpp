// The inside of a node: GPUs, PCIe switches, CPUs with their memory, network adapters, NVSwitch.
#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"
#include "topology/node_wiring.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {
namespace {

/// NVLinks between the eight GPUs of a DGX-1 with V100 (a hybrid cube mesh): two quads, fully joined inside
/// and GPU i to GPU i + 4, some twice; six links at every GPU. Source: the topology file of a DGX-1 in
/// NVIDIA/nccl#671 (`nvlink target count`); the same matrix as `nvidia-smi topo -m` prints there.
constexpr int kCubeMesh = 8;
constexpr int kCubeLinks = 6;
constexpr int kCube[kCubeMesh][kCubeMesh] = {
    {0, 1, 1, 2, 2, 0, 0, 0}, {1, 0, 2, 1, 0, 2, 0, 0}, {1, 2, 0, 2, 0, 0, 1, 0}, {2, 1, 2, 0, 0, 0, 0, 1},
    {2, 0, 0, 0, 0, 1, 1, 2}, {0, 2, 0, 0, 1, 0, 2, 1}, {0, 0, 1, 0, 1, 2, 0, 2}, {0, 0, 0, 1, 2, 1, 2, 0}};
/// Jobs get these GPUs in turn: the first two are joined twice, the first four are a quad, six and seven
/// still close a ring.
constexpr int kCubeOrder[kCubeMesh] = {0, 3, 2, 1, 4, 7, 6, 5};

/// GPUs that share one PCIe switch when each socket has its own switches (four switches for eight GPUs).
constexpr int kGpusPerSwitch = 2;
/// Without switches a socket feeds at most this many x16 slots; a board with more GPUs has two sockets.
constexpr int kSlotsPerSocket = 4;

class NodeBuilder {
 public:
  NodeBuilder(Wiring& wiring, const NodeType& type, std::int32_t node)
      : wiring_(wiring), type_(type), node_(node) {
    out_.first = boost::num_vertices(wiring_);
  }

  NodeVertices build(const LinkType* network, int adapters) {
    check();
    add_sockets();
    for (int i = 0; i < type_.gpus; ++i) out_.gpus.push_back(add(Device::gpu, i));
    add_pcie();
    add_gpu_links();
    if (network != nullptr) add_adapters(adapters);
    check_places(network != nullptr ? adapters : 0);
    out_.last = boost::num_vertices(wiring_);
    return std::move(out_);
  }

 private:
  void fail(const std::string& key, const std::string& why) const {
    throw WiringError(key, fmt::format("node {} cannot be wired: {}", type_.name, why));
  }

  void check() const {
    if (type_.gpus < 1) fail("gpus", "it has no GPU");
    if (type_.pcie.usable_rate.value.count() <= 0) fail("pcie", "its PCIe link has no bandwidth");
    if (sockets() > 1 && type_.cpu_link.usable_rate.value.count() <= 0)
      fail("pcie", "the link between its sockets has no bandwidth");
    if (type_.gpu_links == GpuLinkTopology::none) return;
    if (!type_.gpu_link || type_.gpu_link->usable_rate.value.count() <= 0)
      fail("gpu_links",
           fmt::format("its GPU links ({}) have no link with a bandwidth", to_string(type_.gpu_links)));
    if (type_.gpu_links == GpuLinkTopology::bridge_pairs && type_.gpus % 2 != 0)
      fail("gpu_links", fmt::format("NVLink bridges join pairs, and it has {} GPUs", type_.gpus));
    if (type_.gpu_links == GpuLinkTopology::cube_mesh && type_.gpus != kCubeMesh)
      fail("gpu_links",
           fmt::format("a hybrid cube mesh joins {} GPUs, and it has {}", kCubeMesh, type_.gpus));
  }

  /// Slots and lanes, where the node's file tells them.
  void check_places(int adapters) const {
    if (type_.slots > 0 && type_.gpus + adapters > type_.slots)
      fail("pcie", fmt::format("{} GPUs and {} network adapter{} need {} slots, and it has {}", type_.gpus,
                               adapters, adapters == 1 ? "" : "s", type_.gpus + adapters, type_.slots));
    if (type_.lanes_per_cpu == 0 || type_.pcie.lanes == 0) return;
    for (const VertexId cpu : out_.cpus) {
      int links = 0;
      for (const auto e : boost::make_iterator_range(boost::out_edges(cpu, wiring_)))
        links += wiring_[e].kind == LinkKind::pcie ? 1 : 0;
      if (links * type_.pcie.lanes > type_.lanes_per_cpu)
        fail("pcie", fmt::format("{} links of {} lanes leave CPU {}, which has {} lanes", links,
                                 type_.pcie.lanes, wiring_[cpu].index, type_.lanes_per_cpu));
    }
  }

  [[nodiscard]] int sockets() const {
    switch (type_.pcie_topology) {
      case PcieTopology::dual_root:
        return type_.gpus > 1 ? 2 : 1;
      case PcieTopology::direct:
        return type_.gpus > kSlotsPerSocket ? 2 : 1;
      case PcieTopology::single_root:
      case PcieTopology::cascaded:
        return 2;  // all GPUs hang on the first
    }
    return 1;
  }

  VertexId add(Device device, int index) { return boost::add_vertex(Vertex{device, node_, index}, wiring_); }

  void add_sockets() {
    for (int i = 0; i < sockets(); ++i) {
      out_.cpus.push_back(add(Device::cpu, i));
      out_.memories.push_back(add(Device::memory, i));
      // The limit of host memory is one of the whole node (NodeType::host_staging), kept out of the edges.
      LinkType memory;
      memory.kind = LinkKind::cpu;
      memory.usable_rate.value = type_.host_staging.value;
      connect(wiring_, out_.cpus.back(), out_.memories.back(), memory);
    }
    if (sockets() == 2) connect(wiring_, out_.cpus[0], out_.cpus[1], type_.cpu_link);
  }

  VertexId add_switch(VertexId above) {
    const VertexId v = add(Device::pcie_switch, static_cast<int>(out_.switches.size()));
    out_.switches.push_back(v);
    connect(wiring_, v, above, type_.pcie);
    return v;
  }

  void add_pcie() {
    const int n = type_.gpus;
    const int half = (n + 1) / 2;
    for (int i = 0; i < n; ++i) {
      VertexId above{};
      switch (type_.pcie_topology) {
        case PcieTopology::direct:
          above = out_.cpus[sockets() == 2 && i >= half ? 1 : 0];
          break;
        case PcieTopology::dual_root: {
          const int socket = sockets() == 2 && i >= half ? 1 : 0;
          const int place = socket == 1 ? i - half : i;
          if (place % kGpusPerSwitch == 0) add_switch(out_.cpus[socket]);
          above = out_.switches.back();
          break;
        }
        case PcieTopology::single_root:
          if (i == 0 || i == half) add_switch(out_.cpus[0]);
          above = out_.switches.back();
          break;
        case PcieTopology::cascaded:
          // The second switch hangs below the first: all traffic to the CPU shares one x16 link.
          if (i == 0) add_switch(out_.cpus[0]);
          if (i == half && n > 1) add_switch(out_.switches[0]);
          above = out_.switches.back();
          break;
      }
      connect(wiring_, out_.gpus[i], above, type_.pcie);
    }
  }

  void add_gpu_links() {
    if (type_.gpu_links == GpuLinkTopology::bridge_pairs) {
      for (int i = 0; i + 1 < type_.gpus; i += 2)
        connect(wiring_, out_.gpus[i], out_.gpus[i + 1], *type_.gpu_link);
    } else if (type_.gpu_links == GpuLinkTopology::nvswitch) {
      // The switch chips of a node are non-blocking together: one vertex stands for all.
      const VertexId hub = add(Device::nvswitch, 0);
      for (const VertexId gpu : out_.gpus) connect(wiring_, gpu, hub, *type_.gpu_link);
    } else if (type_.gpu_links == GpuLinkTopology::cube_mesh) {
      add_cube_mesh();
    }
  }

  /// NodeType::gpu_link is what all NVLinks of a GPU carry together; an edge gets its share of the six.
  void add_cube_mesh() {
    LinkType one = *type_.gpu_link;
    one.wire_rate.value = one.wire_rate.value * (1.0 / kCubeLinks);
    one.usable_rate.value = one.usable_rate.value * (1.0 / kCubeLinks);
    const std::vector<VertexId> numbered = out_.gpus;
    for (int a = 0; a < kCubeMesh; ++a) {
      for (int b = a + 1; b < kCubeMesh; ++b)
        if (kCube[a][b] > 0) connect(wiring_, numbered[a], numbered[b], one, kCube[a][b]);
      out_.gpus[a] = numbered[kCubeOrder[a]];
    }
  }

  void add_adapters(int adapters) {
    const bool on_cpus = out_.switches.empty() || type_.adapters_on_cpu;
    const std::vector<VertexId>& hosts = on_cpus ? out_.cpus : out_.switches;
    for (int i = 0; i < adapters; ++i) {
      out_.nics.push_back(add(Device::nic, i));
      // Spread over switches and sockets, numbered as the GPUs beside them.
      const std::size_t host =
          static_cast<std::size_t>(i) * hosts.size() / static_cast<std::size_t>(adapters);
      connect(wiring_, out_.nics.back(), hosts[host], type_.pcie);
    }
  }

  Wiring& wiring_;
  const NodeType& type_;
  std::int32_t node_;
  NodeVertices out_;
};

}  // namespace

double collective_rate(const LinkType& link) {
  const double usable = link.usable_rate.value.count();
  switch (link.kind) {
    case LinkKind::pcie:
      return usable * scaling::kPcieEfficiency.value;
    case LinkKind::nvlink:
      return usable * scaling::kNvlinkEfficiency.value;
    case LinkKind::cpu:
      return usable;  // the figures are those of NCCL's model already
    case LinkKind::network: {
      const double wire = link.wire_rate.value.count();
      return wire > 0 ? std::min(usable, wire * scaling::kInfinibandEfficiency.value) : usable;
    }
  }
  return usable;
}

void connect(Wiring& wiring, VertexId a, VertexId b, const LinkType& link, int cables) {
  FLEETSIM_ASSERT(a < boost::num_vertices(wiring) && b < boost::num_vertices(wiring) && cables > 0);
  const double k = cables;
  const Link edge{link.kind, link.usable_rate.value.count() * k, collective_rate(link) * k,
                  link.latency.value.count(), cables};
  boost::add_edge(a, b, edge, wiring);
  boost::add_edge(b, a, edge, wiring);
}

NodeVertices wire_node(Wiring& wiring, const NodeType& type, std::int32_t node, const LinkType* network,
                       int adapters) {
  return NodeBuilder(wiring, type, node).build(network, adapters);
}

std::optional<WiringError> wiring_fault(const NodeType& type, int adapters) {
  LinkType network;
  network.kind = LinkKind::network;
  try {
    Wiring scratch;
    wire_node(scratch, type, 0, &network, adapters);
  } catch (const WiringError& e) {
    return e;
  }
  return std::nullopt;
}

}  // namespace fleetsim
