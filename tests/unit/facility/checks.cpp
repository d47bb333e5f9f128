// Each check at its border.
#include "machines.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::facility;

TEST_CASE("four RTX 3090 are too much for one supply of 1600 W, four RTX 3080 are not") {
  const auto with = [](double board, double rating) {
    NodeType node = machine(4, board, 200.0);
    node.supplies = {1, 0, exactly(Watts{rating})};
    return found(fleet_of(node), "power-supply");
  };
  // 4 x 350 + 200 = 1600 W > 1600 x 1600/1700 = 1505.9 W; at most the rating, so it runs: soft
  CHECK(with(350.0, 1600.0) == Found{"soft fleet.pool"});
  // 4 x 320 + 200 = 1480 W
  CHECK(with(320.0, 1600.0).empty());
  // 1600 W x 1700/1600 = 1700 W is just enough
  CHECK(with(350.0, 1700.0).empty());
  CHECK(with(350.0, 1699.0) == Found{"soft fleet.pool"});
  // more than the rating: hard
  CHECK(with(350.0, 1599.0) == Found{"hard fleet.pool"});
}

TEST_CASE("redundant supplies must carry the node when they have failed") {
  NodeType node = machine(8, 320.0, 550.0);  // 3110 W
  // (4 - 2) x 1700 W x 1600/1700 = 3200 W
  node.supplies = {4, 2, exactly(Watts{1700.0})};
  CHECK(found(fleet_of(node), "power-supply").empty());
  // (4 - 2) x 1600 W x 1600/1700 = 3012 W: soft, all four carry 6400 W
  node.supplies.rating = exactly(Watts{1600.0});
  CHECK(found(fleet_of(node), "power-supply") == Found{"soft fleet.pool"});
  // 4 x 700 W = 2800 W
  node.supplies.rating = exactly(Watts{700.0});
  CHECK(found(fleet_of(node), "power-supply") == Found{"hard fleet.pool"});
  // an estimate whose low end is too small is told
  node.supplies.rating = {Watts{2000.0}, Watts{1600.0}, Watts{2200.0}, {"estimate", "2020-10", true, ""}};
  CHECK(found(fleet_of(node), "power-supply") == Found{"note fleet.pool"});
  // nothing known is told, too
  node.supplies = {};
  CHECK(found(fleet_of(node), "power-supply") == Found{"note fleet.pool"});
}

TEST_CASE("a power limit lowers what the supplies, racks, circuits and the meter see") {
  NodeType node = machine(4, 350.0, 200.0);
  node.supplies = {1, 0, exactly(Watts{1600.0})};
  Scenario scenario = fleet_of(node, 2);
  // 4 x 280 + 200 = 1320 W a node
  scenario.pools[0].gpu_power_limit = Watts{280.0};
  scenario.site.rack.power = Watts{1320.0};
  scenario.site.facility.circuit = CircuitSpec{120.0, 15.0, 2, 0.8};  // 1440 W each
  scenario.site.pue = 1.5;
  scenario.site.power_limit = Watts{2 * 1320.0 * 1.5};
  scenario.site.facility.cooling_capacity = Watts{2 * 1320.0};
  CHECK(rejection(scenario).empty());
  scenario.pools[0].gpu_power_limit = std::nullopt;
  CHECK(found(scenario, "rack") == Found{"hard fleet.pool"});
  CHECK(found(scenario, "circuit") == Found{"hard fleet.pool"});
  CHECK(found(scenario, "room-power") == Found{"hard site.power_limit"});
  CHECK(found(scenario, "room-cooling") == Found{"hard site.cooling_capacity"});
}

TEST_CASE("cards must fit the slots of board and case") {
  NodeType node = machine(4, 350.0, 200.0);
  node.gpu.slot_width = exactly(3);
  node.cards = {CardCooling::open_air, 0, 12, {}};
  // 4 x 3 = 12
  CHECK(found(fleet_of(node), "card-slots").empty());
  node.cards.slots = 11;
  CHECK(found(fleet_of(node), "card-slots") == Found{"hard fleet.pool"});
  // the two-slot version fits, and has to be ordered
  node.cards = {CardCooling::blower, 2, 8, {}};
  CHECK(found(fleet_of(node), "card-slots") == Found{"note fleet.pool"});
  node.cards.slots = 0;
  CHECK(found(fleet_of(node), "card-slots") == Found{"note fleet.pool"});
  // a module has no slot
  node.gpu.slot_width = exactly(0);
  node.cards = {};
  CHECK(found(fleet_of(node), "card-slots").empty());
}

TEST_CASE("cards that throttle are told, cards hotter than anything measured are refused") {
  NodeType node = machine(4, 350.0, 200.0);
  Scenario scenario = fleet_of(node);
  // 28 + 56 = 84 C, 28.1 + 56 > 84 C
  scenario.site.inlet_temperature = Celsius{28.0};
  CHECK(found(scenario, "card-heat").empty());
  scenario.site.inlet_temperature = Celsius{28.1};
  CHECK(found(scenario, "card-heat") == Found{"soft fleet.pool"});
  // 39.2 + 56 = 95.2 C, 39.3 + 56 = 95.3 C: the border is 84 + 0.3 / (0.08 / 3) = 95.25 C
  scenario.site.inlet_temperature = Celsius{39.2};
  CHECK(found(scenario, "card-heat") == Found{"soft fleet.pool"});
  scenario.site.inlet_temperature = Celsius{39.3};
  CHECK(found(scenario, "card-heat") == Found{"hard fleet.pool"});
  scenario.site.inlet_temperature = Celsius{22.0};
  scenario.pools[0].node.cards.cooling = CardCooling::unknown;
  CHECK(found(scenario, "card-heat") == Found{"note fleet.pool"});
}

TEST_CASE("a room limit is of the meter, not of the nodes") {
  // 10 x 3110 = 31.1 kW; x 1.5 = 46.65 kW
  Scenario scenario = fleet_of(machine(8, 320.0, 550.0), 10);
  scenario.site.pue = 1.5;
  scenario.site.power_limit = Watts{46650.0};
  CHECK(found(scenario, "room-power").empty());
  scenario.site.power_limit = Watts{46649.0};
  CHECK(found(scenario, "room-power") == Found{"hard site.power_limit"});
  CHECK(rejection(scenario).find("room-power: all nodes at load draw 31.10 kW x PUE 1.5 = 46.65 kW") == 0);
}

TEST_CASE("racks hold whole nodes, by units and by power") {
  // 3 x 3350 = 10.05 kW fit 12 kW, 4 x 3350 = 13.4 kW do not
  Scenario scenario = fleet_of(machine(8, 350.0, 550.0), 3);
  scenario.site.rack.power = Watts{12e3};
  scenario.site.facility.racks = 1;
  CHECK(found(scenario, "rack").empty());
  scenario.pools[0].count = 4;
  CHECK(found(scenario, "rack") == Found{"hard site.rack"});
  scenario.site.facility.racks = 2;
  CHECK(found(scenario, "rack").empty());
  // 11 x 4 U = 44 U > 42 U
  scenario.pools[0].count = 11;
  scenario.site.rack.power = Watts{100e3};
  scenario.site.facility.racks = 1;
  CHECK(found(scenario, "rack") == Found{"hard site.rack"});
  // without a number of racks there are as many as it takes
  scenario.site.facility.racks = 0;
  CHECK(found(scenario, "rack").empty());
  scenario.site.rack.units = 3;
  CHECK(found(scenario, "rack") == Found{"hard fleet.pool"});
}

TEST_CASE("a circuit carries volts x amperes x its continuous share") {
  // 230 x 16 x 0.8 = 2944 W; 2 x 1472 = 2944 W
  Scenario scenario = fleet_of(machine(4, 318.0, 200.0), 2);
  scenario.site.facility.room = RoomKind::office;
  scenario.site.facility.cooling_capacity = Watts{1e6};
  scenario.site.facility.circuit = CircuitSpec{230.0, 16.0, 1, 0.8};
  CHECK(found(scenario, "circuit").empty());
  scenario.pools[0].node.base_power_load = exactly(Watts{201.0});
  CHECK(found(scenario, "circuit") == Found{"hard site.circuits"});
  scenario.site.facility.circuit->count = 2;
  CHECK(found(scenario, "circuit").empty());
  scenario.site.facility.circuit.reset();
  CHECK(found(scenario, "circuit") == Found{"note site.circuits"});
}

TEST_CASE("the driver licence is hard where forbidden, a note where waived, nothing else") {
  NodeType node = machine(8, 320.0, 550.0);
  node.gpu.geforce_licence = true;
  Scenario scenario = fleet_of(node);
  scenario.site.geforce_in_datacentre = GeforceRule::forbidden;
  CHECK(found(scenario, "licence") == Found{"hard fleet.pool"});
  scenario.site.geforce_in_datacentre = GeforceRule::waived;
  CHECK(found(scenario, "licence") == Found{"note fleet.pool"});
  scenario.site.geforce_in_datacentre = GeforceRule::allowed;
  CHECK(found(scenario, "licence").empty());
  scenario.site.geforce_in_datacentre = GeforceRule::forbidden;
  scenario.site.facility.room = RoomKind::office;
  CHECK(found(scenario, "licence").empty());
  scenario.site.facility.room = RoomKind::datacentre;
  scenario.pools[0].node.gpu.geforce_licence = false;
  CHECK(found(scenario, "licence").empty());
}

TEST_CASE("a class that no GPU can hold is told, and no fleet is refused for it") {
  Scenario scenario = fleet_of(machine(8, 320.0, 550.0));
  JobClass large;
  large.name = "large";
  large.gpu_memory = Bytes{10'000'000'000};
  scenario.workload.classes = {large};
  CHECK(found(scenario, "gpu-memory").empty());
  scenario.workload.classes[0].gpu_memory = Bytes{10'000'000'001};
  CHECK(found(scenario, "gpu-memory") == Found{"soft workload.classes.large"});
  CHECK(rejection(scenario).empty());
}

TEST_CASE("empty pools and rented nodes are not looked at") {
  NodeType node = machine(8, 320.0, 550.0);
  node.supplies = {};
  CHECK(check(fleet_of(node, 0)).empty());
  node.price_parts.clear();
  node.cloud_rate = exactly(usd(1L));
  CHECK(check(fleet_of(node, 3)).empty());
}

TEST_CASE("hard findings come first, then soft ones, then notes, each in the order of the checks") {
  NodeType node = machine(8, 320.0, 550.0);
  node.supplies = {};                               // note
  node.cards = {CardCooling::open_air, 3, 20, {}};  // 24 slots in 20: hard; 22 + 70 = 92 C: soft
  node.gpu.geforce_licence = true;
  Scenario scenario = fleet_of(node);
  scenario.site.geforce_in_datacentre = GeforceRule::forbidden;
  std::vector<std::string> order;
  for (const Finding& f : check(scenario)) order.push_back(f.check);
  CHECK(order == Found{"card-slots", "licence", "card-heat", "power-supply"});
}
