// Is the simulator to be believed? The recorded trace is replayed on the nodes on which it was recorded, and
// the waits are laid beside those that were recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fleetsim {

struct Scenario;

/// Means that differ by more than this share of the recorded one are no basis for a confident verdict.
inline constexpr double kCredibleDifference = 0.5;

/// Recorded and simulated waits of the same jobs, in seconds.
struct WaitPair {
  std::string jobs;  ///< "all", "1 GPU", "2 to 8 GPUs", "more than 8 GPUs"
  std::int64_t n = 0;
  double recorded_mean_s = 0.0, recorded_p50_s = 0.0, recorded_p95_s = 0.0;
  double simulated_mean_s = 0.0, simulated_p50_s = 0.0, simulated_p95_s = 0.0;
};

struct Credibility {
  std::string trace;              ///< its file
  std::string cluster;            ///< "2 x supermicro-8x-rtx2080ti"
  std::string policy;             ///< "easy, overflow sharing"
  std::vector<WaitPair> waits;    ///< all jobs first, then by size; empty: nothing to compare
  std::int64_t without_wait = 0;  ///< jobs that no wait was recorded of
  std::int64_t not_run = 0;       ///< jobs with one that cannot run on these nodes
  std::string answer;             ///< agrees | differs | unchecked
  std::string sentence;           ///< for the reader, the figures in it
  /// Whether a verdict may be confident: nothing speaks against the simulator, as far as could be checked.
  [[nodiscard]] bool credible() const { return answer != "differs"; }
};

/// Empty where the scenario has no trace or no existing nodes. The replay: the existing nodes alone, under
/// the scenario's policy and sharing rule, without other classes, failures, deliveries or retirements; each
/// job keeps its recorded run time, or what workload.trace.recorded_on makes of it. It needs no random
/// numbers. Cost: one simulation of the trace.
[[nodiscard]] std::optional<Credibility> replay_recorded(const Scenario& scenario);

}  // namespace fleetsim
