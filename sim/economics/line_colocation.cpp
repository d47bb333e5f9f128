// Rent of room, cooling and uninterrupted supply, by the power that is contracted: all own nodes at load.
#include <fmt/format.h>

#include "sim/economics/cost_lines.hpp"
#include "sim/economics/rounding.hpp"

namespace fleetsim {

/// A year = 12 x price per kW and month x IT power of all own nodes at load. Electricity is a line of its
/// own; where the contract includes it, the scenario says site.electricity: 0.
std::optional<CostLine> colocation_line(const CostInput& in) {
  const Money rate = in.scenario.economics.colocation_per_kw_month;
  if (rate == Money{}) return std::nullopt;
  const double kw = peak_it_power(in.scenario).count() / 1000.0;
  constexpr double kMonths = 12.0;
  return CostLine{
      "Colocation",
      every_year(in, [&](std::size_t y) { return scaled(rate, kMonths * kw * share_of_power_there(in, y)); }),
      fmt::format("{:.2f} kW of all own nodes at load x {} per kW and month x 12{}", kw, money_text(rate),
                  while_there(in)),
      false};
}

}  // namespace fleetsim
