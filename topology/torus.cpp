#include "topology/torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "sim/base/assert.hpp"

namespace fleetsim {
namespace {

using Sides = std::vector<int>;

/// Of a lattice, at most kMostTorusPlaces + 1: the product of three given sides may be beyond any integer.
std::int64_t places(const Sides& sides) {
  std::int64_t product = 1;
  for (const int side : sides) product = std::min(product * side, kMostTorusPlaces + 1);
  return product;
}

/// All ways to write n as a product of `count` factors, in order.
void factor(int n, std::size_t count, Sides& head, const std::function<void(const Sides&)>& use) {
  if (count == 1) {
    head.push_back(n);
    use(head);
    head.pop_back();
    return;
  }
  for (int f = 1; f <= n; ++f) {
    if (n % f != 0) continue;
    head.push_back(f);
    factor(n / f, count - 1, head, use);
    head.pop_back();
  }
}

/// Most cubic: least sum of squares; among equals the first, or the last, that is offered.
class MostCubic {
 public:
  void offer(const Sides& sides, bool last_wins = false) {
    std::int64_t sum = 0;
    for (const int s : sides) sum += std::int64_t{s} * s;
    if (!best_.empty() && (sum > sum_ || (sum == sum_ && !last_wins))) return;
    best_ = sides;
    sum_ = sum;
  }
  [[nodiscard]] const Sides& best() const { return best_; }

 private:
  Sides best_;
  std::int64_t sum_ = 0;
};

/// Block of one node: most cubic of those that `lattice` is a multiple of (any where its sides are 0).
Sides block_in(const Sides& lattice, int gpus) {
  MostCubic cubic;
  Sides head;
  factor(gpus, lattice.size(), head, [&](const Sides& block) {
    for (std::size_t d = 0; d < block.size(); ++d)
      if (lattice[d] % block[d] != 0) return;
    cubic.offer(block, true);  // four accelerators are 2 x 2 x 1
  });
  return cubic.best();
}

/// Sides of a lattice that `nodes` blocks fill without a gap.
Sides lattice_of(const Sides& block, int nodes) {
  MostCubic cubic;
  Sides head;
  factor(nodes, block.size(), head, [&](const Sides& grid) {
    Sides sides(grid);
    for (std::size_t d = 0; d < sides.size(); ++d) sides[d] *= block[d];
    cubic.offer(sides);
  });
  return cubic.best();
}

/// Cables between nodes when every place is taken: all links less those inside the blocks.
int cables_of_full(const FabricPlan& p, int nodes, int gpus) {
  int cables = 0;
  for (std::size_t d = 0; d < p.sides.size(); ++d) {
    const int side = p.sides[d], block = p.node_sides[d];
    if (side == 1) continue;
    const int inside = block == side ? block : block - 1;  // of one line through the block
    cables += nodes * (gpus - gpus / block * inside);
  }
  return cables;
}

}  // namespace

std::string sides_text(const Sides& sides) {
  return fmt::format("{}", fmt::join(sides, " x "));
}

FabricPlan plan_torus(const FabricSpec& spec, int nodes, int gpus_per_node) {
  FabricPlan p;
  p.counts.nodes = p.nodes_per_unit = nodes;
  p.sides = spec.dimensions.empty() ? Sides(3, 0) : spec.dimensions;
  const bool given = std::any_of(p.sides.begin(), p.sides.end(), [](int s) { return s != 0; });
  if (p.sides.size() != 2 && p.sides.size() != 3) {
    p.problem = fmt::format("a torus has two or three dimensions, not {}", p.sides.size());
  } else if (std::any_of(p.sides.begin(), p.sides.end(), [&](int s) { return s < (given ? 1 : 0); })) {
    p.problem = "every dimension of a torus is at least 1";
  } else if (gpus_per_node < 1) {
    p.problem = "a torus joins accelerators, and its nodes have none";
  }
  const std::int64_t wanted = std::int64_t{nodes} * gpus_per_node;
  if (p.problem.empty() && std::max(wanted, given ? places(p.sides) : 0) > kMostTorusPlaces)
    p.problem =
        fmt::format("a torus of {} has more than {} places, the most that are looked at",
                    given ? sides_text(p.sides) : fmt::format("{} accelerators", wanted), kMostTorusPlaces);
  if (!p.problem.empty()) return p;
  p.node_sides = block_in(p.sides, gpus_per_node);
  if (p.node_sides.empty()) {
    p.problem = fmt::format("a torus of {} cannot be cut into nodes with {} accelerators",
                            sides_text(p.sides), gpus_per_node);
    return p;
  }
  if (!given) p.sides = lattice_of(p.node_sides, nodes);
  if (places(p.sides) < wanted) {
    p.problem = fmt::format("a torus of {} has {} places, and {} nodes with {} accelerators need {}",
                            sides_text(p.sides), places(p.sides), nodes, gpus_per_node, wanted);
    return p;
  }
  if (places(p.sides) == wanted) {
    p.counts.torus_cables = cables_of_full(p, nodes, gpus_per_node);
  } else {
    for (const TorusLink& link : torus_links(p, nodes))
      if (torus_node(p, link.from) != torus_node(p, link.to)) p.counts.torus_cables += link.cables;
  }
  return p;
}

int torus_place(const FabricPlan& plan, int node, int gpu) {
  int place = 0, stride = 1;
  for (std::size_t d = 0; d < plan.sides.size(); ++d) {
    const int block = plan.node_sides[d], grid = plan.sides[d] / block;
    place += stride * (node % grid * block + gpu % block);
    node /= grid;
    gpu /= block;
    stride *= plan.sides[d];
  }
  return place;
}

int torus_node(const FabricPlan& plan, int place) {
  int node = 0, stride = 1;
  for (std::size_t d = 0; d < plan.sides.size(); ++d) {
    node += stride * (place % plan.sides[d] / plan.node_sides[d]);
    place /= plan.sides[d];
    stride *= plan.sides[d] / plan.node_sides[d];
  }
  return node;
}

std::vector<TorusLink> torus_links(const FabricPlan& plan, int nodes) {
  // The places that are taken, not the lattice: it may be far larger.
  int gpus = 1;
  for (const int side : plan.node_sides) gpus *= side;
  std::vector<int> taken;
  for (int n = 0; n < nodes; ++n)
    for (int k = 0; k < gpus; ++k) taken.push_back(torus_place(plan, n, k));
  std::sort(taken.begin(), taken.end());
  std::vector<TorusLink> links;
  for (const int from : taken) {
    int stride = 1;
    for (const int side : plan.sides) {
      const int at = from / stride % side;
      const int to = from + stride * (at + 1 == side ? 1 - side : 1);
      stride *= side;
      if (side == 1 || (side == 2 && at == 1) || torus_node(plan, to) >= nodes) continue;
      links.push_back({from, to, side == 2 ? 2 : 1});
    }
  }
  return links;
}

TorusSlice torus_slice(const Sides& lattice, int accelerators) {
  FLEETSIM_ASSERT(accelerators >= 1 && accelerators <= places(lattice));
  std::int64_t least = 0;
  MostCubic cubic;
  Sides head;
  const std::function<void(std::size_t, std::int64_t)> grow = [&](std::size_t d, std::int64_t volume) {
    if (d + 1 == lattice.size()) {
      const std::int64_t last = (accelerators + volume - 1) / volume;
      if (last > lattice[d] || (least != 0 && volume * last > least)) return;
      if (volume * last < least || least == 0) cubic = MostCubic{};
      least = volume * last;
      head.push_back(static_cast<int>(last));
      cubic.offer(head);
      head.pop_back();
      return;
    }
    for (int side = 1; side <= lattice[d]; ++side) {
      head.push_back(side);
      grow(d + 1, volume * side);
      head.pop_back();
    }
  };
  grow(0, 1);
  TorusSlice slice{cubic.best(), {}};
  for (std::size_t d = 0; d < lattice.size(); ++d) slice.wraps.push_back(slice.sides[d] == lattice[d]);
  return slice;
}

double torus_all_reduce_s(const TorusSlice& slice, double link_rate, double bytes, double latency_s) {
  FLEETSIM_ASSERT(link_rate > 0.0 && slice.sides.size() == slice.wraps.size());
  std::vector<std::size_t> used;
  for (std::size_t d = 0; d < slice.sides.size(); ++d)
    if (slice.sides[d] > 1) used.push_back(d);
  const std::size_t parts = used.size();
  std::vector<double> left(parts, bytes / static_cast<double>(std::max<std::size_t>(parts, 1)));
  double seconds = 0.0;
  for (std::size_t phase = 0; phase < parts; ++phase) {
    double longest = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t d = used[(part + phase) % parts];
      const double n = slice.sides[d];
      const double rate = slice.wraps[d] ? 2.0 * link_rate : link_rate;
      longest = std::max(longest, left[part] * (n - 1.0) / n / rate + (n - 1.0) * latency_s);
      left[part] /= n;
    }
    seconds += 2.0 * longest;  // scattering there, gathering back
  }
  return seconds;
}

}  // namespace fleetsim
