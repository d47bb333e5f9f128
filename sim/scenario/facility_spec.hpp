// What the `site` section says beyond price of energy: kind of room, circuits, cooling, carbon. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"

namespace fleetsim {

enum class RoomKind { datacentre, office };

/// Electric circuits of an office: what one fuse carries, and how many there are.
struct CircuitSpec {
  double volts = 230.0;
  double amperes = 16.0;
  int count = 1;
  double continuous = 0.8;  ///< share of the rating that a load of hours may take
};

/// Carbon of energy and of making the hardware.
struct CarbonSpec {
  std::vector<double> grid_kg_per_kwh;  ///< one value, or 24 by hour of the day; empty: not asked for
  std::string source, as_of;
};

struct FacilitySpec {
  RoomKind room = RoomKind::datacentre;
  std::optional<CircuitSpec> circuit;
  std::optional<Watts> cooling_capacity;  ///< heat that the room can take away
  int racks = 0;                          ///< that stand in the room or fit it; 0: as many as it takes
  /// The file names the key, so the canonical text does too, although the value is the default.
  bool inlet_is_written = false, licence_is_written = false;
  CarbonSpec carbon;
};

}  // namespace fleetsim
