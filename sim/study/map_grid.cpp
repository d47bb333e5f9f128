#include "sim/study/map_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fleetsim {

namespace {

bool varies(const StudyMap& map, int axis) {
  return axis >= 0 && map.axes[static_cast<std::size_t>(axis)].values.size() > 1;
}

/// `wished` where it varies, else the first that varies and is not `taken`; -1: none.
int pick(const StudyMap& map, int wished, int taken) {
  if (wished != taken && varies(map, wished)) return wished;
  for (int i = 0; i < static_cast<int>(map.axes.size()); ++i)
    if (i != taken && varies(map, i)) return i;
  return -1;
}

std::size_t extent(const StudyMap& map, int axis) {
  return axis < 0 ? 1 : map.axes[static_cast<std::size_t>(axis)].values.size();
}

std::size_t coordinate(const MapCell& cell, int axis) {
  return axis < 0 ? 0 : cell.at[static_cast<std::size_t>(axis)];
}

}  // namespace

std::vector<MapGrid> grids_of(const StudyMap& map) {
  // A load that varies keeps its place as y, so that s alone or load alone lies where readers look for it.
  const int load = load_axis(map);
  int x = pick(map, s_axis(map), -1);
  if (x == load && varies(map, load)) {
    const int other = pick(map, s_axis(map), load);
    if (other >= 0) x = other;
  }
  const int y = pick(map, load, x);
  std::vector<MapGrid> grids;
  std::vector<std::vector<std::size_t>> places;
  for (const MapCell& cell : map.cells) {
    std::vector<std::size_t> place = cell.at;
    for (const int axis : {x, y})
      if (axis >= 0) place[static_cast<std::size_t>(axis)] = 0;
    const auto known = std::find(places.begin(), places.end(), place);
    const auto i = static_cast<std::size_t>(known - places.begin());
    if (known == places.end()) {
      MapGrid grid{x, y, {}, {}};
      for (int a = 0; a < static_cast<int>(map.axes.size()); ++a)
        if (a != x && a != y && varies(map, a))
          grid.place += (grid.place.empty() ? "" : ", ") + value_text(map, a, coordinate(cell, a));
      grid.rows.assign(extent(map, y), std::vector<const MapCell*>(extent(map, x), nullptr));
      grids.push_back(std::move(grid));
      places.push_back(std::move(place));
    }
    grids[i].rows[coordinate(cell, y)][coordinate(cell, x)] = &cell;
  }
  return grids;
}

std::string value_text(const StudyMap& map, int axis, std::size_t value) {
  if (axis < 0) return {};
  const MapAxis& a = map.axes[static_cast<std::size_t>(axis)];
  return fmt::format("{} = {}", a.name, a.values[value]);
}

std::vector<SharingRule> rules_of(const StudyMap& map, SharingRule first) {
  std::vector<SharingRule> rules;
  for (const MapCell& cell : map.cells)
    for (const MapMeets& m : cell.meets)
      if (std::find(rules.begin(), rules.end(), m.sharing) == rules.end()) rules.push_back(m.sharing);
  std::stable_partition(rules.begin(), rules.end(), [&](SharingRule rule) { return rule == first; });
  return rules;
}

std::string shares_text(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  const std::string a = fmt::format("{:.0f}", 100.0 * low), b = fmt::format("{:.0f}", 100.0 * high);
  return a == b ? a : a + "-" + b;
}

std::string shares_text(const MapMeets& meets) {
  std::string text;
  for (std::size_t first = 0; first < meets.places.size();) {
    std::size_t last = first;
    while (last + 1 < meets.places.size() && meets.places[last + 1] == meets.places[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + shares_text(meets.shares[first], meets.shares[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace fleetsim
