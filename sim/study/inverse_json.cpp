#include "sim/study/inverse_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "sim/study/json_values.hpp"

namespace fleetsim {

using Json = nlohmann::json;

namespace {

Json judged_json(const LimitsJudgement& judged) {
  return {{"limits", to_string(judged.keeps)}, {"reason", judged.reason}};
}

LimitsJudgement judged_from(const Json& j) {
  const std::string word = j.at("limits").get<std::string>();
  for (const Keeps keeps : {Keeps::surely, Keeps::open, Keeps::broken})
    if (word == to_string(keeps)) return {keeps, j.at("reason").get<std::string>()};
  throw std::runtime_error(fmt::format("not the answer of a study: '{}' says nothing of limits", word));
}

Json to_json(const MostDemand& most, const FleetDemand& fleet) {
  const std::size_t n = most.values.size(), kept = fleet.carried.kept, broken = fleet.carried.broken;
  Json judged = Json::array();
  for (const LimitsJudgement& one : fleet.judged) judged.push_back(judged_json(one));
  return {{"sharing", to_string(fleet.sharing)},
          {"fleet", fleet.fleet},
          {"place", fleet.place},
          {"judged", std::move(judged)},
          {"surely_carried", kept == 0 ? Json(nullptr) : Json(most.values[kept - 1])},
          {"surely_too_much", broken == 0 ? Json(nullptr) : Json(most.values[n - broken])},
          {"monotone", fleet.carried.monotone},
          {"answer", carried_text(most, fleet)}};
}

/// Surely carried and too much follow from the judgements.
FleetDemand fleet_from(const Json& j, std::size_t values) {
  FleetDemand fleet;
  fleet.sharing = sharing_from(j.at("sharing"), "the most demand of a study");
  fleet.fleet = j.at("fleet").get<std::string>();
  fleet.place = j.at("place").get<std::string>();
  std::vector<Keeps> keeping;
  for (const Json& one : j.at("judged")) {
    fleet.judged.push_back(judged_from(one));
    keeping.push_back(fleet.judged.back().keeps);
  }
  if (keeping.size() != values)
    throw std::runtime_error("not the most demand of a study: judgements and values differ in number");
  fleet.carried = carried_demand(keeping);
  return fleet;
}

Json priced_json(const PricedFleet& fleet) {
  if (fleet.fleet.empty()) return nullptr;
  Json j = judged_json(fleet.judged);
  j["fleet"] = fleet.fleet;
  j["capex_usd"] = to_usd(fleet.price);
  return j;
}

PricedFleet priced_from(const Json& j) {
  if (j.is_null()) return {};
  return {j.at("fleet").get<std::string>(), usd(j.at("capex_usd").get<double>()), judged_from(j)};
}

}  // namespace

Json most_demand_json(const MostDemand& most) {
  Json fleets = Json::array();
  for (const FleetDemand& fleet : most.fleets) fleets.push_back(to_json(most, fleet));
  return {{"axis", {{"path", most.path}, {"name", most.name}}},
          {"values", most.values},
          {"loads", most.loads},
          {"limits", most.limits},
          {"confidence", most.confidence},
          {"guarantee", most_demand_guarantee(most)},
          {"fleets", std::move(fleets)}};
}

MostDemand most_demand_from_json(const Json& json) {
  try {
    MostDemand most;
    most.path = json.at("axis").at("path").get<std::string>();
    most.name = json.at("axis").at("name").get<std::string>();
    most.values = json.at("values").get<std::vector<std::string>>();
    most.loads = json.at("loads").get<std::vector<double>>();
    most.limits = json.at("limits").get<std::vector<std::string>>();
    most.confidence = json.at("confidence").get<double>();
    for (const Json& one : json.at("fleets")) most.fleets.push_back(fleet_from(one, most.values.size()));
    return most;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not the most demand of a study: {}", e.what()));
  }
}

Json least_fleets_json(const std::vector<LeastFleet>& least) {
  Json all = Json::array();
  for (const LeastFleet& one : least) {
    Json smaller = Json::array();
    for (const PricedFleet& fleet : one.smaller) smaller.push_back(priced_json(fleet));
    all.push_back({{"sharing", to_string(one.sharing)},
                   {"by_mean", priced_json(one.by_mean)},
                   {"low", priced_json(one.low)},
                   {"high", priced_json(one.high)},
                   {"open", one.open},
                   {"fleets", one.fleets},
                   {"confidence", one.confidence},
                   {"one_node_less", std::move(smaller)},
                   {"answer", least_fleet_text(one)}});
  }
  return all;
}

std::vector<LeastFleet> least_fleets_from_json(const Json& json) {
  try {
    std::vector<LeastFleet> all;
    for (const Json& j : json) {
      LeastFleet& one = all.emplace_back();
      one.sharing = sharing_from(j.at("sharing"), "the least fleet of a study");
      one.by_mean = priced_from(j.at("by_mean"));
      one.low = priced_from(j.at("low"));
      one.high = priced_from(j.at("high"));
      one.open = j.at("open").get<int>();
      one.fleets = j.at("fleets").get<int>();
      one.confidence = j.at("confidence").get<double>();
      for (const Json& fleet : j.at("one_node_less")) one.smaller.push_back(priced_from(fleet));
    }
    return all;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not the least fleet of a study: {}", e.what()));
  }
}

}  // namespace fleetsim
