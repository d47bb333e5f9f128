// What holds for fabrics of every shape and size.
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/all_reduce.hpp"
#include "topology/bisection.hpp"
#include "topology/graph.hpp"
#include "topology/torus.hpp"

namespace fleetsim {
namespace {

using namespace test;

FabricSpec random_spec() {
  FabricSpec s =
      spec(*rc::gen::element(FabricShape::single_switch, FabricShape::leaf_spine, FabricShape::fat_tree,
                             FabricShape::superpod, FabricShape::torus),
           network(*rc::gen::inRange(2, 20)), *rc::gen::inRange(1, 5), *rc::gen::inRange(2, 7) / 2.0);
  if (s.shape == FabricShape::fat_tree) s.levels = *rc::gen::element(0, 2, 3);
  if (s.shape == FabricShape::superpod) s.su_nodes = *rc::gen::inRange(0, 8);
  if (s.shape == FabricShape::torus) {
    s.dimensions = *rc::gen::element(std::vector<int>{}, std::vector<int>{0, 0}, std::vector<int>{4, 4, 8},
                                     std::vector<int>{8, 6}, std::vector<int>{2, 2, 6});
  }
  return s;
}

TEST_CASE("Every plan is what its graph counts, and no switch has more cables than ports") {
  CHECK(rc::check([] {
    const FabricSpec s = random_spec();
    const int nodes = *rc::gen::inRange(1, 150), gpus = *rc::gen::element(1, 2, 4);
    const NodeType n = node(PcieTopology::direct, gpus);
    const FabricPlan plan = plan_fabric(s, nodes, gpus);
    if (!plan.problem.empty()) {
      RC_ASSERT_THROWS_AS(fabric(n, nodes, s), std::invalid_argument);
      return;
    }
    const Fabric f = fabric(n, nodes, s);
    RC_ASSERT(f.counts() == plan.counts);
    const Fabric::Graph& g = f.graph();
    for (const auto* level : {&g.leaves, &g.spines, &g.cores}) {
      for (const VertexId v : *level) {
        int used = 0;
        for (auto [e, end] = boost::out_edges(v, g.wiring); e != end; ++e) used += g.wiring[*e].cables;
        RC_ASSERT(used > 0);
        RC_ASSERT(used <= s.link.switch_ports);
      }
    }
  }));
}

TEST_CASE("No count of switches falls when a node is added, and what is too large stays too large") {
  CHECK(rc::check([] {
    FabricSpec s = random_spec();
    int before = 0;
    bool wired = true;
    for (int nodes = 1; nodes <= 400; ++nodes) {
      const FabricPlan plan = plan_fabric(s, nodes, 1);
      RC_ASSERT(wired || !plan.problem.empty());
      wired = plan.problem.empty();
      if (!wired) continue;
      RC_ASSERT(plan.counts.switches() >= before);
      before = plan.counts.switches();
    }
  }));
}

TEST_CASE("Any two nodes of any shape have a way, without a loop, there and back of one length") {
  CHECK(rc::check([] {
    const FabricSpec s = random_spec();
    const int nodes = *rc::gen::inRange(2, 100);
    RC_PRE(plan_fabric(s, nodes, 2).problem.empty());
    const Fabric f = fabric(node(PcieTopology::direct, 2), nodes, s);
    const Fabric::Graph& g = f.graph();
    const int a = *rc::gen::inRange(0, nodes), b = *rc::gen::inRange(0, nodes);
    RC_PRE(a != b);
    const bool torus = s.shape == FabricShape::torus;
    const std::size_t ends = torus ? 2 : g.nodes[a].nics.size();
    const std::size_t r = *rc::gen::inRange<std::size_t>(0, ends),
                      q = *rc::gen::inRange<std::size_t>(0, ends);
    const VertexId from = torus ? g.nodes[a].gpus[r] : g.nodes[a].nics[r];
    const VertexId to = torus ? g.nodes[b].gpus[q] : g.nodes[b].nics[q];
    const std::vector<EdgeId> way = route(g, from, to, nullptr);
    RC_ASSERT(boost::source(way.front(), g.wiring) == from);
    RC_ASSERT(boost::target(way.back(), g.wiring) == to);
    std::set<VertexId> passed{from};
    for (const EdgeId e : way) RC_ASSERT(passed.insert(boost::target(e, g.wiring)).second);
    RC_ASSERT(route(g, to, from, nullptr).size() == way.size());
  }));
}

TEST_CASE("Communication never drops as nodes are added, whatever joins them") {
  CHECK(rc::check([] {
    FabricSpec s = random_spec();
    RC_PRE(s.shape != FabricShape::torus);  // a slice that closes a ring is faster, below
    const int most = *rc::gen::inRange(2, 60);
    RC_PRE(plan_fabric(s, most, 2).problem.empty());
    const Fabric f = fabric(node(PcieTopology::dual_root, 2), most, s);
    double before = 0.0;
    for (int nodes = 1; nodes <= most; ++nodes) {
      const double now = all_reduce(f, placement(nodes, 2), Bytes{300'000'000}, 12).seconds;
      RC_ASSERT(now >= before);
      before = now;
    }
  }));
}

TEST_CASE("Communication on a torus never drops as its longest side grows") {
  CHECK(rc::check([] {
    const int x = *rc::gen::inRange(1, 6), y = *rc::gen::inRange(1, 6);
    // A short side that grows makes the box more cubic, which uses more links: that is faster.
    const bool closed = *rc::gen::arbitrary<bool>();
    double before = 0.0;
    for (int z = std::max({x, y, 2}); z < 20; ++z) {
      const double now = torus_all_reduce_s({{x, y, z}, {closed, closed, false}}, 50e9, 1e9, 1e-6);
      RC_ASSERT(now >= before * (1 - 1e-12));
      before = now;
    }
  }));
}

TEST_CASE("The bisection is never more than the adapters of half the nodes, and grows with the link") {
  CHECK(rc::check([] {
    FabricSpec s = random_spec();
    const int nodes = *rc::gen::inRange(2, 80);
    RC_PRE(plan_fabric(s, nodes, 2).problem.empty());
    const NodeType n = node(PcieTopology::direct, 2);
    const double slow = bisection_bandwidth(fabric(n, nodes, s));
    RC_ASSERT(slow > 0.0);
    if (s.shape != FabricShape::torus) RC_ASSERT(slow <= nodes / 2 * s.adapters_per_node * 12.5e9 + 1.0);
    s.link.usable_rate.value = s.link.usable_rate.value * 2.0;
    RC_ASSERT(std::abs(bisection_bandwidth(fabric(n, nodes, s)) - 2.0 * slow) < 2.0);
  }));
}

}  // namespace
}  // namespace fleetsim
