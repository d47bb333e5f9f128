// Findings of the room and the rules as JSON, the same in every file and on the screen.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sim/facility/facility.hpp"

namespace fleetsim {

/// {severity, check, place, figure, limit, message, remedy}.
[[nodiscard]] nlohmann::json finding_json(const facility::Finding& finding);
[[nodiscard]] nlohmann::json findings_json(const std::vector<facility::Finding>& findings);
/// Back again. Throws std::runtime_error when `json` is not such a list.
[[nodiscard]] std::vector<facility::Finding> findings_from_json(const nlohmann::json& json);

}  // namespace fleetsim
