// Credibility -> JSON, for study.json.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/study/credibility.hpp"

namespace fleetsim {

[[nodiscard]] nlohmann::json credibility_json(const Credibility& credibility);
/// The way back, for the dossier. Throws std::runtime_error with a sentence where it is none.
[[nodiscard]] Credibility credibility_of(const nlohmann::json& json);

}  // namespace fleetsim
