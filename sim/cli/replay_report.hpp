// What `fleetsim replay` says about a replayed trace, and the schedule that it writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/workload/trace.hpp"

namespace fleetsim::cli {

/// Over all jobs that ran. Times in seconds; NaN where no job has the figure.
struct ReplaySummary {
  std::int64_t jobs = 0;  ///< submitted
  std::int64_t states[kJobStates] = {};
  std::vector<std::int64_t> impossible;  ///< ids of the jobs that fit on no part of the machine, ascending
  double wait_s = 0.0, wait_s_p50 = 0.0, wait_s_p90 = 0.0;
  double zero_wait_share = 0.0;
  double bounded_slowdown = 0.0;  ///< mean of max(1, (wait + run) / max(run, 10 s))
  double makespan_s = 0.0;        ///< first submit to last end
  double utilisation = 0.0;       ///< processor time used over processors x makespan
  std::int64_t recorded_waits = 0;
  double recorded_wait_s = 0.0;
  double simulated_wait_s_of_these = 0.0;  ///< of the jobs that have a recorded wait
};

[[nodiscard]] ReplaySummary summarise_replay(const Trace& trace, const EngineResult& result,
                                             std::int64_t processors);

/// `job_id,submit,start,end`, ordered by job id, submit as in the trace's file; jobs that did not run are
/// left out. Whole seconds as integers when the trace has whole seconds.
[[nodiscard]] std::string schedule_csv(const Trace& trace, const EngineResult& result);

struct ReplaySetup {
  std::string file, machine, policy, ties;
  bool kill_at_limit = true;
  std::int64_t processors = 0;
  std::int64_t outside = 0;  ///< jobs that --from and --to left out
};
[[nodiscard]] std::string replay_text(const ReplaySetup& setup, const Trace& trace,
                                      const ReplaySummary& summary, const EngineResult& result);
[[nodiscard]] std::string replay_json(const ReplaySetup& setup, const Trace& trace,
                                      const ReplaySummary& summary, const EngineResult& result);

}  // namespace fleetsim::cli
