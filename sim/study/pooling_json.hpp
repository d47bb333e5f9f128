// Pooling <-> JSON. For .cpp files of the writers only.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/study/pooling.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json pooling_json(const Pooling& pooling);
/// Throws std::runtime_error with a sentence when the text is not that.
[[nodiscard]] Pooling pooling_from_json(const nlohmann::json& json);

}  // namespace fleetsim
