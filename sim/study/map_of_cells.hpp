// From the studies of single cells to the map, and from the map to where the rule holds.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// What the map keeps of a cell's study, whose limits are those of `spec`.
[[nodiscard]] MapCell cell_of(const StudySpec& spec, const StudyResult& study, std::vector<std::size_t> at);

/// Where the rule holds along the axis of s, for one sharing rule and k; empty where s is no axis, has one
/// value, or the study has other than two pools. `load`: of the scenario itself.
[[nodiscard]] std::optional<MapHolds> holds_along_s(const StudyMap& map, SharingRule sharing, double k,
                                                    double load);

/// Puts the map into the result of the base's study; its sentence takes the place of the first-order line's
/// in the verdict, which then names that line beside it.
void add_map(const Scenario& base, StudyMap map, StudyResult& study);

}  // namespace fleetsim
