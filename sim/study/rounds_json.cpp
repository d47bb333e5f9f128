#include "sim/study/rounds_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fleetsim {

using Json = nlohmann::json;

namespace {

/// Counts are never negative, nor fractions.
template <class Whole>
Whole count(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned() && !(value.is_number_integer() && value.get<std::int64_t>() >= 0))
    throw std::runtime_error(fmt::format("not the rounds of a study: {} is {}", key, value.dump()));
  return value.get<Whole>();
}

}  // namespace

Json rounds_json(const RoundsSummary& r) {
  Json rounds = Json::array();
  for (const RoundsSummary::Round& one : r.rounds)
    rounds.push_back({{"candidates", one.candidates}, {"runs", one.runs}, {"up_to", one.up_to}});
  return {{"rounds", std::move(rounds)},
          {"first_replications", r.first},
          {"max_replications", r.cap},
          {"confidence", r.confidence},
          {"comparison_error", r.comparison_error},
          {"runs", r.runs},
          {"runs_exhaustive", r.exhaustive},
          {"not_simulated", r.not_simulated},
          {"decided", r.decided},
          {"guarantee", r.guarantee}};
}

RoundsSummary rounds_from_json(const Json& json) {
  try {
    RoundsSummary r;
    for (const Json& one : json.at("rounds"))
      r.rounds.push_back(
          {count<int>(one, "candidates"), count<std::int64_t>(one, "runs"), count<int>(one, "up_to")});
    r.first = count<int>(json, "first_replications");
    r.cap = count<int>(json, "max_replications");
    r.confidence = json.at("confidence").get<double>();
    r.comparison_error = json.at("comparison_error").get<double>();
    r.runs = count<std::int64_t>(json, "runs");
    r.exhaustive = count<std::int64_t>(json, "runs_exhaustive");
    r.not_simulated = count<int>(json, "not_simulated");
    r.decided = json.at("decided").get<bool>();
    r.guarantee = json.at("guarantee").get<std::string>();
    return r;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not the rounds of a study: {}", e.what()));
  }
}

}  // namespace fleetsim
