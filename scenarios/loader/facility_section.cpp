// What the site section says of the room: its kind, circuits, cooling, air, licence; and power limits of
// pools.
#include <fmt/format.h>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

namespace {

void read_circuits(Reader& site, FacilitySpec& facility) {
  auto section = site.find("circuits");
  if (!section || !section->expect_map()) return;
  CircuitSpec circuit;
  static_cast<void>(section->require("volts"));
  static_cast<void>(section->require("amperes"));
  if (const auto volts = section->number("volts")) circuit.volts = *volts;
  if (const auto amperes = section->number("amperes")) circuit.amperes = *amperes;
  if (const auto count = section->integer("count")) circuit.count = static_cast<int>(*count);
  if (const auto share = section->ratio("continuous")) circuit.continuous = *share;
  section->finish();
  facility.circuit = circuit;
}

}  // namespace

const Words<RoomKind>& room_words() {
  static const Words<RoomKind> words = {{"datacentre", RoomKind::datacentre}, {"office", RoomKind::office}};
  return words;
}

void read_facility(Reader& site, Site& s) {
  FacilitySpec& facility = s.facility;
  if (const auto room = site.word("room", room_words())) facility.room = *room;
  read_circuits(site, facility);
  if (const auto capacity = site.power("cooling_capacity")) facility.cooling_capacity = *capacity;
  facility.inlet_is_written = site.has("inlet_temperature");
  facility.licence_is_written = site.has("geforce_in_datacentre");
}

void read_power_limit(Reader& reader, NodePool& pool) {
  const auto limit = reader.power("gpu_power_limit");
  if (!limit) return;
  const Watts board = pool.node.gpu.board_power.value;
  if (board > Watts{} && *limit >= board) {
    reader.find("gpu_power_limit")
        ->error(
            fmt::format("a {} draws {} at most, so this limits nothing", pool.node.gpu.title, to_text(board)),
            "a smaller limit, or none");
    return;
  }
  pool.gpu_power_limit = *limit;
}

std::string facility_text(const Site& site) {
  const FacilitySpec& f = site.facility;
  std::string text;
  if (f.inlet_is_written) text += fmt::format("  inlet_temperature: {}\n", to_text(site.inlet_temperature));
  if (f.licence_is_written)
    text +=
        fmt::format("  geforce_in_datacentre: {}\n", word_of(geforce_words(), site.geforce_in_datacentre));
  if (f.room != RoomKind::datacentre) text += fmt::format("  room: {}\n", word_of(room_words(), f.room));
  if (f.circuit)
    text += fmt::format("  circuits: {{volts: {}, amperes: {}, count: {}, continuous: {}}}\n",
                        f.circuit->volts, f.circuit->amperes, f.circuit->count, f.circuit->continuous);
  if (f.cooling_capacity) text += fmt::format("  cooling_capacity: {}\n", to_text(*f.cooling_capacity));
  return text;
}

}  // namespace fleetsim
