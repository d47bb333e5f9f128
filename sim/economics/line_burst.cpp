// Rent of GPUs for jobs that have waited too long.
#include <fmt/format.h>

#include <cmath>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

double burst_hours_a_year(const Scenario& scenario, double gpu_hours_of_window) {
  if (!std::isfinite(gpu_hours_of_window)) return 0.0;
  return gpu_hours_of_window * kHoursPerYear / to_hours(scenario.time.measure);
}

/// A year = GPU-hours of the window x (hours of a year / hours of the window) x rate, rounded once.
std::optional<CostLine> burst_line(const CostInput& in) {
  const std::optional<BurstSpec>& burst = in.scenario.scheduler.burst;
  if (!burst || in.burst_gpu_hours <= 0.0) return std::nullopt;
  const Figure<Money>& rate = burst->rate;
  const std::string date = rate.from.as_of.empty() ? "" : ", " + rate.from.as_of;
  return CostLine{kBurstItem, std::vector<Money>(in.years, to_cents(scaled(rate.value, in.burst_gpu_hours))),
                  fmt::format("{:.3f} {}-hours a year, as simulated, x {} {} ({}{}); {}", in.burst_gpu_hours,
                              accelerator_word(burst->node.gpu), money_text(rate.value),
                              to_string(burst->terms), rate.from.source, date,
                              burst->whole_nodes ? "jobs pay for the whole node"
                                                 : "jobs pay for the GPUs that they hold"),
                  rate.from.estimate};
}

}  // namespace fleetsim
