// Price robustness <-> JSON, the same text in study.json and in the dossier. For .cpp files of the writers
// only.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/study/price_robustness.hpp"

namespace fleetsim {

/// Shares of draws are ratios from 0 to 1, money is USD; `flips` has a row for each flip and, with flips_at
/// null, for each quantity that does not flip within its range.
[[nodiscard]] nlohmann::json prices_json(const PriceRobustness& prices);
/// Throws std::runtime_error with a sentence when the JSON is not what prices_json writes.
[[nodiscard]] PriceRobustness prices_from_json(const nlohmann::json& json);

}  // namespace fleetsim
