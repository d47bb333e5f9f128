// `time.warm_up: mser-5`: one warm-up for all runs of a study, found in a pilot run of each fleet.
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "sim/study/run_length.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

/// Waits of the jobs that were submitted within time.measure of a run that starts empty and measures at once
/// (replication 0), in the order of submission, all classes together: from submit to start in seconds, of one
/// that still waits up to the end.
struct PilotRun {
  std::vector<double> wait_s;
  std::vector<Duration> submit;  ///< from the start
};
[[nodiscard]] PilotRun pilot_run(const Scenario& scenario);

/// MSER-5 of a pilot: up to the submission of the first job that is kept, in whole hours, rounded up.
[[nodiscard]] WarmUpFound::Pilot judge_pilot(const std::string& fleet, const PilotRun& run);

/// Runs a pilot of each of `n` fleets and takes the largest warm-up of those that settle, so that paired
/// differences compare the same window; where none settles, `otherwise`. It depends on the fleets alone:
/// every thread, shard and round of a study finds the same one. Empty: stopped. Cost: one replication of each
/// fleet, `threads` at a time (0: all cores).
[[nodiscard]] std::optional<WarmUpFound> find_warm_up(
    std::size_t n, const std::function<Candidate(std::size_t)>& fleet, Duration otherwise, int threads,
    const std::function<void(const StudyProgress&)>& progress = {}, const std::atomic<bool>* stop = nullptr);

}  // namespace fleetsim
