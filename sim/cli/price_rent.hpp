// Own or rent, as `fleetsim price` prints it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/scenario.hpp"

namespace fleetsim::cli {

/// The lines of the text.
[[nodiscard]] std::string own_or_rent_text(const Scenario& scenario, double utilisation);

/// Adds `own_or_rent` to the JSON: an object, or null and then `own_or_rent_reason`.
void add_own_or_rent(nlohmann::json& out, const Scenario& scenario, double utilisation);

}  // namespace fleetsim::cli
