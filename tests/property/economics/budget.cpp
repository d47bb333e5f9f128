// What must hold for every price, budget and fabric.
#include <rapidcheck.h>
#include <algorithm>

#include "sim/economics/economics.hpp"
#include "sim/economics/fleet_cost.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

Scenario random_lab(int pools) {
  Scenario scenario = lab();
  scenario.pools.clear();
  for (int i = 0; i < pools; ++i) {
    NodeType node = rtx3080();
    node.name = "node" + std::to_string(i);
    node.rack_units = *rc::gen::inRange(1, 8);
    node.price_parts = {
        {"all of it", 1, sourced(usd(static_cast<std::int64_t>(*rc::gen::inRange(2000, 30000))))}};
    scenario.pools.push_back({"pool" + std::to_string(i), node, 0});
  }
  scenario.fabric.link.switch_ports = *rc::gen::inRange(4, 12);
  scenario.fabric.adapters_per_node = *rc::gen::inRange(1, 3);
  scenario.fabric.shape =
      *rc::gen::element(FabricShape::none, FabricShape::single_switch, FabricShape::leaf_spine,
                        FabricShape::fat_tree, FabricShape::superpod, FabricShape::torus);
  if (scenario.fabric.shape == FabricShape::torus) scenario.fabric.link.switch_ports = 0;
  scenario.site.rack = {42, Watts{*rc::gen::inRange(3000, 15000) * 1.0}, *rc::gen::arbitrary<bool>()};
  scenario.budget = usd(static_cast<std::int64_t>(*rc::gen::inRange(10000, 150000)));
  return scenario;
}

}  // namespace

TEST_CASE("counting switches in closed form gives what the graph counts") {
  CHECK(rc::check([] {
    FabricSpec spec;
    spec.shape = *rc::gen::element(FabricShape::none, FabricShape::single_switch, FabricShape::leaf_spine,
                                   FabricShape::fat_tree, FabricShape::superpod, FabricShape::torus);
    spec.link = edr();
    spec.link.switch_ports = *rc::gen::inRange(2, 41);
    if (spec.shape == FabricShape::torus) spec.link.switch_ports = 0;
    spec.adapters_per_node = *rc::gen::inRange(1, 5);
    spec.oversubscription = *rc::gen::inRange(2, 9) / 2.0;
    const int nodes = *rc::gen::inRange(0, 120);
    const NodeType node = rtx3080();
    const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), &node);
    const std::optional<FabricCounts> counted = fabric_counts(spec, nodes, node.gpus);
    if (!counted) {
      RC_ASSERT_THROWS_AS(Fabric::build(spec, all), std::invalid_argument);
    } else {
      RC_ASSERT(Fabric::build(spec, all).counts() == *counted);
    }
  }));
}

TEST_CASE("a bill is the sum of its lines and costs what the budget search believes") {
  CHECK(rc::check([] {
    Scenario scenario = random_lab(2);
    const std::vector<int> counts = {*rc::gen::inRange(0, 20), *rc::gen::inRange(0, 20)};
    scenario = with_counts(scenario, counts);
    const FleetCost cost(scenario);
    const std::optional<Money> fixed = cost.fixed_money(counts);
    RC_PRE(fixed.has_value());
    const Bill bill = bill_of_materials(scenario);
    Money sum;
    for (const BillLine& line : bill.lines) sum += line.total();
    RC_ASSERT(sum == bill.total);
    RC_ASSERT(bill.node_money + bill.fixed_money == bill.total);
    RC_ASSERT(bill.node_money == cost.node_money(counts));
    RC_ASSERT(bill.fixed_money == *fixed);
  }));
}

TEST_CASE("maximal fleets are those that a try of every fleet finds") {
  CHECK(rc::check([] {
    const int pools = *rc::gen::inRange(1, 4);
    const Scenario scenario = random_lab(pools);
    const FleetCost cost(scenario);
    std::vector<std::vector<int>> expected;
    std::vector<int> counts(static_cast<std::size_t>(pools), 0);
    // Odometer over all fleets that the capital could pay for if nothing but nodes cost money.
    for (;;) {
      if (cost.affordable(counts) && std::any_of(counts.begin(), counts.end(), [](int n) { return n > 0; })) {
        bool maximal = true;
        for (std::size_t i = 0; i < counts.size(); ++i) {
          ++counts[i];
          maximal = maximal && !cost.affordable(counts);
          --counts[i];
        }
        if (maximal) expected.push_back(counts);
      }
      std::size_t i = 0;
      while (i < counts.size() && ++counts[i] * cost.node_price(i).count() > scenario.budget.count())
        counts[i++] = 0;
      if (i == counts.size()) break;
    }
    std::vector<std::vector<int>> found = maximal_fleets(scenario);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    RC_ASSERT(found == expected);
  }));
}

TEST_CASE("a split always resolves to a maximal fleet") {
  CHECK(rc::check([] {
    Scenario scenario = random_lab(2);
    const double share = *rc::gen::inRange(0, 101) / 100.0;
    scenario.request.share = {1.0 - share, share};
    const std::vector<std::vector<int>> fleets = maximal_fleets(scenario);
    const Resolved resolved = resolve(scenario);
    if (fleets.empty()) {
      RC_ASSERT(resolved.problems.size() == 1u);
      return;
    }
    RC_ASSERT(resolved.problems.empty());
    RC_ASSERT(std::find(fleets.begin(), fleets.end(), resolved.counts) != fleets.end());
    RC_ASSERT(bill_of_materials(with_counts(scenario, resolved.counts)).total + resolved.unspent ==
              scenario.budget);
  }));
}

TEST_CASE("fixed costs never fall when a node is added") {
  CHECK(rc::check([] {
    const Scenario scenario = random_lab(3);
    std::vector<int> counts = {*rc::gen::inRange(0, 15), *rc::gen::inRange(0, 15), *rc::gen::inRange(0, 15)};
    const FleetCost cost(scenario);
    const std::optional<Money> before = cost.fixed_money(counts);
    ++counts[static_cast<std::size_t>(*rc::gen::inRange(0, 3))];
    const std::optional<Money> after = cost.fixed_money(counts);
    if (after) RC_ASSERT(before && *before <= *after);
  }));
}
