// Who uses the energy of a fleet in a year of operation, what that emits, and what making the fleet emitted.
#pragma once

#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// A job class, the jobs of a trace, or what stands idle. A year of 8760 h like the measurement window.
struct EnergyLine {
  std::string name;
  double gpu_hours = 0.0;  ///< held; of `idle`: not held
  double kwh = 0.0;        ///< at the meter, whole kWh
  Money cost;              ///< of the energy, whole cents
  double carbon_kg = 0.0;  ///< CO2e, whole kg; 0 without a grid
};

/// Lines add up to the totals: those of classes are rounded each by itself, idle is the rest.
struct EnergyInfo {
  std::vector<EnergyLine> lines;  ///< classes, the trace if there is one, `idle`
  double kwh = 0.0;
  Money cost;
  std::string grid, grid_source, grid_as_of;  ///< as printed, e.g. "0.4 kg CO2e/kWh"; empty: not asked for
  double operational_kg = 0.0;                ///< CO2e of the energy of a year
  double embodied_kg = 0.0, embodied_low_kg = 0.0, embodied_high_kg = 0.0;  ///< CO2e of making the fleet
  std::string embodied_basis;
};

struct CandidateResult;
struct Scenario;
/// `kwh_a_year` at the meter, as in Dossier. Without a simulated fleet (null) nothing is shared out.
[[nodiscard]] EnergyInfo energy_info(const Scenario& scenario, const CandidateResult* fleet,
                                     double kwh_a_year);

}  // namespace fleetsim
