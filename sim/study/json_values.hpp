// Values that JSON has no word for, as study.json and the dossier write and read them. For .cpp files of the
// writers only.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "sim/scenario.hpp"

namespace fleetsim {

/// A number; null where it is infinite or not one.
[[nodiscard]] inline nlohmann::json number_json(double x) {
  return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr);
}
[[nodiscard]] inline double number_from(const nlohmann::json& json,
                                        double otherwise = std::numeric_limits<double>::quiet_NaN()) {
  return json.is_null() ? otherwise : json.get<double>();
}

/// An interval of one replication is infinite, which reads as null: opened again where its middle is known.
inline void open_ends(double middle, double& low, double& high) {
  if (!std::isfinite(middle)) return;
  if (std::isnan(low)) low = -std::numeric_limits<double>::infinity();
  if (std::isnan(high)) high = std::numeric_limits<double>::infinity();
}

/// Throws std::runtime_error, which names `what` the JSON was read as, where there is no such rule.
[[nodiscard]] inline SharingRule sharing_from(const nlohmann::json& json, const std::string& what) {
  for (const SharingRule rule : kSharingRules)
    if (json.get<std::string>() == to_string(rule)) return rule;
  throw std::runtime_error(fmt::format("not {}: '{}' is no sharing rule", what, json.get<std::string>()));
}

}  // namespace fleetsim
