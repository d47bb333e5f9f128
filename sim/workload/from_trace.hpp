// Trace -> Workload: a recorded workload as rows of the engine's tables.
#pragma once

#include "sim/workload/trace.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

/// One row a trace job, in the trace's order; shape 0, class kNoClass, all in `queue`. Without a recorded
/// limit the run time serves as limit.
[[nodiscard]] Workload workload_from_trace(const Trace& trace, QueueId queue);

}  // namespace fleetsim
