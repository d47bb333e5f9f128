// Name of a recorded workload beside the classes, wherever classes are listed.
#pragma once

namespace fleetsim {

/// Metrics::classes holds one more set behind those of the classes where the workload has a trace: this one.
inline constexpr const char* kTraceScope = "trace";

}  // namespace fleetsim
