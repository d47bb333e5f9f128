#include "sim/study/map_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/markup.hpp"
#include "sim/study/json_values.hpp"

namespace fleetsim {

namespace {

using Json = nlohmann::json;

SharingRule rule(const Json& json) {
  return sharing_from(json, "a map of a study");
}

Json to_json(const MapAnswer& a) {
  return {{"sharing", to_string(a.sharing)},
          {"k", a.k},
          {"best", a.best.empty() ? Json(nullptr) : Json(a.best)},
          {"best_share", number_json(a.best_share)},
          {"figure", number_json(a.figure)},
          {"share_range", {number_json(a.share_low), number_json(a.share_high)}},
          {"members", a.members},
          {"undecided", a.undecided},
          {"rule_status", a.status},
          {"loss_percent", number_json(a.loss_percent)}};
}

MapAnswer answer(const Json& j) {
  MapAnswer a;
  a.sharing = rule(j.at("sharing"));
  a.k = j.at("k");
  if (!j.at("best").is_null()) a.best = j.at("best");
  a.best_share = number_from(j.at("best_share"));
  a.figure = number_from(j.at("figure"));
  a.share_low = number_from(j.at("share_range").at(0));
  a.share_high = number_from(j.at("share_range").at(1));
  a.members = j.at("members");
  a.undecided = j.at("undecided");
  a.status = j.at("rule_status");
  a.loss_percent = number_from(j.at("loss_percent"));
  return a;
}

Json to_json(const StudyMap& map, const MapCell& cell) {
  Json values = Json::array(), answers = Json::array(), meets = Json::array();
  for (std::size_t i = 0; i < cell.at.size(); ++i) values.push_back(map.axes[i].values[cell.at[i]]);
  for (const MapAnswer& a : cell.answers) answers.push_back(to_json(a));
  for (const MapMeets& m : cell.meets)
    meets.push_back({{"sharing", to_string(m.sharing)},
                     {"fleets", m.fleets},
                     {"shares", m.shares},
                     {"places", m.places}});
  return {{"at", cell.at},
          {"values", std::move(values)},
          {"load", cell.load},
          {"s", cell.s},
          {"first_order_share", cell.first_order_share},
          {"fleets", cell.fleets},
          {"rejected", cell.rejected},
          {"answers", std::move(answers)},
          {"keeps_limits", std::move(meets)}};
}

MapCell cell(const Json& j) {
  MapCell c;
  c.at = j.at("at").get<std::vector<std::size_t>>();
  c.load = j.at("load");
  c.s = j.at("s");
  c.first_order_share = j.at("first_order_share");
  c.fleets = j.at("fleets");
  c.rejected = j.at("rejected");
  for (const Json& a : j.at("answers")) c.answers.push_back(answer(a));
  for (const Json& m : j.at("keeps_limits")) {
    MapMeets made{rule(m.at("sharing")), m.at("fleets"), m.at("shares"), m.at("places")};
    if (made.fleets.size() != made.shares.size() || made.fleets.size() != made.places.size())
      throw std::runtime_error("not a map of a study: fleets and shares differ in number");
    c.meets.push_back(std::move(made));
  }
  return c;
}

std::string csv_cell(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string{};
}

std::string joined(const std::vector<std::string>& all) {
  return csv_text(fmt::format("{}", fmt::join(all, "; ")));
}

}  // namespace

Json map_json(const StudyMap& map) {
  Json axes = Json::array(), cells = Json::array();
  for (const MapAxis& axis : map.axes)
    axes.push_back({{"path", axis.path}, {"name", axis.name}, {"values", axis.values}});
  for (const MapCell& c : map.cells) cells.push_back(to_json(map, c));
  Json json = {{"axes", std::move(axes)},
               {"cells", std::move(cells)},
               {"limits", map.limits},
               {"metric", map.metric},
               {"of_k", map.of_k}};
  if (map.holds) {
    const auto end = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
    json["holds"] = {{"load", map.holds->load},
                     {"low", end(map.holds->low)},
                     {"high", end(map.holds->high)},
                     {"sentence", map.holds->sentence}};
  }
  return json;
}

StudyMap map_from_json(const Json& json) {
  try {
    StudyMap map;
    for (const Json& axis : json.at("axes"))
      map.axes.push_back({axis.at("path"), axis.at("name"), axis.at("values")});
    for (const Json& one : json.at("cells")) {
      map.cells.push_back(cell(one));
      const MapCell& c = map.cells.back();
      bool fits = c.at.size() == map.axes.size();
      for (std::size_t i = 0; fits && i < c.at.size(); ++i) fits = c.at[i] < map.axes[i].values.size();
      if (!fits) throw std::runtime_error("not a map of a study: a cell lies on none of its axes' values");
    }
    std::size_t points = 1;
    for (const MapAxis& axis : map.axes) points *= axis.values.size();
    if (map.cells.size() != points)
      throw std::runtime_error(fmt::format("not a map of a study: {} cells where its axes have {} points",
                                           map.cells.size(), points));
    map.metric = json.at("metric");
    map.of_k = json.at("of_k");
    map.limits = json.at("limits").get<std::vector<std::string>>();
    if (json.contains("holds")) {
      const Json& h = json.at("holds");
      map.holds.emplace();
      map.holds->load = h.at("load");
      if (!h.at("low").is_null()) map.holds->low = h.at("low").get<double>();
      if (!h.at("high").is_null()) map.holds->high = h.at("high").get<double>();
      map.holds->sentence = h.at("sentence");
    }
    return map;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not a map of a study: {}", e.what()));
  }
}

std::string map_csv(const StudyMap& map) {
  std::string text;
  for (const MapAxis& axis : map.axes) text += csv_text(axis.path) + ",";
  text += "offered_load,scale_share,first_order_share,sharing,k,best,best_share,share_low,share_high," +
          map.metric + ",best_set,undecided,rule_status,loss_percent,keeps_limits\n";
  for (const MapCell& c : map.cells) {
    std::string values;
    for (std::size_t i = 0; i < c.at.size(); ++i) values += csv_text(map.axes[i].values[c.at[i]]) + ",";
    // The room or the rules refuse every fleet: the cell still has its row.
    if (c.answers.empty())
      text += fmt::format("{}{},{},{},,,,,,,,,,undecided,,\n", values, csv_cell(c.load), csv_cell(c.s),
                          csv_cell(c.first_order_share));
    for (const MapAnswer& a : c.answers) {
      const auto meets = std::find_if(c.meets.begin(), c.meets.end(),
                                      [&](const MapMeets& m) { return m.sharing == a.sharing; });
      text += fmt::format("{}{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", values, csv_cell(c.load),
                          csv_cell(c.s), csv_cell(c.first_order_share), to_string(a.sharing),
                          map.of_k ? csv_cell(a.k) : "", csv_text(a.best), csv_cell(a.best_share),
                          csv_cell(a.share_low), csv_cell(a.share_high), csv_cell(a.figure),
                          joined(a.members), joined(a.undecided), a.status, csv_cell(a.loss_percent),
                          meets == c.meets.end() ? std::string{} : joined(meets->fleets));
    }
  }
  return text;
}

}  // namespace fleetsim
