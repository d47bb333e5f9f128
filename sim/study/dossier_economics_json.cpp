#include "sim/study/dossier_economics_json.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace fleetsim {
namespace {

using Json = nlohmann::json;

Json list(const std::vector<Money>& all) {
  Json array = Json::array();
  for (const Money money : all) array.push_back(to_usd(money));
  return array;
}

Money money_at(const Json& object, const char* key) {
  return usd(object.at(key).get<double>());
}

}  // namespace

void write_economics(const Dossier& dossier, Json& object) {
  const EconomicsInfo& e = dossier.economics;
  if (!e.asked) return;
  Json charges = Json::array(), cash = Json::array(), exchange = Json::array();
  for (const Charge& c : e.charges)
    charges.push_back({{"item", c.item}, {"amount_usd", to_usd(c.amount)}, {"basis", c.basis}});
  for (const CashYear& y : e.cash_flow)
    cash.push_back({{"paid_usd", to_usd(y.paid)}, {"cap_usd", y.cap ? Json(to_usd(*y.cap)) : Json(nullptr)}});
  for (const ExchangeRate& r : e.exchange)
    exchange.push_back(
        {{"currency", r.currency}, {"rate_usd", to_usd(r.rate)}, {"as_of", r.as_of}, {"source", r.source}});
  object["economics"] = {{"charges", std::move(charges)},
                         {"purchase_usd", to_usd(e.purchase)},
                         {"purchase_low_usd", to_usd(e.purchase_low)},
                         {"purchase_high_usd", to_usd(e.purchase_high)},
                         {"capital_lines", dossier.cost.capital_lines},
                         {"discount_rate", e.discount_rate},
                         {"present_cost_usd", to_usd(e.present_cost)},
                         {"book_value_by_year_usd", list(e.book_value_by_year)},
                         {"cash_flow", std::move(cash)},
                         {"broken_caps", e.broken_caps},
                         {"exchange", std::move(exchange)},
                         {"cost_per_result_usd", to_usd(e.cost_per_result)}};
}

void read_economics(const Json& object, Dossier& dossier) {
  EconomicsInfo& e = dossier.economics;
  e = {};
  e.purchase = dossier.bill.total;
  e.present_cost = dossier.cost.total;
  const auto found = object.find("economics");
  if (found == object.end()) return;
  try {
    e.asked = true;
    for (const Json& c : found->at("charges"))
      e.charges.push_back({c.at("item"), money_at(c, "amount_usd"), c.at("basis")});
    e.purchase = money_at(*found, "purchase_usd");
    e.purchase_low = money_at(*found, "purchase_low_usd");
    e.purchase_high = money_at(*found, "purchase_high_usd");
    dossier.cost.capital_lines = found->at("capital_lines").get<std::size_t>();
    e.discount_rate = found->at("discount_rate").get<double>();
    e.present_cost = money_at(*found, "present_cost_usd");
    for (const Json& m : found->at("book_value_by_year_usd"))
      e.book_value_by_year.push_back(usd(m.get<double>()));
    for (const Json& y : found->at("cash_flow")) {
      e.cash_flow.push_back({money_at(y, "paid_usd"), std::nullopt});
      if (!y.at("cap_usd").is_null()) e.cash_flow.back().cap = money_at(y, "cap_usd");
    }
    e.broken_caps = found->at("broken_caps").get<std::vector<std::string>>();
    for (const Json& r : found->at("exchange"))
      e.exchange.push_back({r.at("currency"), money_at(r, "rate_usd"), r.at("as_of"), r.at("source")});
    e.cost_per_result = money_at(*found, "cost_per_result_usd");
  } catch (const Json::exception& error) {
    throw std::runtime_error(fmt::format("not a fleetsim dossier: economics: {}", error.what()));
  }
}

}  // namespace fleetsim
