#include "sim/economics/energy.hpp"

#include <cmath>
#include <numeric>

#include "sim/base/assert.hpp"

namespace fleetsim {

namespace {

/// Lines by share(row), where the row behind the classes is the trace; idle takes what is left of the total.
template <class Unit, class Share>
SharedOut<Unit> share_out(const Scenario& scenario, const GpuTime& held, Unit total, const Share& share) {
  SharedOut<Unit> out;
  out.total = out.idle = total;
  out.classes.resize(scenario.workload.classes.size());
  FLEETSIM_ASSERT(held.classes() <= out.classes.size());
  for (std::size_t c = 0; c < held.classes(); ++c) {
    out.classes[c] = share(c);
    out.idle -= out.classes[c];
  }
  out.trace = share(held.classes());
  out.idle -= out.trace;
  return out;
}

/// Parts of the pools in the standing cost: purchase and the rent of all years, or GPUs where nothing has a
/// price (nodes that the lab owns).
std::vector<double> worth_by_pool(const Scenario& scenario) {
  std::vector<double> worth, gpus;
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    const NodePool& pool = scenario.pools[p];
    const Money one = pool.node.rented() ? rent_a_year(pool.node) * scenario.economics.years
                      : pool.existing    ? Money{}
                                         : node_price(scenario, PoolId{static_cast<std::uint16_t>(p)});
    worth.push_back(to_usd(one * pool.count));
    gpus.push_back(static_cast<double>(pool.count) * pool.node.gpus);
  }
  const double all = std::accumulate(worth.begin(), worth.end(), 0.0);
  const double all_gpus = std::accumulate(gpus.begin(), gpus.end(), 0.0);
  std::vector<double>& use = all > 0.0 ? worth : gpus;
  for (double& part : use) part = part > 0.0 ? part / (all > 0.0 ? all : all_gpus) : 0.0;
  return use;
}

}  // namespace

SharedOut<std::int64_t> energy_by_class(const Scenario& scenario, const GpuTime& held,
                                        const std::vector<double>& utilisation_by_pool) {
  // J at the meter = W x s x PUE
  const double window_s = to_seconds(scenario.time.measure), pue = scenario.site.pue;
  const auto total = static_cast<std::int64_t>(
      std::llround(mean_power(scenario, utilisation_by_pool).count() * window_s * pue));
  return share_out<std::int64_t>(scenario, held, total, [&](std::size_t row) {
    double joules = 0.0;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p)
      joules += static_cast<double>(held.us(row, p)) / 1e6 * power_of_busy_gpu(scenario.pools[p]).count();
    return static_cast<std::int64_t>(std::llround(joules * pue));
  });
}

SharedOut<Money> energy_cost(const Scenario& scenario, const SharedOut<std::int64_t>& joules) {
  const Money per_kwh{scenario.site.electricity.count()};
  const auto price = [&](std::int64_t j) { return scaled(per_kwh, to_kwh(Joules{static_cast<double>(j)})); };
  SharedOut<Money> out;
  out.total = out.idle = price(joules.total);
  for (const std::int64_t j : joules.classes) {
    out.classes.push_back(price(j));
    out.idle -= out.classes.back();
  }
  out.trace = price(joules.trace);
  out.idle -= out.trace;
  return out;
}

SharedOut<Money> cost_by_class(const Scenario& scenario, const Bill& bill, const GpuTime& held,
                               const SharedOut<Money>& energy) {
  const std::vector<double> nobody(scenario.pools.size(), 0.0);
  const CostTable standing = cost_by_year(scenario, bill, mean_power(scenario, nobody));
  const double window_h = to_hours(scenario.time.measure);
  const auto years = static_cast<double>(standing.total_by_year.size());
  const Money of_window = scaled(standing.total, window_h / (years * kHoursPerYear));
  const std::vector<double> worth = worth_by_pool(scenario);
  const Money dynamic = energy.total - energy.idle;
  return share_out<Money>(scenario, held, of_window + dynamic, [&](std::size_t row) {
    double part = 0.0;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
      const double there_h = window_h * scenario.pools[p].count * scenario.pools[p].node.gpus;
      if (there_h > 0.0) part += worth[p] * (static_cast<double>(held.us(row, p)) / 3.6e9) / there_h;
    }
    const Money drawn = row < held.classes() ? energy.classes[row] : energy.trace;
    return scaled(of_window, part) + drawn;
  });
}

}  // namespace fleetsim
