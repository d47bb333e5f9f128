// Trace -> Workload: a recorded workload as rows of the engine's tables.
#pragma once

#include "sim/scenario.hpp"
#include "sim/workload/trace.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

/// One row a trace job, in the trace's order; shape 0, class kNoClass, all in `queue`. Without a recorded
/// limit the run time serves as limit.
[[nodiscard]] Workload workload_from_trace(const Trace& trace, QueueId queue);

/// Run time of a recorded job on `gpu` over its recorded one. Recorded jobs name no model, so where the GPU
/// that they ran on is known the ratio of memory bandwidths stands for the speed (an estimate: most training
/// steps are bound by memory); where it is not, their run time holds everywhere: 1.
[[nodiscard]] double recorded_time_ratio(const WorkloadSpec& workload, const GpuType& gpu);

}  // namespace fleetsim
