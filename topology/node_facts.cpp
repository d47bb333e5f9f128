#include "topology/node_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/range/iterator_range.hpp>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

enum Nearness { kNv, kIci, kPix, kPxb, kPhb, kSys };

struct ClassName {
  const char *name, *meaning;
};
constexpr std::array<ClassName, 6> kNames{{{"NV", "NVLink all the way"},
                                           {"ICI", "one link of the torus"},
                                           {"PIX", "one PCIe switch"},
                                           {"PXB", "several PCIe switches, no CPU"},
                                           {"PHB", "through one CPU"},
                                           {"SYS", "across the link between CPUs"}}};

class Inside {
 public:
  Inside(const Fabric& fabric, NodeId id)
      : g_(fabric.graph()), v_(g_.nodes[index(id)]), type_(fabric.node(id)) {}

  NodeFacts facts() {
    NodeFacts out;
    out.sockets = static_cast<int>(v_.cpus.size());
    out.switches = static_cast<int>(v_.switches.size());
    out.adapters = static_cast<int>(v_.nics.size());
    for (const VertexId cpu : v_.cpus) out.hosts.push_back(host(cpu, ""));
    for (const VertexId s : v_.switches) out.hosts.push_back(host(s, above(s)));
    out.gpu_to_gpu = between_gpus();
    out.gpu_to_adapter = to_adapters();
    return out;
  }

 private:
  [[nodiscard]] std::string name(VertexId v) const {
    Vertex alone = g_.wiring[v];
    alone.node = -1;  // without "node 3"
    return describe(alone);
  }

  [[nodiscard]] HostFacts host(VertexId v, const std::string& above) const {
    HostFacts out{name(v), above, {}};
    for (const auto* all : {&v_.gpus, &v_.nics}) {
      for (const VertexId device : *all) {
        if (boost::edge(v, device, g_.wiring).second) out.devices.push_back(name(device));
      }
    }
    return out;
  }

  /// A switch hangs on a CPU, or on the first switch of a cascade.
  [[nodiscard]] std::string above(VertexId s) const {
    for (const auto* all : {&v_.cpus, &v_.switches}) {
      for (const VertexId host : *all) {
        if (host != s && boost::edge(s, host, g_.wiring).second) return name(host);
      }
    }
    return "";
  }

  [[nodiscard]] Nearness nearness(const std::vector<EdgeId>& way) const {
    int cpus = 0, switches = 0;
    bool nvlink = true;
    for (std::size_t i = 0; i < way.size(); ++i) {
      nvlink = nvlink && g_.wiring[way[i]].kind == LinkKind::nvlink;
      if (i == 0) continue;
      const Device relay = g_.wiring[boost::source(way[i], g_.wiring)].device;
      cpus += relay == Device::cpu;
      switches += relay == Device::pcie_switch;
    }
    if (nvlink) return kNv;
    if (way.size() == 1 && g_.wiring[way.front()].kind == LinkKind::network) return kIci;
    if (cpus > 1) return kSys;
    if (cpus == 1) return kPhb;
    return switches > 1 ? kPxb : kPix;
  }

  void count(std::array<DevicePath, 6>& classes, const std::vector<EdgeId>& way, bool peers) const {
    const Nearness near = nearness(way);
    double rate = g_.wiring[way.front()].rate;
    for (const EdgeId& e : way) rate = std::min(rate, g_.wiring[e].rate);
    DevicePath& c = classes[near];
    c.rate = c.pairs == 0 ? rate : std::min(c.rate, rate);
    ++c.pairs;
    c.direct = peers || near == kNv || near == kIci;
  }

  static std::vector<DevicePath> occurring(std::array<DevicePath, 6> classes) {
    std::vector<DevicePath> out;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i].pairs == 0) continue;
      classes[i].name = kNames[i].name;
      classes[i].meaning = kNames[i].meaning;
      out.push_back(classes[i]);
    }
    return out;
  }

  [[nodiscard]] std::vector<DevicePath> between_gpus() const {
    std::array<DevicePath, 6> classes;
    for (std::size_t a = 0; a < v_.gpus.size(); ++a) {
      for (std::size_t b = a + 1; b < v_.gpus.size(); ++b)
        count(classes, route(g_, v_.gpus[a], v_.gpus[b], &v_), type_.gpu.peer_to_peer);
    }
    if (g_.spec.shape == FabricShape::torus) {
      // Accelerators of a torus relay: what is no neighbour is reached over several links, never over PCIe.
      for (std::size_t c = 0; c < classes.size(); ++c) {
        if (c != kIci) classes[c].pairs = 0;
      }
    }
    return occurring(classes);
  }

  [[nodiscard]] std::vector<DevicePath> to_adapters() const {
    std::array<DevicePath, 6> classes;
    if (v_.nics.empty()) return {};
    for (const VertexId gpu : v_.gpus) {
      std::vector<EdgeId> best;
      for (const VertexId nic : v_.nics) {
        std::vector<EdgeId> way = route(g_, gpu, nic, &v_);
        if (best.empty() || way.size() < best.size()) best = std::move(way);
      }
      count(classes, best, type_.gpu.peer_to_peer);
    }
    return occurring(classes);
  }

  const Fabric::Graph& g_;
  const NodeVertices& v_;
  const NodeType& type_;
};

}  // namespace

NodeFacts node_facts(const Fabric& fabric, NodeId id) {
  FLEETSIM_ASSERT(static_cast<int>(index(id)) < fabric.size());
  return Inside(fabric, id).facts();
}

}  // namespace fleetsim
