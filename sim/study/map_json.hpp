// The map of a study <-> JSON, the same text in study.json and in the dossier; and as CSV. For .cpp files of
// the writers only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/study/study_map.hpp"

namespace fleetsim {

/// Shares, s and load are ratios; an undefined number is null.
[[nodiscard]] nlohmann::json map_json(const StudyMap& map);
/// Throws std::runtime_error with a sentence when the JSON is not what map_json writes.
[[nodiscard]] StudyMap map_from_json(const nlohmann::json& json);

/// One row a cell, sharing rule and k, one header line: a column an axis, then what the row found; lists are
/// joined by "; ", undefined numbers are empty.
[[nodiscard]] std::string map_csv(const StudyMap& map);

}  // namespace fleetsim
