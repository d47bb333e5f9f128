// Rounds of a study <-> JSON. For .cpp files of the writers only.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/study/rounds_summary.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json rounds_json(const RoundsSummary& rounds);
/// Throws std::runtime_error with a sentence when the text is not that.
[[nodiscard]] RoundsSummary rounds_from_json(const nlohmann::json& json);

}  // namespace fleetsim
