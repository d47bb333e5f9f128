#include "sim/cli/price_rent.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/cli/table.hpp"
#include "sim/economics/own_or_rent.hpp"

namespace fleetsim::cli {

namespace {

using Json = nlohmann::json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// "2.14 USD per GPU-hour, spot (guide 2020, 2020-09-07)"
std::string rate_text(const RentSpec& rent) {
  const Provenance& from = rent.rate.from;
  return fmt::format("{} per GPU-hour, {} ({}{})", money_text(rent.rate.value), to_string(rent.terms),
                     from.source, from.as_of.empty() ? "" : ", " + from.as_of);
}

std::string hours_text(const OwnOrRent& r) {
  std::string text = fmt::format("{:.2f} GPU-hours a day", r.gpu_hours_day);
  if (r.rent.terms == RentTerms::reserved) return text + ", paid whether used or not";
  if (r.extra_hours > 1.0) {
    text += fmt::format(", {:.1f} % of them lost to {:.3g} interruptions a day",
                        100.0 * (1.0 - 1.0 / r.extra_hours), r.rent.interruptions.count() * 86400.0);
  } else if (r.rent.terms == RentTerms::spot) {
    text += ", no interruptions counted";
  }
  return text;
}

std::string use_text(const OwnOrRent& r) {
  std::string text;
  for (const BreakEvenUse& even : r.break_even_use) {
    text += even.utilisation ? fmt::format("  over {} days owning is cheaper from {:.1f} % use on\n",
                                           even.days, 100.0 * *even.utilisation)
                             : fmt::format("  {}\n", even.reason);
    if (!even.utilisation && r.rent.terms == RentTerms::reserved) break;
  }
  return text;
}

Json json_of(const OwnOrRent& r) {
  Json uses = Json::array();
  for (const BreakEvenUse& even : r.break_even_use)
    uses.push_back(
        {{"days", even.days}, {"utilisation", or_null(even.utilisation)}, {"reason", even.reason}});
  const Provenance& from = r.rent.rate.from;
  return {{"gpus", r.gpus},
          {"utilisation", r.utilisation},
          {"capex_usd", to_usd(r.capex)},
          {"kwh_year", r.kwh_year},
          {"electricity_usd_year", to_usd(r.electricity_year)},
          {"opex_usd_year", to_usd(r.opex_year)},
          {"rented", r.rent.title},
          {"terms", to_string(r.rent.terms)},
          {"rate", to_usd(r.rent.rate.value)},
          {"source", from.source},
          {"as_of", from.as_of},
          {"estimate", from.estimate},
          {"note", from.note},
          {"speed", r.rent.speed},
          {"extra_hours", r.extra_hours},
          {"gpu_hours_day", r.gpu_hours_day},
          {"rent_usd_day", to_usd(r.rent_day)},
          {"rent_usd_300d", to_usd(r.rent_300_days)},
          {"rent_usd_year", to_usd(r.rent_year)},
          {"break_even_days", or_null(r.break_even_days)},
          {"break_even_reason", r.break_even_reason},
          {"break_even_utilisation", uses},
          {"horizon_years", r.horizon_years},
          {"own_usd_horizon", to_usd(r.own_horizon)},
          {"rent_usd_horizon", to_usd(r.rent_horizon)}};
}

}  // namespace

std::string own_or_rent_text(const Scenario& scenario, double utilisation) {
  if (const std::string why = no_own_or_rent(scenario); !why.empty())
    return fmt::format("Own or rent: not compared; {}\n", why);
  const OwnOrRent r = own_or_rent(scenario, utilisation);
  std::string text = fmt::format("Own or rent ({} in use {:.1f} % of the time against {})\n",
                                 counted(r.gpus, "GPU"), 100.0 * utilisation, r.rent.title);
  text += fmt::format("  own:  {}, then {} a year to run, of which {} for {:.1f} kWh\n", money_text(r.capex),
                      money_text(r.opex_year), money_text(r.electricity_year), r.kwh_year);
  text += fmt::format("  rent: {}; {}: {} a day, {} in {} days\n", rate_text(r.rent), hours_text(r),
                      money_text(r.rent_day), money_text(r.rent_300_days), kRentDays);
  if (!r.rent.rate.from.note.empty()) text += fmt::format("        note: {}\n", r.rent.rate.from.note);
  text += r.break_even_days ? fmt::format("  break-even after {:.0f} days\n", *r.break_even_days)
                            : fmt::format("  no break-even: {}\n", r.break_even_reason);
  text += use_text(r);
  text += fmt::format("  over {}: own {}, rent {}\n", counted(r.horizon_years, "year"),
                      money_text(r.own_horizon), money_text(r.rent_horizon));
  text += fmt::format(
      "  an hour of a rented GPU is taken for {:.4g} hours of an owned one (economics.rent.speed)\n",
      r.rent.speed);
  return text;
}

void add_own_or_rent(Json& out, const Scenario& scenario, double utilisation) {
  const std::string why = no_own_or_rent(scenario);
  out["own_or_rent"] = why.empty() ? json_of(own_or_rent(scenario, utilisation)) : Json(nullptr);
  if (!why.empty()) out["own_or_rent_reason"] = why;
}

}  // namespace fleetsim::cli
