// How a summary looks in result.json and study.json. For .cpp files of the writers only.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/study/study.hpp"

namespace fleetsim {

[[nodiscard]] inline nlohmann::json summary_json(const Summary& s) {
  return {
      {"mean", s.mean}, {"ci95_low", s.ci95_low}, {"ci95_high", s.ci95_high}, {"n", s.n}, {"unit", s.unit}};
}

[[nodiscard]] inline nlohmann::json summary_json(const std::map<std::string, Summary>& metrics) {
  nlohmann::json j = nlohmann::json::object();
  for (const auto& [name, summary] : metrics) j[name] = summary_json(summary);
  return j;
}

}  // namespace fleetsim
