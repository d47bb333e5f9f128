// Standard Workload Format (Feitelson et al.), version 2.2, plain or gzip.
#pragma once

#include <filesystem>

#include "sim/base/diagnostic.hpp"
#include "sim/workload/trace.hpp"

namespace fleetsim {

/// Reads a whole trace. Lines that cannot be used are dropped, repaired ones kept, both counted by reason;
/// never silently. A file without a single job line is an error in `diagnostics`. Throws EnvironmentError
/// when unreadable.
[[nodiscard]] Trace read_swf(const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace fleetsim
