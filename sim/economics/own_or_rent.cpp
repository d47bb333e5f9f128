// Owning against renting; the formulas stand in docs/own-or-rent.md.
#include "sim/economics/own_or_rent.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fleetsim {
namespace {

constexpr const char* kElectricity = "Electricity";

/// The scenario with nothing but the nodes that are bought: what is there already, or rented already, is no
/// part of the choice. Nodes that arrive later stand there from the start: the question is what the whole
/// purchase costs beside renting as much, not when it comes.
Scenario bought_alone(const Scenario& scenario) {
  Scenario alone = scenario;
  alone.availability.deliveries.clear();
  for (NodePool& pool : alone.pools)
    if (pool.existing || pool.node.rented()) {
      pool.count = 0;
      pool.sold = 0;
    }
  return alone;
}

int gpus_of(const Scenario& scenario) {
  int gpus = 0;
  for (const NodePool& pool : scenario.pools) gpus += pool.count * pool.node.gpus;
  return gpus;
}

Watts power_at(const Scenario& scenario, double utilisation) {
  return mean_power(scenario, std::vector<double>(scenario.pools.size(), utilisation));
}

struct Owning {
  Money capex, electricity, opex;
};

/// One year as the cost table has it. The second of three years holds neither purchase nor resale, so it is
/// what a year of operation costs, and the first year's excess over it is what is paid before.
Owning owning(const Scenario& alone, const Bill& bill, double utilisation) {
  const CostTable table = cost_by_year(alone, bill, power_at(alone, utilisation), 3);
  Owning own;
  own.opex = table.total_by_year[1];
  own.capex = table.total_by_year[0] - own.opex;
  for (const CostLine& line : table.lines)
    if (line.item == kElectricity) own.electricity = line.by_year[1];
  return own;
}

/// d with C + r d = R d, in money a day; none when owning never catches up.
void find_break_even(OwnOrRent& result, double rent_day_usd) {
  const double own_day = to_usd(result.opex_year) / kDaysPerYear;
  if (result.capex <= Money{}) {
    result.break_even_reason = "owning has no price that renting does not have, so no day is the break-even";
  } else if (rent_day_usd <= own_day) {
    result.break_even_reason = fmt::format(
        "at this use renting stays cheaper: {:.2f} USD a day against {:.2f} USD a day that owned nodes cost "
        "to run",
        rent_day_usd, own_day);
  } else {
    result.break_even_days = to_usd(result.capex) / (rent_day_usd - own_day);
  }
}

/// u with C + T (r0 + r1 u) = T R1 u: the yearly cost of owned nodes is linear in their use.
BreakEvenUse use_over(const OwnOrRent& result, double idle_year, double busy_year, int days) {
  BreakEvenUse found;
  found.days = days;
  if (result.rent.terms == RentTerms::reserved) {
    found.reason = "a reserved GPU is paid for whether it is used or not, so the use does not decide";
    return found;
  }
  const double fixed = to_usd(result.capex) / days + idle_year / kDaysPerYear;
  const double per_use =
      rent_usd_a_day(result.rent, result.gpus, 1.0) - (busy_year - idle_year) / kDaysPerYear;
  const double use = per_use > 0.0 ? fixed / per_use : 2.0;
  if (use <= 1.0) {
    found.utilisation = use;
  } else {
    found.reason = fmt::format("renting is cheaper over {} days even at full use", days);
  }
  return found;
}

}  // namespace

double extra_hours(const RentSpec& rent) {
  if (rent.terms != RentTerms::spot) return 1.0;
  return 1.0 / (1.0 - rent.interruptions.count() * to_seconds(rent.lost));
}

double rent_usd_a_day(const RentSpec& rent, int gpus, double utilisation) {
  const double rate = to_usd(rent.rate.value);
  // 1e-9 of a GPU: a ratio like 0.7 is no exact binary number.
  if (rent.terms == RentTerms::reserved) return std::ceil(gpus / rent.speed - 1e-9) * 24.0 * rate;
  return gpus * 24.0 * utilisation / rent.speed * extra_hours(rent) * rate;
}

std::string no_own_or_rent(const Scenario& scenario) {
  if (!scenario.economics.rent)
    return "the scenario does not say what would be rented; add e.g. economics: {rent: {gpu: v100-sxm2-16, "
           "terms: on-demand}}";
  const Scenario alone = bought_alone(scenario);
  if (gpus_of(alone) == 0) return "the fleet has no node that is bought, so there is nothing to compare";
  const Bill bill = bill_of_materials(alone);
  if (!bill.unpriced.empty())
    return fmt::format("what owning costs is not known: {} has no price", bill.unpriced.front());
  return {};
}

OwnOrRent own_or_rent(const Scenario& scenario, double utilisation) {
  const Scenario alone = bought_alone(scenario);
  const Bill bill = bill_of_materials(alone);
  const Owning own = owning(alone, bill, utilisation);

  OwnOrRent result;
  result.gpus = gpus_of(alone);
  result.utilisation = utilisation;
  result.capex = own.capex;
  result.electricity_year = own.electricity;
  result.opex_year = own.opex;
  // kWh a year at the meter = mean IT power x PUE x 8760 h / 1000
  result.kwh_year = power_at(alone, utilisation).count() * alone.site.pue * kHoursPerYear / 1000.0;

  result.rent = *scenario.economics.rent;
  result.extra_hours = extra_hours(result.rent);
  const double rent_day = rent_usd_a_day(result.rent, result.gpus, utilisation);
  if (result.rent.rate.value > Money{}) result.gpu_hours_day = rent_day / to_usd(result.rent.rate.value);
  result.rent_day = usd(rent_day);
  result.rent_300_days = usd(rent_day * kRentDays);
  result.rent_year = usd(rent_day * kDaysPerYear);

  find_break_even(result, rent_day);
  const double idle = to_usd(owning(alone, bill, 0.0).opex), busy = to_usd(owning(alone, bill, 1.0).opex);
  result.horizon_years = scenario.economics.years;
  result.break_even_use.push_back(use_over(result, idle, busy, kDaysPerYear));
  if (result.horizon_years > 1)
    result.break_even_use.push_back(use_over(result, idle, busy, result.horizon_years * kDaysPerYear));
  result.own_horizon = cost_by_year(alone, bill, power_at(alone, utilisation), result.horizon_years).total;
  result.rent_horizon = usd(rent_day * kDaysPerYear * result.horizon_years);
  return result;
}

}  // namespace fleetsim
