// Keys of the room beyond price of energy and racks, and of power limits.
#include "scenarios/loader/schema_parts.hpp"

#include "scenarios/loader/sections.hpp"

namespace fleetsim::schema_parts {

void pool_limit_keys(Keys& k) {
  k.push_back(key("fleet.*.gpu_power_limit", K::power,
                  "most power of one GPU, below its board power; none when left out", "280 W")
                  .in(above_to(Watts{0.0}, kStrongest)));
}

void facility_keys(Keys& k) {
  std::vector<std::string> rooms;
  for (const auto& [word, meaning] : room_words()) rooms.push_back(word);
  k.push_back(key("site.room", K::word, "kind of room; desktops stand in an office", "office")
                  .one_of(rooms)
                  .otherwise("datacentre"));
  k.push_back(
      key("site.circuits", K::section, "electric circuits that feed the nodes; not checked when left out"));
  k.push_back(
      key("site.circuits.volts", K::number, "voltage of a circuit", "230").in(between(50.0, 1000.0)).must());
  k.push_back(
      key("site.circuits.amperes", K::number, "rating of its fuse", "16").in(between(1.0, 1000.0)).must());
  k.push_back(key("site.circuits.count", K::integer, "circuits of the room", "2")
                  .in(between<Count>(1, 10'000))
                  .otherwise("1"));
  k.push_back(
      key("site.circuits.continuous", K::ratio, "share of the rating that a load of hours may take", "0.8")
          .in(above_to(0.0, 1.0))
          .otherwise("0.8"));
  k.push_back(key("site.cooling_capacity", K::power,
                  "heat that the cooling takes away; no limit when left out", "10 kW")
                  .in(above_to(Watts{0.0}, kStrongest)));
}

}  // namespace fleetsim::schema_parts
