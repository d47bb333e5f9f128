// Carbon of a fleet: of the energy that it draws, and of making it. The two are never added up: one is known
// as well as the grid is, the other is an estimate with a wide range.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/metrics/gpu_time.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// Whether the site says what its grid emits.
[[nodiscard]] bool carbon_asked(const Scenario& scenario);
/// kg CO2e per kWh in an hour of the day, 0 to 23. Precondition: carbon_asked().
[[nodiscard]] double grid_kg_per_kwh(const CarbonSpec& carbon, std::size_t hour);

/// `0.4 kg CO2e/kWh`, or from least to most by hour of the day. Precondition: there is a grid.
[[nodiscard]] std::string grid_text(const CarbonSpec& carbon);

/// kg CO2e of the energy at the meter in the measurement window; `total` is the sum of the lines.
struct OperationalCarbon {
  std::vector<double> classes;  ///< index = ClassId: of what the GPUs of its jobs drew above idle
  double trace = 0.0;           ///< of jobs of a recorded workload
  double idle = 0.0;            ///< of the idle power of the fleet
  double total = 0.0;
};
/// Energy of each hour of the day times what the grid emits in it: GPU time held is integrated by hour, idle
/// power is even over the window; `present_by_pool` as for mean_power(). Precondition: carbon_asked().
[[nodiscard]] OperationalCarbon operational_carbon(const Scenario& scenario, const GpuTime& held,
                                                   const std::vector<double>& present_by_pool = {});

/// kg CO2e of making one node: its GPUs and all else. The note says on what it rests.
[[nodiscard]] Figure<double> embodied_carbon(const EmbodiedFigures& figures, const NodeType& node);
/// Of the nodes that are bought. Nodes that stand there already, and rented ones, are not made for this.
[[nodiscard]] Figure<double> embodied_carbon(const Scenario& scenario);

}  // namespace fleetsim
