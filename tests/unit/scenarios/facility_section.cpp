// Keys of the room and of power limits: what they mean, what is refused, what the canonical text keeps.
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

const std::string kHead =
    "name: small\n"
    "fleet: {box: {node: desktop-4x-rtx3090, gpu_power_limit: 280 W}, counts: {box: 2}}\n"
    "workload: {classes: {job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}}}\n";

Scenario scenario_of(const std::string& text) {
  return loaded(text).scenario;
}

std::string said(const std::string& text) {
  std::string all;
  for (const std::string& message : load_text(text, {}).messages) all += message + "\n";
  return all;
}

}  // namespace

TEST_CASE("the room's keys load to what they say, and the canonical text says them again") {
  const std::string text =
      kHead +
      "site: {room: office, circuits: {volts: 120, amperes: 15, count: 3, continuous: 90 %}, "
      "cooling_capacity: 5 kW, rack: {count: 2}}\n";
  const Scenario s = scenario_of(text);
  CHECK(s.pools[0].gpu_power_limit == Watts{280.0});
  const FacilitySpec& f = s.site.facility;
  CHECK(f.room == RoomKind::office);
  REQUIRE(f.circuit);
  CHECK(f.circuit->volts == 120.0);
  CHECK(f.circuit->amperes == 15.0);
  CHECK(f.circuit->count == 3);
  CHECK(f.circuit->continuous == 0.9);
  CHECK(f.cooling_capacity == Watts{5000.0});
  CHECK(f.racks == 2);
  CHECK(s.not_evaluated.empty());
  const std::string canonical = dump_scenario(s);
  CHECK(dump_scenario(scenario_of(canonical)) == canonical);
  CHECK_THAT(canonical, Catch::Contains("gpu_power_limit: 280 W"));
}

TEST_CASE("a file without the room's keys has the canonical text of before") {
  const std::string plain = dump_scenario(scenario_of(lab_text()));
  for (const char* key : {"room:", "circuits", "cooling_capacity", "count: 0", "gpu_power_limit"})
    CHECK(plain.find(key) == std::string::npos);
  // defaults are written out
  CHECK_THAT(plain, Catch::Contains("  inlet_temperature: 22 C\n  geforce_in_datacentre: waived\n"));
  const Scenario silent = scenario_of(kHead);
  CHECK_THAT(dump_scenario(silent), Catch::Contains("  inlet_temperature: 22 C\n"));
  CHECK(silent.site.facility.circuit == std::nullopt);
}

TEST_CASE("what no room has is refused in a sentence") {
  CHECK_THAT(said(kHead + "site: {circuits: {volts: 230}}\n"), Catch::Contains("amperes"));
  CHECK_THAT(said(kHead + "site: {circuits: {volts: 5, amperes: 16}}\n"), Catch::Contains("at least 50"));
  CHECK_THAT(said(kHead + "site: {circuits: {volts: 230, amperes: 16, continuous: 120 %}}\n"),
             Catch::Contains("continuous"));
  CHECK_THAT(said(kHead + "site: {room: cellar}\n"), Catch::Contains("cellar"));
  CHECK_THAT(said(kHead + "site: {cooling_capacity: 0 W}\n"), Catch::Contains("cooling_capacity"));
  std::string high = kHead;
  high.replace(high.find("280 W"), 5, "350 W");
  CHECK_THAT(said(high), Catch::Contains("draws 350 W at most, so this limits nothing"));
}
