// Scenario -> RunResult. Pure: the same value in gives the same bytes out, on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/metrics/gpu_time.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/scenario.hpp"
#include "sim/workload/workload.hpp"

namespace fleetsim {

/// What jobs do on the GPUs that are rented for those that have waited too long, by shape.
struct BurstTable {
  std::vector<double> ratio;       ///< run = wall * ratio; negative: it never goes there, and waits on
  std::vector<double> efficiency;  ///< scaling efficiency there; 1 where it never goes
};

/// A scenario made ready for the engine: run-time table, queues by sharing rule, fabric.
struct Prepared {
  std::vector<EnginePool> pools;
  std::vector<EngineQueue> queues;
  RunTimeTable run_time;
  /// Scaling efficiency of the packed placement, laid out like run_time: 1-GPU step over step. 1 where the
  /// shape cannot run.
  RunTimeTable efficiency;
  BurstTable burst;                ///< empty where nothing is rented for jobs that wait
  std::vector<std::string> notes;  ///< e.g. "class scale_up with 16 GPUs can run nowhere: ..."
};
/// With private machines a pool and a queue for every user. Pools with count 0 stay in the tables (so ids
/// match) but hold nothing. Errors: std::invalid_argument for a fabric that cannot be wired (the loader
/// checks beforehand).
[[nodiscard]] Prepared prepare(const Scenario& scenario, const std::vector<JobShape>& shapes);

/// Why jobs of this shape never go to rented GPUs, in words that follow "they stay: "; empty when they may.
/// Precondition: scheduler.burst.
[[nodiscard]] std::string burst_obstacle(const Scenario& scenario, const JobShape& shape);
/// Run-time ratios and efficiencies of all shapes on the rented node; empty without scheduler.burst.
[[nodiscard]] BurstTable burst_table(const Scenario& scenario, const std::vector<JobShape>& shapes);
/// What the engine is told of it; interruptions are drawn by job and attempt, the same on every fleet.
[[nodiscard]] std::optional<Bursting> bursting(const Scenario& scenario, const BurstTable& table,
                                               std::uint32_t replication);

/// The requests as the scheduler of this fleet sees them: queue by sharing rule, and limit = factor x packed,
/// uncontended run time on the slowest pool (or rented node) where the job may run, rounded up to 15 min, at
/// most the partition's max_time. A trace job keeps its recorded limit, stretched when it runs longer than
/// recorded.
[[nodiscard]] JobRequests bind(const Scenario& scenario, const Prepared& prepared, const Workload& workload);

/// When nodes come and go until `stop`, sorted. Each node draws from a stream of its own, named by its pool
/// and its place in it: fleets that are compared face the same outages, whatever jobs they run. Empty when
/// the scenario has neither failures, deliveries nor retirements with a date.
[[nodiscard]] std::vector<NodeEvent> draw_node_events(const Scenario& scenario,
                                                      const std::vector<EnginePool>& pools,
                                                      std::uint32_t replication, Instant stop);

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

/// Appends energy, carbon and money to the metrics of the whole run and of each class. `held`: GPU time of
/// the window.
void add_economic_metrics(const Scenario& scenario, const GpuTime& held, Metrics& metrics);

/// Why not every user can have a private machine, one sentence: there must be one pool with as many nodes as
/// there are users, and no trace. Empty: each can.
[[nodiscard]] std::string private_problem(const Scenario& scenario);

/// Why `run` and `study` cannot evaluate this scenario: a policy that is not built. Empty: fine.
[[nodiscard]] std::vector<std::string> unbuilt_features(const Scenario& scenario);

}  // namespace fleetsim
