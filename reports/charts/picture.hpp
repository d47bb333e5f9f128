// One drawing as SVG text, for commands that print a picture without a report around it.
#pragma once

#include <string>

#include "reports/doc.hpp"

namespace fleetsim {

/// Draws in a folder of its own below the system's temporary folder and removes it. Throws EnvironmentError
/// when the folder cannot be made, when the program that draws is missing (naming its package) or fails.
[[nodiscard]] std::string svg_of(const Drawing& drawing);

}  // namespace fleetsim
