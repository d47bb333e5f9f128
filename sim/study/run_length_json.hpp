// Warm-up and precision as JSON, the same in study.json and result.json.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/study/run_length.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json warm_up_json(const WarmUpFound& found);
/// `reached` is null where there is no interval.
[[nodiscard]] nlohmann::json precision_json(const PrecisionReached& reached);

}  // namespace fleetsim
