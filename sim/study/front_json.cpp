#include "sim/study/front_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/study/json_values.hpp"

namespace fleetsim {

namespace {

using Json = nlohmann::json;

Json to_json(const FrontValue& v) {
  return {{"mean", number_json(v.mean)},
          {"ci95_low", number_json(v.low)},
          {"ci95_high", number_json(v.high)},
          {"n", v.n}};
}

FrontValue value_from(const Json& j) {
  FrontValue v;
  v.mean = number_from(j.at("mean"));
  v.low = number_from(j.at("ci95_low"));
  v.high = number_from(j.at("ci95_high"));
  open_ends(v.mean, v.low, v.high);
  v.n = j.at("n").get<int>();
  return v;
}

Json to_json(const FrontFleet& fleet) {
  return {{"candidate", fleet.candidate},
          {"label", fleet.label},
          {"standing", to_string(fleet.standing)},
          {"values", {to_json(fleet.values[0]), to_json(fleet.values[1])}},
          {"by", fleet.by},
          {"rivals", fleet.rivals},
          {"reason", fleet.reason}};
}

FrontStanding standing_from(const std::string& word) {
  for (const auto standing :
       {FrontStanding::on_front, FrontStanding::undecided, FrontStanding::dominated, FrontStanding::left_out})
    if (word == to_string(standing)) return standing;
  throw std::runtime_error(fmt::format("not the front of a study: '{}' is no standing", word));
}

FrontFleet fleet_from(const Json& j) {
  FrontFleet fleet;
  fleet.candidate = j.at("candidate").get<int>();
  fleet.label = j.at("label").get<std::string>();
  fleet.standing = standing_from(j.at("standing").get<std::string>());
  for (std::size_t q = 0; q < 2; ++q) fleet.values[q] = value_from(j.at("values").at(q));
  fleet.by = j.at("by").get<std::string>();
  fleet.rivals = j.at("rivals").get<int>();
  fleet.reason = j.at("reason").get<std::string>();
  return fleet;
}

}  // namespace

Json front_json(const Front& front) {
  Json axes = Json::array(), sharing = Json::array();
  for (const FrontAxis& axis : front.axes)
    axes.push_back({{"metric", axis.name},
                    {"unit", axis.unit},
                    {"larger_is_better", axis.larger_is_better},
                    {"exact", axis.exact}});
  for (const FrontOfRule& rule : front.rules) {
    Json fleets = Json::array();
    for (const FrontFleet& fleet : rule.fleets) fleets.push_back(to_json(fleet));
    sharing.push_back({{"sharing", to_string(rule.sharing)},
                       {"comparison_error", rule.comparison_error},
                       {"fleets", std::move(fleets)}});
  }
  return {{"axes", std::move(axes)},
          {"confidence", front.confidence},
          {"looks", front.looks},
          {"guarantee", front_guarantee(front)},
          {"sharing", std::move(sharing)}};
}

Front front_from_json(const Json& json) {
  try {
    Front front;
    for (std::size_t q = 0; q < 2; ++q) {
      const Json& axis = json.at("axes").at(q);
      front.axes[q] = {axis.at("metric").get<std::string>(), axis.at("unit").get<std::string>(),
                       axis.at("larger_is_better").get<bool>(), axis.at("exact").get<bool>()};
    }
    front.confidence = json.at("confidence").get<double>();
    front.looks = json.at("looks").get<int>();
    for (const Json& one : json.at("sharing")) {
      FrontOfRule& rule = front.rules.emplace_back();
      rule.sharing = sharing_from(one.at("sharing"), "the front of a study");
      rule.comparison_error = one.at("comparison_error").get<double>();
      for (const Json& fleet : one.at("fleets")) rule.fleets.push_back(fleet_from(fleet));
    }
    return front;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not the front of a study: {}", e.what()));
  }
}

}  // namespace fleetsim
