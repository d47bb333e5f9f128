// Where the budget buys more than the room takes.
#include "sim/facility/room_fleets.hpp"

#include "machines.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::facility;

namespace {

/// Nodes of 1 kW and of 2 kW, PUE 1.
Scenario two_pools(double limit) {
  Scenario scenario = fleet_of(machine(8, 100.0, 200.0));
  NodePool large = scenario.pools[0];
  large.name = "large";
  large.node = machine(8, 200.0, 400.0);
  scenario.pools.push_back(large);
  scenario.site.pue = 1.0;
  scenario.site.power_limit = Watts{limit};
  return scenario;
}

using Fleets = std::vector<std::vector<int>>;

}  // namespace

TEST_CASE("a room that takes every fleet adds none") {
  const Fleets bought = {{4, 0}, {2, 1}, {0, 2}};
  CHECK(with_fleets_in_room(two_pools(4000.0), bought) == bought);
}

TEST_CASE("below fleets that the room refuses come the largest that it takes") {
  // 3 kW: 3 + 0 and 1 + 1; 0 + 1 lies below 1 + 1, 2 + 0 below 3 + 0
  const Fleets bought = {{4, 0}, {2, 1}, {0, 2}};
  CHECK(with_fleets_in_room(two_pools(3000.0), bought) == Fleets{{4, 0}, {2, 1}, {0, 2}, {1, 1}, {3, 0}});
  // what is taken already is not added again: 2 + 1 stays, and 4 + 0 has 3 + 0 below it
  CHECK(with_fleets_in_room(two_pools(4000.0), {{5, 0}, {2, 1}}) == Fleets{{5, 0}, {2, 1}, {4, 0}});
}

TEST_CASE("a room that takes no node at all adds none, and existing nodes stay") {
  const Fleets bought = {{4, 0}, {2, 1}};
  CHECK(with_fleets_in_room(two_pools(500.0), bought) == bought);
  // two nodes of 1 kW are there already: 3 kW leave no room for one of 2 kW
  Scenario scenario = two_pools(3000.0);
  scenario.pools[0].existing = true;
  CHECK(with_fleets_in_room(scenario, {{2, 3}}) == Fleets{{2, 3}, {2, 0}});
}
