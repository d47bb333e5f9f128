// The economics part of a dossier as JSON. Private to the room.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/study/dossier.hpp"

namespace fleetsim {

/// Adds the key `economics` to the object of a dossier where the scenario asks for any of it.
void write_economics(const Dossier& dossier, nlohmann::json& object);
/// Reads it back; a dossier without the key asks for nothing. Throws std::runtime_error with a sentence.
void read_economics(const nlohmann::json& object, Dossier& dossier);

}  // namespace fleetsim
