// One figure: its data, its script and its SVG, side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/doc.hpp"

namespace fleetsim {

/// Writes NAME.csv, CHART.gp, style.gp and NAME.svg (gnuplot) or NAME.dot and NAME.svg (Graphviz) to
/// `folder`; returns the file names. Restyle a figure with: gnuplot -d -c CHART.gp NAME.svg NAME.csv
/// ARGUMENTS. Throws EnvironmentError when the tool fails; its log is NAME.log. Cost: about 0.1 s a figure.
std::vector<std::string> draw(const Drawing& drawing, const std::filesystem::path& folder);

}  // namespace fleetsim
