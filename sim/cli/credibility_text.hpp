// What `study` prints of the replayed trace.
#pragma once

#include <string>

#include "sim/study/credibility.hpp"

namespace fleetsim::cli {

/// Recorded beside simulated waits, to be read before any advice.
[[nodiscard]] std::string credibility_text(const Credibility& credibility);

}  // namespace fleetsim::cli
