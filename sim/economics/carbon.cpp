#include "sim/economics/carbon.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/assert.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/energy.hpp"

namespace fleetsim {

namespace {

// A node of so many GPUs or fewer is taken for a workstation.
constexpr int kMostWorkstationGpus = 4;

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

OperationalCarbon operational_carbon(const Scenario& scenario, const GpuTime& held,
                                     const std::vector<double>& present_by_pool) {
  const CarbonSpec& carbon = scenario.site.facility.carbon;
  const Instant begin = kStart + scenario.time.warm_up;
  const std::vector<std::int64_t> there_us = time_by_hour_of_day(begin, begin + scenario.time.measure);
  const std::vector<double> nobody(scenario.pools.size(), 0.0);
  const Watts idle = mean_power(scenario, nobody, present_by_pool);

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

Figure<double> embodied_carbon(const EmbodiedFigures& figures, const NodeType& node) {
  const bool workstation = node.gpus <= kMostWorkstationGpus;
  const Figure<double>& card = figures.card;
  const Figure<double>& rest = workstation ? figures.workstation : figures.server;
  const double n = node.gpus;
  Figure<double> kg;
  kg.value = n * card.value + rest.value;
  kg.low = n * card.low + rest.low;
  kg.high = n * card.high + rest.high;
  kg.from.estimate = card.from.estimate || rest.from.estimate;
  kg.from.source = kg.from.estimate ? "estimate" : card.from.source;
  kg.from.as_of = std::max(card.from.as_of, rest.from.as_of);
  const auto why = [](const Figure<double>& f) { return f.from.estimate ? f.from.note : f.from.source; };
  kg.from.note = fmt::format(
      "{:.0f} kg CO2e a GPU ({:.0f} to {:.0f}: {}) and {:.0f} for the rest of a {} ({:.0f} to {:.0f}: {})",
      card.value, card.low, card.high, why(card), rest.value, workstation ? "node of up to 4 GPUs" : "server",
      rest.low, rest.high, why(rest));
  return kg;
}

Figure<double> embodied_carbon(const Scenario& scenario) {
  Figure<double> sum;
  sum.from = {"estimate", "", true, ""};
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0 || pool.existing || pool.node.rented()) continue;
    const Figure<double> one = embodied_carbon(scenario.prices.embodied, pool.node);
    sum.value += one.value * pool.count;
    sum.low += one.low * pool.count;
    sum.high += one.high * pool.count;
    sum.from.as_of = std::max(sum.from.as_of, one.from.as_of);
    if (sum.from.note.find(one.from.note) == std::string::npos)
      sum.from.note += (sum.from.note.empty() ? "" : "; ") + one.from.note;
  }
  return sum;
}

}  // namespace fleetsim
