// The map of a study, and what a plan says of its cells, as text for a terminal.
#pragma once

#include <string>

#include "sim/study/cells.hpp"

namespace fleetsim::cli {

/// One table a sharing rule: the best share and the best set of every cell for the scenario's k, then the
/// shares that keep the limits. Ends with a newline.
[[nodiscard]] std::string map_text(const Scenario& base, const StudyMap& map);

/// Axes, and a line a cell: demand, candidates, runs.
[[nodiscard]] std::string cells_text(const CellsPlan& plan);

}  // namespace fleetsim::cli
