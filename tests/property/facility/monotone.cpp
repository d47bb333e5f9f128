// What the search for fleets that fit a room relies on, over machines and rooms made at random.
#include <rapidcheck.h>

#include "sim/facility/facility.hpp"
#include "tests/catch.hpp"
#include "tests/unit/facility/machines.hpp"

using namespace fleetsim;
using namespace fleetsim::facility;

namespace {

/// Two pools in a room with limits of power, heat and racks.
Scenario any_room() {
  const auto watts = [](int low, int high) { return 10.0 * *rc::gen::inRange(low, high); };
  Scenario scenario = fleet_of(machine(*rc::gen::inRange(1, 9), watts(10, 60), watts(5, 80)));
  scenario.pools.push_back(scenario.pools[0]);
  scenario.pools[1].name = "other";
  scenario.pools[1].node = machine(*rc::gen::inRange(1, 9), watts(10, 60), watts(5, 80));
  for (NodePool& pool : scenario.pools) {
    pool.count = *rc::gen::inRange(0, 12);
    pool.node.rack_units = *rc::gen::inRange(1, 9);
  }
  scenario.site.pue = 1.0 + 0.1 * *rc::gen::inRange(0, 10);
  scenario.site.power_limit = Watts{watts(100, 6000)};
  scenario.site.facility.cooling_capacity = Watts{watts(100, 6000)};
  scenario.site.facility.racks = *rc::gen::inRange(1, 6);
  scenario.site.rack.power = Watts{watts(200, 2000)};
  scenario.site.inlet_temperature = Celsius{static_cast<double>(*rc::gen::inRange(15, 45))};
  return scenario;
}

}  // namespace

TEST_CASE("a fleet that is refused stays refused when nodes are added") {
  CHECK(rc::check([] {
    Scenario scenario = any_room();
    const bool before = rejection(scenario).empty();
    ++scenario.pools[static_cast<std::size_t>(*rc::gen::inRange(0, 2))].count;
    RC_ASSERT(before || !rejection(scenario).empty());
  }));
}

TEST_CASE("a power limit never makes the room refuse a fleet") {
  CHECK(rc::check([] {
    Scenario scenario = any_room();
    RC_PRE(rejection(scenario).empty());
    for (NodePool& pool : scenario.pools)
      pool.gpu_power_limit = pool.node.gpu.board_power.value * (0.01 * *rc::gen::inRange(20, 100));
    RC_ASSERT(rejection(scenario).empty());
  }));
}
