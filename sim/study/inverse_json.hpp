// The answers of questions turned round in study.json and in the dossier.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/study/carried_demand.hpp"
#include "sim/study/least_fleet.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json most_demand_json(const MostDemand& most);
/// Throws std::runtime_error with a sentence when the JSON is none.
[[nodiscard]] MostDemand most_demand_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json least_fleets_json(const std::vector<LeastFleet>& least);
/// Throws std::runtime_error with a sentence when the JSON is none.
[[nodiscard]] std::vector<LeastFleet> least_fleets_from_json(const nlohmann::json& json);

}  // namespace fleetsim
