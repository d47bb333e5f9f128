#include "sim/cli/energy_text.hpp"

#include <fmt/format.h>

#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim::cli {

std::string energy_text(const EnergyInfo& energy) {
  if (energy.lines.empty()) return {};
  const bool carbon = !energy.grid.empty();
  Rows rows{{"energy a year", "GPU h", "kWh", "cost"}};
  if (carbon) rows.front().emplace_back("kg CO2e");
  const auto add = [&](const std::string& name, double gpu_hours, double kwh, Money cost, double carbon_kg) {
    rows.push_back({name, fmt::format("{:.0f}", gpu_hours), fmt::format("{:.0f}", kwh), money_text(cost)});
    if (carbon) rows.back().push_back(fmt::format("{:.0f}", carbon_kg));
  };
  double gpu_hours = 0.0;
  for (const EnergyLine& line : energy.lines) {
    add(line.name, line.gpu_hours, line.kwh, line.cost, line.carbon_kg);
    gpu_hours += line.gpu_hours;
  }
  add("meter", gpu_hours, energy.kwh, energy.cost, energy.operational_kg);
  std::string text = aligned(rows);
  if (!carbon) return text;
  text +=
      fmt::format("  operational carbon {:.0f} kg CO2e a year, grid {}{}\n", energy.operational_kg,
                  energy.grid, energy.grid_source.empty() ? ", no source given" : ", " + energy.grid_source);
  text += fmt::format("  embodied carbon {:.0f} kg CO2e, once ({:.0f} to {:.0f}, estimate)\n",
                      energy.embodied_kg, energy.embodied_low_kg, energy.embodied_high_kg);
  return text;
}

}  // namespace fleetsim::cli
