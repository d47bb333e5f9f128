#include "topology/torus.hpp"

#include <map>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/graph.hpp"

namespace fleetsim {
namespace {

using namespace test;

FabricSpec torus(std::vector<int> sides, double gb_per_s = 50.0) {
  FabricSpec s = spec(FabricShape::torus, link("ici", LinkKind::network, gb_per_s));
  s.dimensions = std::move(sides);
  return s;
}

/// Four accelerators a host.
Fabric pod(int hosts, std::vector<int> sides) {
  return fabric(node(PcieTopology::direct, 4), hosts, torus(std::move(sides)));
}

TEST_CASE("Accelerators of a full 3-D torus have six links, of a 2-D torus four") {
  for (const auto& [sides, links] :
       std::map<std::vector<int>, int>{{{4, 4, 4}, 6}, {{4, 4, 2}, 6}, {{8, 8}, 4}, {{8, 8, 1}, 4}}) {
    int places = 1;
    for (const int s : sides) places *= s;
    const Fabric f = pod(places / 4, sides);
    for (const VertexId v : f.graph().places) {
      int here = 0;
      for (auto [e, end] = boost::out_edges(v, f.graph().wiring); e != end; ++e)
        if (f.graph().wiring[*e].kind == LinkKind::network) here += f.graph().wiring[*e].cables;
      CHECK(here == links);
    }
  }
}

TEST_CASE("Cables of a torus are its links less those on the boards") {
  // 64 chips x 3 links less 4 on each of 16 boards (2 x 2 x 1).
  CHECK(pod(16, {4, 4, 4}).counts().torus_cables == 64 * 3 - 16 * 4);
  // TPU v3 pod: 1024 chips x 2 links less 4 on each of 256 boards.
  CHECK(pod(256, {32, 32}).counts().torus_cables == 1024 * 2 - 256 * 4);
  // No adapters, no switches.
  const FabricCounts c = pod(16, {4, 4, 4}).counts();
  CHECK(c.adapters == 0);
  CHECK(c.switches() == 0);
}

TEST_CASE("A torus without sides is as cubic as its nodes go") {
  const auto sides = [](int hosts, std::vector<int> given) {
    return plan_torus(torus(std::move(given)), hosts, 4).sides;
  };
  CHECK(sides(1024, {}) == std::vector<int>{16, 16, 16});
  CHECK(sides(16, {0, 0, 0}) == std::vector<int>{4, 4, 4});
  CHECK(sides(256, {0, 0}) == std::vector<int>{32, 32});
  CHECK(sides(1, {}) == std::vector<int>{2, 2, 1});
}

TEST_CASE("Places, nodes and accelerators name each other") {
  const FabricPlan p = plan_torus(torus({4, 6, 2}), 12, 4);
  REQUIRE(p.problem.empty());
  std::map<int, int> seen;
  for (int n = 0; n < 12; ++n) {
    for (int k = 0; k < 4; ++k) {
      ++seen[torus_place(p, n, k)];
      CHECK(torus_node(p, torus_place(p, n, k)) == n);
    }
  }
  CHECK(seen.size() == 48);
}

TEST_CASE("A route on a torus takes the shorter way round along each side") {
  const Fabric f = pod(16, {4, 4, 4});
  const Fabric::Graph& g = f.graph();
  const auto hops = [&](int a, int b) { return route(g, g.places[a], g.places[b], nullptr).size(); };
  CHECK(hops(0, 1) == 1);
  CHECK(hops(0, 3) == 1);  // around
  CHECK(hops(0, 2) == 2);
  CHECK(hops(0, 2 + 4 * 2 + 16 * 2) == 6);  // the far corner: 2 + 2 + 2
  CHECK(hops(0, 3 + 4 * 3 + 16 * 3) == 3);
}

TEST_CASE("A lattice that is not full keeps its nodes joined") {
  // 5 of 16 hosts: 2 x 2 hosts a layer, so a layer and one host of the next.
  const Fabric f = pod(5, {4, 4, 4});
  const Fabric::Graph& g = f.graph();
  for (const VertexId a : g.places) {
    for (const VertexId b : g.places) {
      if (a == kNowhere || b == kNowhere || a == b) continue;
      CHECK_FALSE(route(g, a, b, nullptr).empty());
    }
  }
}

TEST_CASE("An all-reduce on a closed torus of equal sides uses all links of every accelerator") {
  // 2 (1 - 1/N) S / (2 D b): 3-D 4 x 4 x 4, b = 50 GB/s.
  const double s = 1e9;
  CHECK(torus_all_reduce_s({{4, 4, 4}, {true, true, true}}, 50e9, s) ==
        Approx(2.0 * (1.0 - 1.0 / 64.0) * s / (6.0 * 50e9)));
  CHECK(torus_all_reduce_s({{32, 32}, {true, true}}, 70e9, s) ==
        Approx(2.0 * (1.0 - 1.0 / 1024.0) * s / (4.0 * 70e9)));
  // One side is the ring of two directions.
  CHECK(torus_all_reduce_s({{8, 1, 1}, {true, true, true}}, 50e9, s) == Approx(2.0 * 7.0 / 8.0 * s / 100e9));
  // A side that does not close: half the rate.
  CHECK(torus_all_reduce_s({{4, 1, 1}, {false, true, true}}, 50e9, s) == Approx(2.0 * 3.0 / 4.0 * s / 50e9));
  CHECK(torus_all_reduce_s({{1, 1}, {true, true}}, 50e9, s) == 0.0);
}

TEST_CASE("Unequal sides wait for the longest in every phase") {
  // 8 x 2: phase 1: max(S/2 7/8, S/2 1/2) / 2b; phase 2: part 0 has S/2/8 left for the side of 2, part 1
  // S/2/2 for that of 8: max(S/16 1/2, S/4 7/8) / 2b.
  const double s = 1e9, b = 50e9;
  CHECK(torus_all_reduce_s({{8, 2}, {true, true}}, b, s) ==
        Approx(2.0 * (s / 2 * 7 / 8 + s / 4 * 7 / 8) / (2 * b)));
}

TEST_CASE("Every phase of a torus pays a step for each accelerator that it passes") {
  // 2 (3 + 3 + 3) steps of 1 us
  CHECK(torus_all_reduce_s({{4, 4, 4}, {true, true, true}}, 50e9, 0.0, 1e-6) == Approx(18e-6));
}

TEST_CASE("The exchange on a torus takes the steps of its links") {
  FabricSpec s = torus({4, 4, 4});
  const auto latency = [&] {
    return all_reduce(fabric(node(PcieTopology::direct, 4), 16, s), placement(16, 4), Bytes{1'000'000})
        .latency_s;
  };
  CHECK(latency() == Approx(30e-6));
  s.link.latency.value = Latency{3e-6};
  // launch + 2 (3 + 3 + 3) steps of 3 us
  CHECK(latency() == Approx(30e-6 + 54e-6));
}

TEST_CASE("A job on part of a pod gets a compact box that closes only where it spans the pod") {
  const TorusSlice half = torus_slice({16, 16, 16}, 64);
  CHECK(half.sides == std::vector<int>{4, 4, 4});
  CHECK(half.wraps == std::vector<bool>{false, false, false});
  const TorusSlice slab = torus_slice({4, 4, 16}, 64);
  CHECK(slab.sides == std::vector<int>{4, 4, 4});
  CHECK(slab.wraps == std::vector<bool>{true, true, false});
  CHECK(torus_slice({16, 16, 16}, 4096).wraps == std::vector<bool>{true, true, true});
  CHECK(torus_slice({4, 4, 4}, 1).sides == std::vector<int>{1, 1, 1});
  CHECK(torus_slice({4, 4}, 13).sides == std::vector<int>{4, 4});  // 13 and 14 accelerators need 16 places
}

TEST_CASE("all_reduce takes the torus where there is one") {
  const Fabric f = pod(16, {4, 4, 4});
  const AllReduce r = all_reduce(f, placement(16, 4), Bytes{1'000'000'000});
  // 0.92 of 50 GB/s
  CHECK(r.network_s == Approx(2.0 * 63.0 / 64.0 * 1e9 / (6.0 * 46e9)));
  CHECK(r.bottleneck == "links of the torus, 4 x 4 x 4 accelerators (46.0 GB/s each)");
  CHECK(all_reduce(f, placement(1, 1), Bytes{1'000'000'000}).seconds == 0.0);
}

}  // namespace
}  // namespace fleetsim
