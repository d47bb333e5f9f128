// Scenario -> RunResult. Pure: the same value in gives the same bytes out, on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/scenario.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

/// A scenario made ready for the engine: run-time table, queues by sharing rule, fabric.
struct Prepared {
  std::vector<EnginePool> pools;
  std::vector<EngineQueue> queues;
  RunTimeTable run_time;
  std::vector<std::string> notes;  ///< e.g. "class scale_up can run nowhere: ..."
};
/// Pools with count 0 stay in the tables (so ids match) but hold nothing.
[[nodiscard]] Prepared prepare(const Scenario& scenario, const std::vector<JobShape>& shapes);

struct RunResult {
  Metrics metrics;
  std::uint64_t events = 0;
  std::uint64_t replay_hash = 0;
};

/// `workload` must come from generate(scenario', replication) with the same workload section, seed and
/// horizon; a study shares it among fleets. `outcome`, when given, receives the job table (for --schedule).
[[nodiscard]] RunResult simulate(const Scenario& scenario, const Workload& workload,
                                 EngineResult* outcome = nullptr);
[[nodiscard]] RunResult simulate(const Scenario& scenario, std::uint32_t replication);

/// Why `run` and `study` cannot evaluate this scenario: policy or sharing values that are not built. Empty:
/// fine.
[[nodiscard]] std::vector<std::string> unbuilt_features(const Scenario& scenario);

}  // namespace fleetsim
