// Energy at the meter.
#include <algorithm>

#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {
namespace {

bool power_is_estimated(const Scenario& scenario) {
  return std::any_of(scenario.pools.begin(), scenario.pools.end(), [](const NodePool& pool) {
    const bool idles = !pool.off_when_idle && (pool.node.base_power_idle.from.estimate ||
                                               pool.node.gpu.idle_power_share.from.estimate);
    return pool.count > 0 &&
           (idles || pool.node.base_power_load.from.estimate || pool.node.gpu.board_power.from.estimate);
  });
}

}  // namespace

/// kWh a year at the meter = mean IT power x PUE x 8760 h / 1000; times the tariff.
std::optional<CostLine> electricity_line(const CostInput& in) {
  if (all_rented(in.scenario)) return std::nullopt;
  const Site& site = in.scenario.site;
  const double kwh = in.mean_it_power.count() * site.pue * kHoursPerYear / 1000.0;
  const Money electricity = to_cents(scaled(Money{site.electricity.count()}, kwh));
  return CostLine{"Electricity", std::vector<Money>(in.years, electricity),
                  fmt::format("mean IT power {:.2f} kW x PUE {:.2f} x {} h x {:.4g} USD/kWh = {:.0f} "
                              "kWh a year at the meter",
                              in.mean_it_power.count() / 1000.0, site.pue, kHoursPerYear,
                              static_cast<double>(site.electricity.count()) / 1e6, kwh),
                  power_is_estimated(in.scenario)};
}

}  // namespace fleetsim
