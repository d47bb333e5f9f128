// The Pareto front, as `study` prints it.
#pragma once

#include <string>

#include "sim/study/front.hpp"

namespace fleetsim::cli {

/// A table a sharing rule, and what it promises.
[[nodiscard]] std::string front_text(const Front& front);

}  // namespace fleetsim::cli
