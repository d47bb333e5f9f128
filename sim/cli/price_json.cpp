// `fleetsim price --format json`.
#include <nlohmann/json.hpp>

#include "sim/cli/price.hpp"
#include "sim/cli/price_rent.hpp"
#include "sim/study/finding_json.hpp"

namespace fleetsim::cli {

namespace {

using Json = nlohmann::json;

Json usd_json(Money money) {
  return to_usd(money);
}

Json usd_json(const std::vector<Money>& all) {
  Json array = Json::array();
  for (const Money money : all) array.push_back(to_usd(money));
  return array;
}

}  // namespace

std::string price_json(const Scenario& scenario, const Priced& priced) {
  Json bill = Json::array();
  for (const BillLine& line : priced.bill.lines) {
    const Figure<Money>& price = line.unit_price;
    Json row = {{"item", line.item},
                {"group", line.group},
                {"quantity", line.quantity},
                {"unit_price", line.priced ? usd_json(price.value) : Json(nullptr)},
                {"total", line.priced ? usd_json(line.total()) : Json(nullptr)},
                {"source", price.from.source},
                {"as_of", price.from.as_of},
                {"estimate", price.from.estimate}};
    if (!line.settled.empty()) row["settled"] = line.settled;
    if (price.from.estimate) {
      row["low"] = usd_json(price.low);
      row["high"] = usd_json(price.high);
    }
    bill.push_back(std::move(row));
  }
  Json counts = Json::object();
  for (const NodePool& pool : scenario.pools) counts[pool.name] = pool.count;
  Json lines = Json::array();
  for (const CostLine& line : priced.cost.lines) {
    lines.push_back({{"item", line.item},
                     {"by_year", usd_json(line.by_year)},
                     {"basis", line.basis},
                     {"estimate", line.estimate}});
  }
  Json charges = Json::array();
  for (const Charge& charge : priced.charges)
    charges.push_back({{"item", charge.item}, {"amount", usd_json(charge.amount)}, {"basis", charge.basis}});
  Json cash = Json::array();
  for (const CashYear& year : priced.cash)
    cash.push_back({{"paid", usd_json(year.paid)}, {"cap", year.cap ? usd_json(*year.cap) : Json(nullptr)}});
  Json exchange = Json::array();
  for (const ExchangeRate& r : scenario.economics.exchange)
    exchange.push_back(
        {{"currency", r.currency}, {"rate", usd_json(r.rate)}, {"as_of", r.as_of}, {"source", r.source}});
  Json out = {{"scenario", scenario.name},
              {"currency", "USD"},
              {"counts", std::move(counts)},
              {"gpus", priced.gpus},
              {"bill", std::move(bill)},
              {"unpriced", priced.bill.unpriced},
              {"node_money", usd_json(priced.bill.node_money)},
              {"fixed_money", usd_json(priced.bill.fixed_money)},
              {"bill_total", usd_json(priced.bill.total)},
              {"charges", std::move(charges)},
              {"capex", usd_json(priced.purchase)},
              {"budget", scenario.budget > Money{} ? usd_json(scenario.budget) : Json(nullptr)},
              {"opex_by_year", usd_json(priced.opex_by_year)},
              {"cost_by_year", std::move(lines)},
              {"total_by_year", usd_json(priced.cost.total_by_year)},
              {"total", usd_json(priced.cost.total)},
              {"years", priced.cost.total_by_year.size()},
              {"discount_rate", scenario.economics.discount_rate},
              {"present_cost", usd_json(priced.present)},
              {"book_value_by_year", usd_json(priced.book_value)},
              {"cash_flow", std::move(cash)},
              {"broken_caps", priced.broken_caps},
              {"exchange", std::move(exchange)},
              {"cost_basis", kCostBasis},
              {"kwh_year", priced.kwh_year},
              {"peak_power_w", peak_power_at_meter(scenario).count()},
              {"utilisation", priced.utilisation},
              {"utilisation_basis", priced.utilisation_basis},
              {"offered_load", priced.demand.load},
              {"fleet_load", priced.demand.fleet_load},
              {"s", priced.demand.s},
              {"cost_per_gpu_hour", priced.gpu_hour ? usd_json(*priced.gpu_hour) : Json(nullptr)},
              {"findings", findings_json(facility::check(scenario))}};
  if (priced.demand.closed_loop) out["closed_loop"] = true;
  if (const auto& burst = scenario.scheduler.burst)
    out["burst"] = {{"counted", false},  // only a simulation knows who waits too long
                    {"node", burst->node.name},
                    {"rate", usd_json(burst->rate.value)},
                    {"terms", to_string(burst->terms)}};
  add_own_or_rent(out, scenario, priced.utilisation);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace fleetsim::cli
