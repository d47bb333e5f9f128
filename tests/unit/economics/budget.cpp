// A budget becomes whole nodes: one split, and all maximal fleets.
#include "fixture.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;
using Fleets = std::vector<std::vector<int>>;

TEST_CASE("300,000 USD buy twelve maximal fleets, by ascending share of the 3090 nodes") {
  // e.g. 13 x 16062 + 3 x 26062 = 286,992 of 288,000 = 300,000 - 12,000; 14 + 3 and 13 + 4 are too dear
  const Fleets expected = {{17, 0}, {16, 1}, {14, 2}, {13, 3}, {11, 4}, {9, 5},
                           {8, 6},  {6, 7},  {4, 8},  {3, 9},  {1, 10}, {0, 11}};
  CHECK(maximal_fleets(lab()) == expected);
}

TEST_CASE("one pool has one maximal fleet") {
  Scenario scenario = lab();
  scenario.pools.resize(1);
  // floor(288000 / 16062)
  CHECK(maximal_fleets(scenario) == Fleets{{17}});
}

TEST_CASE("three pools: every mix to which no node can be added") {
  Scenario scenario = lab();
  scenario.pools.push_back({"third", rtx3080(), 0});
  scenario.pools[2].node.price_parts = {{"whole node", 1, sourced(usd(49130L))}};  // 50,000 with its adapter
  scenario.budget = usd(80000L);
  // node money 68,000: a x 16062 + b x 26062 + c x 50000 <= 68000
  // c = 0: 4+0 (64248), 2+1 (58186), 0+2 (52124), not 1+1 or less; 1+2: 68186 is too dear
  // c = 1: 18000 left: 1+0 (66062); 0+0 is not maximal
  const Fleets expected = {{0, 2, 0}, {2, 1, 0}, {4, 0, 0}, {1, 0, 1}};
  CHECK(maximal_fleets(scenario) == expected);
}

TEST_CASE("a budget below one node and its fixed costs has no fleet") {
  Scenario scenario = lab();
  scenario.budget = usd(28061L);  // 16062 + 12000 = 28062
  CHECK(maximal_fleets(scenario).empty());
  CHECK(resolve(scenario).problems.size() == 1);
  scenario.budget = usd(28062L);
  CHECK(maximal_fleets(scenario) == Fleets{{1, 0}});
  CHECK(resolve(scenario).counts == std::vector<int>{1, 0});
  CHECK(resolve(scenario).problems.empty());
}

TEST_CASE("fixed costs grow with the fleet: the 37th node must also pay for leaves and spines") {
  Scenario scenario = lab();
  scenario.pools.resize(1);
  // 36 nodes: 36 x 16062 + 12000 = 590,232. 37 nodes: leaves 3, spines: 18 + 18 + 1 = 37 > 36, so 2; 5
  // switches: 37 x 16062 + 5 x 8000 + 4000 = 638,294
  scenario.budget = usd(638293L);
  CHECK(maximal_fleets(scenario) == Fleets{{36}});
  scenario.budget = usd(638294L);
  CHECK(maximal_fleets(scenario) == Fleets{{37}});
}

TEST_CASE("a single switch has no more nodes than ports") {
  Scenario scenario = lab();
  scenario.pools.resize(1);
  scenario.fabric.shape = FabricShape::single_switch;
  scenario.budget = usd(10'000'000L);
  CHECK(maximal_fleets(scenario) == Fleets{{36}});
  scenario.request = {};
  CHECK(resolve(scenario).counts == std::vector<int>{36});
}

TEST_CASE("27 percent for the 3090 nodes is thirteen and three") {
  const Resolved resolved = resolve(lab());
  // floor(0.73 x 288000 / 16062) = 13, floor(0.27 x 288000 / 26062) = 2; 27,070 left; the 3090 pool lacks
  // 25,636, the other 1,434
  CHECK(resolved.counts == std::vector<int>{13, 3});
  // 300000 - 298992
  CHECK(resolved.unspent == usd(1008L));
  // 3 x 26062 / 286992
  CHECK(resolved.realised_share[1] == Approx(0.272433).epsilon(1e-5));
  CHECK(resolved.problems.empty());
}

TEST_CASE("66/34 spends what rounding each share down would leave over") {
  Scenario scenario = lab();
  scenario.request.share = {0.66, 0.34};
  // floor(190080 / 16062) = 11 and floor(97920 / 26062) = 3; 33,132 left, the 3090 pool lacks most: 11 + 4,
  // then 7,070
  const Resolved resolved = resolve(scenario);
  CHECK(resolved.counts == std::vector<int>{11, 4});
  CHECK(resolved.unspent == usd(7070L));
}

TEST_CASE("shares are of the capital less the fixed costs of the fleet that comes out") {
  Scenario scenario = lab();
  scenario.site.rack = {42, Watts{12000.0}, false};  // racks are bought: about one for three nodes
  const Resolved resolved = resolve(scenario);
  scenario = with_counts(scenario, resolved.counts);
  const Bill bill = bill_of_materials(scenario);
  CHECK(bill.total + resolved.unspent == scenario.budget);
  // 13 + 3 needs 6 racks: 286992 + 8000 + 1500 + 6 x 2500 = 311,492 is too dear; 12 + 3 takes 5:
  // 12 x 16062 + 3 x 26062 + 9500 + 5 x 2500 = 292,930
  CHECK(resolved.counts == std::vector<int>{12, 3});
}

TEST_CASE("counts that were asked for are kept, and a fleet above the budget is named") {
  const Resolved fine = resolve(with_counts(lab(), {11, 3}));
  CHECK(fine.counts == std::vector<int>{11, 3});
  // 288000 - 11 x 16062 - 3 x 26062
  CHECK(fine.unspent == usd(33132L));
  const Resolved dear = resolve(with_counts(lab(), {20, 3}));
  CHECK(dear.counts == std::vector<int>{20, 3});
  REQUIRE(dear.problems.size() == 1);
  // 20 x 16062 + 3 x 26062 + 12000 = 411,426
  CHECK(dear.problems[0] == "the fleet costs 411,426 USD, which is 111,426 USD more than the budget");
  CHECK(dear.unspent == Money{});
}

TEST_CASE("an unpriced node cannot be bought from a budget") {
  Scenario scenario = lab();
  scenario.pools[0].node.price_parts.clear();
  CHECK_THROWS_AS(maximal_fleets(scenario), std::invalid_argument);
  CHECK(resolve(scenario).problems.size() == 1);
  CHECK(resolve(scenario).counts == std::vector<int>{0, 0});
}
