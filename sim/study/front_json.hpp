// Front <-> JSON. For .cpp files of the writers only.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/study/front.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json front_json(const Front& front);
/// Throws std::runtime_error with a sentence when the text is not that.
[[nodiscard]] Front front_from_json(const nlohmann::json& json);

}  // namespace fleetsim
