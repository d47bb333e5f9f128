// What each group of users got, where the scenario names groups.
//   gpu_hours_held = GPU time that jobs of the group held in the window, tagged or not
//   use_share      = the group's part of all GPU time that was held in it
//   group_fairness = Jain's index of the GPU time per user of each group with users: (sum x)^2 / (n sum x^2),
//                    1 when all groups have equally much, 1/n when one of n has all. It speaks of use, not of
//                    need: groups that ask for different amounts get different amounts on an empty fleet.
//                    Source: Jain, Chiu & Hawe, DEC Research Report TR-301 (1984), equation 1.
#include <algorithm>

#include "sim/metrics/run_view.hpp"

namespace fleetsim {

namespace {

/// By group, in microseconds times GPUs. Time in the cloud is not the fleet's.
std::vector<std::int64_t> held_by_group(const RunView& run) {
  std::vector<std::int64_t> held_us(run.tagged_by_group.size());
  const auto hold = [&](std::size_t job, Instant start, Instant end) {
    const Instant from = std::max(start, run.begin), until = std::min(end, run.end);
    if (from >= until) return;
    held_us[run.requests.group[job]] += (until - from).count() * std::int64_t{run.requests.gpus[job]};
  };
  for (std::size_t job = 0; job < run.requests.size(); ++job)
    if (run.started(job) && run.jobs.pool[job] != kCloudPool) hold(job, run.jobs.start[job], run.last(job));
  for (const Attempt& attempt : run.result.attempts)
    if (attempt.requeued && attempt.pool != kCloudPool) hold(index(attempt.job), attempt.start, attempt.end);
  return held_us;
}

}  // namespace

void measure_groups(const RunView& run, Metrics& metrics) {
  if (run.tagged_by_group.empty()) return;
  const std::vector<std::int64_t> held_us = held_by_group(run);
  std::int64_t all_us = 0;
  for (const std::int64_t us : held_us) all_us += us;
  double sum = 0.0, squares = 0.0, groups = 0.0;
  for (std::size_t g = 0; g < held_us.size(); ++g) {
    std::vector<Metric>& values = metrics.groups[g].values;
    values.push_back({"gpu_hours_held", "GPU h", to_hours(Duration(held_us[g]))});
    values.push_back({"use_share", "ratio",
                      ratio_or_undefined(static_cast<double>(held_us[g]), static_cast<double>(all_us))});
    const auto& named = run.scenario.workload.groups;
    if (g >= named.size() || named[g].users == 0) continue;
    const double each = static_cast<double>(held_us[g]) / named[g].users;
    sum += each;
    squares += each * each;
    groups += 1.0;
  }
  metrics.all.values.push_back({"group_fairness", "ratio", ratio_or_undefined(sum * sum, groups * squares)});
}

}  // namespace fleetsim
