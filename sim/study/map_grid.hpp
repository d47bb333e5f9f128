// A map as flat grids of cells, for tables and heat maps.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study_map.hpp"

namespace fleetsim {

/// All cells that differ on two axes alone.
struct MapGrid {
  int x = -1, y = -1;  ///< axes; -1: there is no such axis, and one column or row
  std::string place;   ///< values of the other axes, `rate=0.1 /day`; empty where there is nothing to say
  std::vector<std::vector<const MapCell*>> rows;  ///< by y, then by x, in the order of the axes' values
};

/// x is s where it varies, y the load; else the axes with most to say in the order of the scenario. One grid
/// for each point of the other axes. The cells are those of `map`, which must outlive the grids.
[[nodiscard]] std::vector<MapGrid> grids_of(const StudyMap& map);

/// `s = 20 %`; an empty text for axis -1.
[[nodiscard]] std::string value_text(const StudyMap& map, int axis, std::size_t value);

/// Sharing rules of the map, `first` before the others.
[[nodiscard]] std::vector<SharingRule> rules_of(const StudyMap& map, SharingRule first);

/// `27`, `19-37`: percent of shares; empty for an undefined one.
[[nodiscard]] std::string shares_text(double low, double high);
/// Of fleets that keep the limits: `19, 37-55` where all fleets of the rule from 37 to 55 do.
[[nodiscard]] std::string shares_text(const MapMeets& meets);

}  // namespace fleetsim
