// Who uses the energy of a fleet, as `run` prints it.
#pragma once

#include <string>

#include "sim/study/energy_info.hpp"

namespace fleetsim::cli {

/// A table with a line a class, idle and the meter; carbon below it where the site gives a grid. Empty when
/// nothing was simulated.
[[nodiscard]] std::string energy_text(const EnergyInfo& energy);

}  // namespace fleetsim::cli
