// What `check` and `run` say about failures, checkpoints and growing demand; nothing for scenarios without.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/scenario.hpp"

namespace fleetsim::cli {

/// The best interval between checkpoints for each size of each class, beside the given one. May be empty.
[[nodiscard]] std::string checkpoint_text(const Scenario& scenario);
/// A list of the same; empty where the text is.
[[nodiscard]] nlohmann::ordered_json checkpoint_json(const Scenario& scenario);

/// When the figures of the offered load hold, where demand grows. May be empty.
[[nodiscard]] std::string growth_text(const Scenario& scenario);

}  // namespace fleetsim::cli
