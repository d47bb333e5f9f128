// Metrics that need prices and power.
//   energy_kwh               = mean IT power at the utilisation of each pool x PUE, over the window
//   cost_per_useful_gpu_hour = cost of all years at that power / GPU-hours of effective use in them;
//                              undefined while a node has no price or nothing was of use.
//                              Smaller items without a price count as 0; the bill lists them
#include <limits>

#include "sim/economics/economics.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

void add_economic_metrics(const Scenario& scenario, Metrics& metrics) {
  std::vector<double> utilisation;
  double gpus = 0.0;
  bool priced = true;
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    utilisation.push_back(metrics.pools[p].utilisation_allocated);
    gpus += scenario.pools[p].count * scenario.pools[p].node.gpus;
    priced = priced && (scenario.pools[p].count == 0 || scenario.pools[p].node.priced() ||
                        scenario.pools[p].node.rented());
  }
  const Watts power = mean_power(scenario, utilisation);
  const double energy_kwh = power.count() * scenario.site.pue * to_hours(scenario.time.measure) / 1000.0;
  metrics.all.values.push_back({"energy_kwh", "kWh", energy_kwh});

  const Bill bill = bill_of_materials(scenario);
  const double useful_gpu_hours =
      metrics.all.value("utilisation_effective") * gpus * kHoursPerYear * scenario.economics.years;
  double cost = std::numeric_limits<double>::quiet_NaN();
  if (priced && useful_gpu_hours > 0.0)
    cost = to_usd(cost_by_year(scenario, bill, power).total) / useful_gpu_hours;
  metrics.all.values.push_back({"cost_per_useful_gpu_hour", "USD", cost});
}

}  // namespace fleetsim
