// EnergyInfo <-> JSON. Private to the writers of the dossier.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/study/energy_info.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json energy_json(const EnergyInfo& info);
/// Throws std::runtime_error with a sentence when the text is not that.
[[nodiscard]] EnergyInfo energy_from_json(const nlohmann::json& json);

}  // namespace fleetsim
