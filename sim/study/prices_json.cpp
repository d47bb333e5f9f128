#include "sim/study/prices_json.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/base/quantity.hpp"
#include "sim/study/json_values.hpp"

namespace fleetsim {

namespace {

using Json = nlohmann::json;
using Robustness = PriceRobustness;

Json to_json(const DrawQuantiles& q) {
  return {{"p5", number_json(q.p5)}, {"p50", number_json(q.p50)}, {"p95", number_json(q.p95)}};
}
DrawQuantiles quantiles(const Json& j) {
  return {number_from(j.at("p5")), number_from(j.at("p50")), number_from(j.at("p95"))};
}

Json to_json(const Robustness::Fleet& f, const std::string& sharing) {
  return {{"label", fmt::format("{} {}", f.label, sharing)},
          {"fleet", f.label},
          {"counts", f.counts},
          {"share", f.share},
          {"of_study", f.of_study},
          {"affordable", f.affordable},
          {"in_best_set", f.in_best_set},
          {"undecided", f.undecided},
          {"best", f.best}};
}
Robustness::Fleet fleet(const Json& j) {
  return {j.at("fleet"),      j.at("counts"),      j.at("share"),     j.at("of_study"),
          j.at("affordable"), j.at("in_best_set"), j.at("undecided"), j.at("best")};
}

Json to_json(const Robustness::Choice& c) {
  return {{"best", c.best.empty() ? Json(nullptr) : Json(c.best)},
          {"share", number_json(c.share)},
          {"hours", number_json(c.hours)},
          {"rule", c.rule}};
}
Robustness::Choice choice(const Json& j) {
  return {j.at("best").is_null() ? std::string() : j.at("best").get<std::string>(),
          number_from(j.at("share")), number_from(j.at("hours")), j.at("rule")};
}

Json range(const Robustness::Quantity& q) {
  return {{"item", q.item}, {"unit", q.unit}, {"low", q.low}, {"value", q.value}, {"high", q.high}};
}

Json flips_json(const std::vector<Robustness::Quantity>& quantities) {
  Json rows = Json::array();
  for (const Robustness::Quantity& q : quantities) {
    for (const Robustness::Flip& flip : q.flips) {
      Json row = range(q);
      row.update({{"what", flip.what}, {"flips_at", flip.at}, {"from", flip.from}, {"to", flip.to}});
      rows.push_back(std::move(row));
    }
    if (!q.flips.empty()) continue;
    Json row = range(q);
    row.update({{"what", nullptr}, {"flips_at", nullptr}, {"from", nullptr}, {"to", nullptr}});
    rows.push_back(std::move(row));
  }
  return rows;
}

Json to_json(const Robustness::Quantity& q) {
  Json j = range(q);
  j.update({{"capex_at_low_usd", to_usd(q.capex_at_low)},
            {"capex_at_high_usd", to_usd(q.capex_at_high)},
            {"three_year_at_low_usd", to_usd(q.three_year_at_low)},
            {"three_year_at_high_usd", to_usd(q.three_year_at_high)},
            {"at_low", to_json(q.at_low)},
            {"at_high", to_json(q.at_high)},
            {"moves_fleets", q.moves_fleets},
            {"open_below", q.open_below ? Json(*q.open_below) : Json(nullptr)},
            {"open_above", q.open_above ? Json(*q.open_above) : Json(nullptr)},
            {"not_looked_at", q.not_looked_at}});
  return j;
}
Robustness::Quantity quantity(const Json& j, const Json& flips) {
  Robustness::Quantity q;
  q.item = j.at("item");
  q.unit = j.at("unit");
  q.low = j.at("low");
  q.value = j.at("value");
  q.high = j.at("high");
  q.capex_at_low = usd(j.at("capex_at_low_usd").get<double>());
  q.capex_at_high = usd(j.at("capex_at_high_usd").get<double>());
  q.three_year_at_low = usd(j.at("three_year_at_low_usd").get<double>());
  q.three_year_at_high = usd(j.at("three_year_at_high_usd").get<double>());
  q.at_low = choice(j.at("at_low"));
  q.at_high = choice(j.at("at_high"));
  q.moves_fleets = j.at("moves_fleets");
  if (!j.at("open_below").is_null()) q.open_below = j.at("open_below").get<double>();
  if (!j.at("open_above").is_null()) q.open_above = j.at("open_above").get<double>();
  q.not_looked_at = j.at("not_looked_at");
  for (const Json& row : flips) {
    if (row.at("flips_at").is_null() || row.at("item") != q.item) continue;
    q.flips.push_back({row.at("what"), row.at("flips_at"), row.at("from"), row.at("to")});
  }
  return q;
}

}  // namespace

Json prices_json(const Robustness& p) {
  Json fleets = Json::array(), quantities = Json::array();
  for (const Robustness::Fleet& f : p.fleets) fleets.push_back(to_json(f, p.sharing));
  for (const Robustness::Quantity& q : p.quantities) quantities.push_back(to_json(q));
  Json capex = to_json(p.capex_usd);
  capex["affordable"] = p.affordable;
  return {{"draws", p.draws},
          {"asked", p.asked},
          {"replications", p.replications},
          {"fleets_added", p.fleets_added},
          {"fleets_left_out", p.fleets_left_out},
          {"sharing", p.sharing},
          {"k", p.k},
          {"scale_pool", p.scale_pool},
          {"recommended", p.recommended.empty() ? Json(nullptr)
                                                : Json{{"fleet", p.recommended},
                                                       {"affordable", p.affordable},
                                                       {"in_best_set", p.in_best_set},
                                                       {"undecided", p.undecided},
                                                       {"best", p.best}}},
          {"fleets", std::move(fleets)},
          {"rule", p.rule_judged
                       ? Json{{"holds", p.holds}, {"refuted", p.refuted}, {"undecided", p.rule_undecided}}
                       : Json(nullptr)},
          {"best_share", to_json(p.best_share)},
          {"load", to_json(p.load)},
          {"s", to_json(p.s)},
          {"capex", std::move(capex)},
          {"three_year", to_json(p.three_year_usd)},
          {"at_values", to_json(p.at_values)},
          {"flips", flips_json(p.quantities)},
          {"quantities", std::move(quantities)}};
}

Robustness prices_from_json(const Json& j) {
  try {
    Robustness p;
    p.draws = j.at("draws");
    p.asked = j.at("asked");
    p.replications = j.at("replications");
    p.fleets_added = j.at("fleets_added");
    p.fleets_left_out = j.at("fleets_left_out");
    p.sharing = j.at("sharing");
    p.k = j.at("k");
    p.scale_pool = j.at("scale_pool");
    if (const Json& r = j.at("recommended"); !r.is_null()) {
      p.recommended = r.at("fleet");
      p.affordable = r.at("affordable");
      p.in_best_set = r.at("in_best_set");
      p.undecided = r.at("undecided");
      p.best = r.at("best");
    }
    for (const Json& f : j.at("fleets")) p.fleets.push_back(fleet(f));
    if (const Json& r = j.at("rule"); !r.is_null()) {
      p.rule_judged = true;
      p.holds = r.at("holds");
      p.refuted = r.at("refuted");
      p.rule_undecided = r.at("undecided");
    }
    p.best_share = quantiles(j.at("best_share"));
    p.load = quantiles(j.at("load"));
    p.s = quantiles(j.at("s"));
    p.capex_usd = quantiles(j.at("capex"));
    p.three_year_usd = quantiles(j.at("three_year"));
    p.at_values = choice(j.at("at_values"));
    for (const Json& q : j.at("quantities")) p.quantities.push_back(quantity(q, j.at("flips")));
    return p;
  } catch (const Json::exception& e) {
    throw std::runtime_error(fmt::format("not a fleetsim dossier: price_robustness: {}", e.what()));
  }
}

}  // namespace fleetsim
