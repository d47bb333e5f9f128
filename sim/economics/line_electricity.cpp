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

/// Ranges of the estimates that the power rests on, over all pools: "; estimate: ...".
std::string ranges(const Scenario& scenario) {
  double load_low = 1e99, load_high = 0.0, idle_low = 1e99, idle_high = 0.0, share_low = 1e99,
         share_high = 0.0;
  const auto widen = [](double& low, double& high, double a, double b) {
    low = std::min(low, a);
    high = std::max(high, b);
  };
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0 || pool.node.rented()) continue;
    const NodeType& node = pool.node;
    widen(load_low, load_high, node.base_power_load.low.count(), node.base_power_load.high.count());
    widen(idle_low, idle_high, node.base_power_idle.low.count(), node.base_power_idle.high.count());
    widen(share_low, share_high, node.gpu.idle_power_share.low, node.gpu.idle_power_share.high);
  }
  return fmt::format(
      "; estimate: a node beside its GPUs draws {:.0f} to {:.0f} W at load and {:.0f} to {:.0f} W idle, an "
      "idle "
      "GPU {:.0f} to {:.0f} % of its board power; tariff and PUE as the scenario says",
      load_low, load_high, idle_low, idle_high, 100.0 * share_low, 100.0 * share_high);
}

}  // namespace

double share_of_power_there(const CostInput& in, std::size_t year) {
  double all = 0.0, there = 0.0;
  for (std::size_t p = 0; p < in.scenario.pools.size(); ++p) {
    const NodePool& pool = in.scenario.pools[p];
    if (pool.node.rented()) continue;
    const double power = load_power(pool).count() * pool.count;
    all += power;
    there += power * in.presence[p][year];
  }
  return all > 0.0 ? there / all : 1.0;
}

/// kWh a year at the meter = mean IT power x PUE x 8760 h / 1000; times the tariff.
std::optional<CostLine> electricity_line(const CostInput& in) {
  if (all_rented(in.scenario)) return std::nullopt;
  const Site& site = in.scenario.site;
  const double kwh = in.mean_it_power.count() * site.pue * kHoursPerYear / 1000.0;
  const auto year = [&](std::size_t y) {
    return scaled(Money{site.electricity.count()}, kwh * share_of_power_there(in, y));
  };
  return CostLine{"Electricity", every_year(in, year),
                  fmt::format("mean IT power {:.2f} kW x PUE {:.2f} x {} h x {:.4g} USD/kWh = {:.0f} "
                              "kWh a year at the meter{}{}",
                              in.mean_it_power.count() / 1000.0, site.pue, kHoursPerYear,
                              static_cast<double>(site.electricity.count()) / 1e6, kwh,
                              power_is_estimated(in.scenario) ? ranges(in.scenario)
                                                              : "; tariff and PUE as the scenario says",
                              while_there(in)),
                  power_is_estimated(in.scenario)};
}

}  // namespace fleetsim
