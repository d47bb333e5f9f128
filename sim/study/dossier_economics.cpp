#include "sim/study/dossier_economics.hpp"

#include <cmath>

#include "sim/economics/depreciation.hpp"
#include "sim/economics/price_range.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {
namespace {

bool asks(const EconomicsSpec& e) {
  const bool charged = e.tax > 0.0 || e.academic_discount > 0.0 || e.delivery > Money{} ||
                       e.installation > 0.0 || e.storage > Money{} || e.contingency > 0.0;
  const bool runs = e.staff || e.colocation_per_kw_month > Money{} || e.support || e.depreciation;
  return charged || runs || e.years != EconomicsSpec{}.years || e.discount_rate > 0.0 ||
         !e.exchange.empty() || !e.budget_by_year.empty();
}

}  // namespace

EconomicsInfo economics_info(const Scenario& scenario, const Bill& bill, const CostTable& cost,
                             double results_per_week) {
  const EconomicsSpec& e = scenario.economics;
  EconomicsInfo info;
  info.charges = charges_on(e, bill.total);
  info.purchase = purchase_money(scenario, bill);
  const PriceRange range = price_range(bill);
  info.purchase_low = purchase_of(e, range.low);
  info.purchase_high = purchase_of(e, range.high);
  info.discount_rate = e.discount_rate;
  info.present_cost = present_cost(e, cost);
  info.book_value_by_year = book_value_by_year(scenario, bill);
  info.cash_flow = cash_flow(e, cost);
  info.broken_caps = broken_caps(e, cost);
  info.exchange = e.exchange;
  constexpr double kWeeksPerYear = 365.0 / 7.0;
  const double results = results_per_week * kWeeksPerYear * e.years;
  if (std::isfinite(results) && results > 0.0)
    info.cost_per_result = to_cents(scaled(cost.total, 1.0 / results));
  info.asked = asks(e);
  return info;
}

}  // namespace fleetsim
