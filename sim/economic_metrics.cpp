// Metrics that need prices and power, over the measurement window.
//   energy_kwh               = mean IT power at the utilisation of each pool x PUE; of a class: what its GPUs
//                              drew above idle. Classes, trace and idle_energy_kwh add up to the whole
//   energy_cost              = the same at the price of energy
//   gpu_time_cost            = what the fleet costs in the window, shared by GPU time held (cost_by_class());
//                              idle_gpu_time_cost is what no job asked for. Undefined while a node has no
//                              price
//   carbon_kg                = CO2e of that energy, where the site says what its grid emits: hour by hour of
//                              the day. Classes, trace and idle_carbon_kg add up to the whole
//   burst_cost               = rent of the window for jobs that burst, where they may: GPU-hours x rate
//   cost_per_useful_gpu_hour = cost of all years at that use / GPU-hours of effective use in them, on the
//                              fleet and on rented GPUs;
//                              undefined while a node has no price or nothing was of use.
//                              Smaller items without a price count as 0; the bill lists them
#include <limits>

#include "sim/economics/carbon.hpp"
#include "sim/economics/economics.hpp"
#include "sim/economics/energy.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double kwh_of(std::int64_t joules) {
  return to_kwh(Joules{static_cast<double>(joules)});
}

double gpu_hours(const GpuTime& held, std::size_t row) {
  std::int64_t us = 0;
  for (std::size_t p = 0; p < held.pools(); ++p) us += held.us(row, p);
  return static_cast<double>(us) / 3.6e9;
}

bool all_priced(const Scenario& scenario) {
  for (const NodePool& pool : scenario.pools)
    if (pool.count > 0 && !pool.existing && !pool.node.priced() && !pool.node.rented()) return false;
  return true;
}

/// `bill` is null while a node has no price.
void add_shares(const Scenario& scenario, const GpuTime& held, const SharedOut<std::int64_t>& joules,
                const Bill* bill, Metrics& metrics) {
  const bool priced = bill != nullptr;
  const SharedOut<Money> energy = energy_cost(scenario, joules);
  SharedOut<Money> cost;
  if (bill != nullptr) cost = cost_by_class(scenario, *bill, held, energy);
  const auto usd_or_unknown = [&](Money money) { return priced ? to_usd(money) : kUnknown; };

  std::vector<Metric>& all = metrics.all.values;
  all.push_back({"energy_cost", "USD", to_usd(energy.total)});
  all.push_back({"idle_energy_kwh", "kWh", kwh_of(joules.idle)});
  all.push_back({"idle_energy_cost", "USD", to_usd(energy.idle)});
  all.push_back({"gpu_time_cost", "USD", usd_or_unknown(cost.total)});
  all.push_back({"idle_gpu_time_cost", "USD", usd_or_unknown(cost.idle)});
  for (std::size_t c = 0; c < metrics.classes.size(); ++c) {
    // The scope behind the classes is the trace's; the last classes may have drawn no job at all.
    const bool trace = c == scenario.workload.classes.size();
    const std::size_t row = trace ? held.classes() : c;
    std::vector<Metric>& values = metrics.classes[c].values;
    values.push_back({"gpu_hours_held", "GPU h", trace || c < held.classes() ? gpu_hours(held, row) : 0.0});
    values.push_back({"energy_kwh", "kWh", kwh_of(trace ? joules.trace : joules.classes[c])});
    values.push_back({"energy_cost", "USD", to_usd(trace ? energy.trace : energy.classes[c])});
    values.push_back(
        {"gpu_time_cost", "USD", priced ? to_usd(trace ? cost.trace : cost.classes[c]) : kUnknown});
  }
}

void add_burst_cost(const Scenario& scenario, Metrics& metrics) {
  if (!scenario.scheduler.burst) return;
  const auto add = [&](MetricSet& set) {
    const Money rent = scaled(scenario.scheduler.burst->rate.value, set.value("burst_gpu_hours"));
    set.values.push_back({"burst_cost", "USD", to_usd(rent)});
  };
  add(metrics.all);
  for (MetricSet& of_class : metrics.classes) add(of_class);
  for (MetricSet& of_group : metrics.groups) add(of_group);
}

void add_carbon(const Scenario& scenario, const GpuTime& held, const std::vector<double>& present,
                Metrics& metrics) {
  if (!carbon_asked(scenario)) return;
  const OperationalCarbon carbon = operational_carbon(scenario, held, present);
  metrics.all.values.push_back({"carbon_kg", "kg CO2e", carbon.total});
  metrics.all.values.push_back({"idle_carbon_kg", "kg CO2e", carbon.idle});
  for (std::size_t c = 0; c < metrics.classes.size(); ++c) {
    const bool trace = c == scenario.workload.classes.size();
    metrics.classes[c].values.push_back({"carbon_kg", "kg CO2e", trace ? carbon.trace : carbon.classes[c]});
  }
}

}  // namespace

void add_economic_metrics(const Scenario& scenario, const GpuTime& held, Metrics& metrics) {
  std::vector<double> utilisation, present;
  double gpus = 0.0;
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    utilisation.push_back(metrics.pools[p].utilisation_allocated);
    present.push_back(metrics.pools[p].present);
    gpus += scenario.pools[p].count * scenario.pools[p].node.gpus;
  }
  const bool priced = all_priced(scenario);
  const Watts power = mean_power(scenario, utilisation);
  const Watts drawn = mean_power(scenario, utilisation, present);
  const double energy_kwh = drawn.count() * scenario.site.pue * to_hours(scenario.time.measure) / 1000.0;
  metrics.all.values.push_back({"energy_kwh", "kWh", energy_kwh});

  const SharedOut<std::int64_t> joules = energy_by_class(scenario, held, utilisation, present);
  const Bill bill = bill_of_materials(scenario);
  const auto a_year = [&](const char* metric) {
    return burst_hours_a_year(scenario, metrics.all.value(metric));
  };
  const double useful_gpu_hours =
      (metrics.all.value("utilisation_effective") * gpus * kHoursPerYear + a_year("burst_useful_gpu_hours")) *
      scenario.economics.years;
  double cost = kUnknown;
  if (priced && useful_gpu_hours > 0.0)
    cost = to_usd(cost_by_year(scenario, bill, {power, a_year("burst_gpu_hours")}).total) / useful_gpu_hours;
  metrics.all.values.push_back({"cost_per_useful_gpu_hour", "USD", cost});
  add_shares(scenario, held, joules, priced ? &bill : nullptr, metrics);
  add_burst_cost(scenario, metrics);
  add_carbon(scenario, held, present, metrics);
}

}  // namespace fleetsim
