// A finished run -> Metrics.
#pragma once

#include "sim/engine/engine.hpp"
#include "sim/metrics/ledger.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// All metrics of one replication. Tagged jobs are those submitted in [tag_begin, tag_end) of the input, and
/// the promoted jobs behind them. `efficiency` is laid out like input.run_time; `burst_efficiency`, by shape,
/// is that on rented GPUs, where jobs may go there. The ledger must have watched the run and be closed. Cost:
/// O(jobs), small beside the run itself.
[[nodiscard]] Metrics measure(const Scenario& scenario, const EngineInput& input, const EngineResult& result,
                              const Ledger& ledger, const RunTimeTable& efficiency,
                              const std::vector<double>& burst_efficiency = {});

/// The value below or at which a share `p` of the values lies, by nearest rank: the ceil(p n)-th smallest of
/// n (the smallest for p = 0); no interpolation, so it is always a value that occurred. NaN for no values.
/// Reorders `values`. Cost: O(n).
[[nodiscard]] double percentile(std::vector<double>& values, double p);

}  // namespace fleetsim
