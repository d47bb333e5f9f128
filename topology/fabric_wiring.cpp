// Switches and cables of a fabric, as its plan says.
#include <algorithm>
#include <stdexcept>

#include "sim/base/assert.hpp"
#include "topology/graph.hpp"
#include "topology/torus.hpp"

namespace fleetsim {
namespace {

class FabricWirer {
 public:
  explicit FabricWirer(Fabric::Graph& graph) : g_(graph), p_(graph.plan) {}

  void wire() {
    if (g_.spec.shape == FabricShape::torus) return wire_torus();
    if (p_.levels == 0) return;
    add_leaves();
    if (p_.levels > 1) add_spines();
    if (p_.spine_up > 0) add_cores();
  }

 private:
  VertexId add(Device device, std::vector<VertexId>& all) {
    all.push_back(boost::add_vertex(Vertex{device, -1, static_cast<int>(all.size())}, g_.wiring));
    return all.back();
  }

  void add_leaves() {
    for (int i = 0; i < p_.units * p_.rails; ++i) add(Device::leaf, g_.leaves);
    for (std::size_t n = 0; n < g_.nodes.size(); ++n) {
      const std::size_t unit = n / static_cast<std::size_t>(p_.nodes_per_unit);
      const std::vector<VertexId>& nics = g_.nodes[n].nics;
      for (std::size_t r = 0; r < nics.size(); ++r) {
        const std::size_t rail = p_.rails > 1 ? r : 0;
        connect(g_.wiring, nics[r], g_.leaves[unit * static_cast<std::size_t>(p_.rails) + rail],
                g_.spec.link);
      }
    }
  }

  /// Cables from `lower` to `uppers`, as even as they go. Those left over go on from `start`, which moves on,
  /// so that all uppers have as many cables, give or take one.
  void spread(VertexId lower, const std::vector<VertexId>& uppers, int cables, int& start) {
    const int n = static_cast<int>(uppers.size());
    for (int s = 0; s < n; ++s) {
      const int slot = (s - start + n) % n;
      const int here = cables / n + (slot < cables % n ? 1 : 0);
      if (here > 0) connect(g_.wiring, lower, uppers[s], g_.spec.link, here);
    }
    start = (start + cables) % n;
  }

  /// Block after block, first column first, rail after rail. Unit i and the unit half the fabric further are
  /// cabled alike: what one half of the nodes sends up to a spine, the spine can send down to the other.
  void add_spines() {
    const bool by_rail = p_.blocks_a_column() > 1;
    int start = 0;
    for (int column = 0; column < p_.columns; ++column) {
      for (int block = 0; block < p_.blocks_a_column(); ++block) {
        std::vector<VertexId> spines;
        for (int s = 0; s < p_.spines; ++s) spines.push_back(add(Device::spine, g_.spines));
        const int begin = start;
        for (int unit = p_.first_unit(column); unit < p_.first_unit(column + 1); ++unit) {
          if (p_.columns == 1 && unit == (p_.units + 1) / 2) start = begin;
          const int cables = unit + 1 == p_.units ? p_.up_last : p_.up;
          for (int rail = by_rail ? block : 0; rail < (by_rail ? block + 1 : p_.rails); ++rail)
            spread(g_.leaves[static_cast<std::size_t>(unit * p_.rails + rail)], spines, cables, start);
        }
      }
    }
  }

  void add_cores() {
    const int blocks = p_.columns * p_.rails;
    for (int s = 0; s < p_.spines; ++s) {
      std::vector<VertexId> group;
      for (int c = 0; c < p_.cores; ++c) group.push_back(add(Device::core, g_.cores));
      int start = 0;
      for (int b = 0; b < blocks; ++b) {
        if (b == (p_.columns + 1) / 2 * p_.rails) start = 0;  // halves alike, as above
        spread(g_.spines[static_cast<std::size_t>(b * p_.spines + s)], group, p_.spine_up, start);
      }
    }
  }

  void wire_torus() {
    std::size_t all = 1;
    for (const int side : p_.sides) all *= static_cast<std::size_t>(side);
    g_.places.assign(all, kNowhere);
    const int nodes = static_cast<int>(g_.nodes.size());
    for (int n = 0; n < nodes; ++n) {
      const std::vector<VertexId>& gpus = g_.nodes[n].gpus;
      if (gpus.size() != g_.nodes.front().gpus.size())
        throw std::invalid_argument("a torus needs the same number of accelerators in every node");
      for (std::size_t k = 0; k < gpus.size(); ++k)
        g_.places[torus_place(p_, n, static_cast<int>(k))] = gpus[k];
    }
    for (const TorusLink& link : torus_links(p_, nodes))
      connect(g_.wiring, g_.places[link.from], g_.places[link.to], g_.spec.link, link.cables);
  }

  Fabric::Graph& g_;
  const FabricPlan& p_;
};

}  // namespace

void wire_fabric(Fabric::Graph& graph) {
  if (!graph.nodes.empty()) FabricWirer(graph).wire();
}

}  // namespace fleetsim
