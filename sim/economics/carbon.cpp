#include "sim/economics/carbon.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/assert.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/energy.hpp"

namespace fleetsim {

namespace {

struct Part {
  double low, value, high;  ///< kg CO2e
};
// A GPU card: 150 kg in public accounting tools (Cloud Carbon Footprint, coefficient of an added GPU card);
// 318 kg for an A100 (Chien et al. 2023); the low end is own judgement.
constexpr Part kCard{100.0, 150.0, 318.0};
// A server without its GPUs: a bare rack server is 1000 kg and an added CPU, SSD 100 kg in the same tool;
// vendors' sheets of larger ones go up to 3000 kg. The value between is own judgement.
constexpr Part kServer{1000.0, 2000.0, 3000.0};
// A desktop or workstation without its GPUs: own judgement.
constexpr Part kDesktop{150.0, 400.0, 1200.0};
constexpr int kMostDesktopGpus = 4;

}  // namespace

bool carbon_asked(const Scenario& scenario) {
  return !scenario.site.facility.carbon.grid_kg_per_kwh.empty();
}

double grid_kg_per_kwh(const CarbonSpec& carbon, std::size_t hour) {
  const std::vector<double>& grid = carbon.grid_kg_per_kwh;
  FLEETSIM_ASSERT(grid.size() == 1 || grid.size() == kHoursPerDay);
  return grid.size() == 1 ? grid.front() : grid[hour];
}

std::string grid_text(const CarbonSpec& carbon) {
  const auto& grid = carbon.grid_kg_per_kwh;
  const auto [low, high] = std::minmax_element(grid.begin(), grid.end());
  if (*low == *high) return fmt::format("{:.4g} kg CO2e/kWh", *low);
  return fmt::format("{:.4g} to {:.4g} kg CO2e/kWh by hour of the day", *low, *high);
}

OperationalCarbon operational_carbon(const Scenario& scenario, const GpuTime& held) {
  const CarbonSpec& carbon = scenario.site.facility.carbon;
  const Instant begin = kStart + scenario.time.warm_up;
  const std::vector<std::int64_t> there_us = time_by_hour_of_day(begin, begin + scenario.time.measure);
  const std::vector<double> nobody(scenario.pools.size(), 0.0);
  const Watts idle = mean_power(scenario, nobody);

  // kg = W x us x PUE / (3.6e12 W us a kWh) x kg/kWh, hour by hour.
  const double kwh_of_w_us = scenario.site.pue / 3.6e12;
  const auto drawn_kg = [&](std::size_t row) {
    double kg = 0.0;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
      const double watts = power_of_busy_gpu(scenario.pools[p]).count();
      for (std::size_t h = 0; h < kHoursPerDay; ++h)
        kg += static_cast<double>(held.us(row, p, h)) * watts * kwh_of_w_us * grid_kg_per_kwh(carbon, h);
    }
    return kg;
  };
  OperationalCarbon out;
  out.classes.resize(scenario.workload.classes.size());
  for (std::size_t c = 0; c < held.classes(); ++c) out.total += out.classes[c] = drawn_kg(c);
  out.total += out.trace = drawn_kg(held.classes());
  for (std::size_t h = 0; h < kHoursPerDay; ++h)
    out.idle += static_cast<double>(there_us[h]) * idle.count() * kwh_of_w_us * grid_kg_per_kwh(carbon, h);
  out.total += out.idle;
  return out;
}

Figure<double> embodied_carbon(const NodeType& node) {
  const bool desktop = node.gpus <= kMostDesktopGpus;
  const Part& rest = desktop ? kDesktop : kServer;
  const double n = node.gpus;
  Figure<double> kg;
  kg.value = n * kCard.value + rest.value;
  kg.low = n * kCard.low + rest.low;
  kg.high = n * kCard.high + rest.high;
  kg.from.estimate = true;
  kg.from.source = "estimate";
  kg.from.as_of = "2026-11";
  kg.from.note = fmt::format(
      "{:.0f} kg CO2e a GPU ({:.0f} to {:.0f}: accounting tools count 150 a card, Chien et al. 2023 318 an "
      "A100; "
      "low end own judgement) and {:.0f} for the rest of a {} ({:.0f} to {:.0f}: {})",
      kCard.value, kCard.low, kCard.high, rest.value, desktop ? "node of up to 4 GPUs" : "server", rest.low,
      rest.high,
      desktop
          ? "own judgement"
          : "accounting tools count 1000 for a bare server, vendors' sheets go to 3000; value own judgement");
  return kg;
}

Figure<double> embodied_carbon(const Scenario& scenario) {
  Figure<double> sum;
  sum.from = {"estimate", "2026-11", true, ""};
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0 || pool.existing || pool.node.rented()) continue;
    const Figure<double> one = embodied_carbon(pool.node);
    sum.value += one.value * pool.count;
    sum.low += one.low * pool.count;
    sum.high += one.high * pool.count;
    if (sum.from.note.find(one.from.note) == std::string::npos)
      sum.from.note += (sum.from.note.empty() ? "" : "; ") + one.from.note;
  }
  return sum;
}

}  // namespace fleetsim
