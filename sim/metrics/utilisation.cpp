// GPU time held within the measurement window, by any job, tagged or not.
//   utilisation_allocated = GPU time held / GPU time of the nodes that were there: delivered and not retired.
//                           Failed nodes count, for they are paid for; see node_availability.
//   utilisation_effective = the same, each job weighted with the scaling efficiency of its placement
//   scaling_efficiency    = effective / allocated
#include <algorithm>
#include <array>

#include "sim/engine/outages.hpp"
#include "sim/metrics/run_view.hpp"
#include "sim/workload/profile.hpp"

namespace fleetsim {

namespace {

using ByHour = std::array<std::int64_t, kHoursPerWeek>;

/// Adds `gpus` x time of [from, until) to the hours of the week that it covers.
void spread(ByHour& hours, Instant from, Instant until, std::int64_t gpus) {
  const std::int64_t hour_us = kHour.count();
  std::int64_t at = from.time_since_epoch().count();
  const std::int64_t end = until.time_since_epoch().count(), whole = at / hour_us;
  auto hour = static_cast<std::size_t>(whole % kHoursPerWeek);
  for (std::int64_t next = (whole + 1) * hour_us; at < end; at = next, next += hour_us) {
    hours[hour] += (std::min(end, next) - at) * gpus;
    hour = hour + 1 == hours.size() ? 0 : hour + 1;
  }
}

/// Nodes fill leaf after leaf over all pools.
bool crosses_leaves(const RunView& run, std::size_t job, std::int32_t nodes_per_leaf) {
  const std::int32_t count = run.jobs.node_count[job];
  if (count < 2) return false;
  const NodeSlice* slices = &run.jobs.slices[run.jobs.first_slice[job]];
  const std::size_t leaf = index(slices[0].node) / static_cast<std::size_t>(nodes_per_leaf);
  return std::any_of(slices + 1, slices + count, [&](const NodeSlice& slice) {
    return index(slice.node) / static_cast<std::size_t>(nodes_per_leaf) != leaf;
  });
}

double efficiency_of(const RunView& run, std::size_t job, std::size_t pool, bool crosses) {
  const auto& table = crosses ? run.efficiency.several_leaves : run.efficiency.one_leaf;
  return table[run.truth.shape[job] * run.efficiency.pools + pool];
}

std::int64_t gpus_of(const EnginePool& pool) {
  return std::int64_t{pool.nodes} * pool.gpus_per_node;
}

}  // namespace

void measure_utilisation(const RunView& run, Metrics& metrics) {
  std::vector<std::int64_t> held_us(run.input.pools.size());
  double effective_us = 0.0;
  ByHour held_by_hour{}, hours{};
  const auto hold = [&](std::size_t job, std::size_t pool, Instant start, Instant end, const auto& crosses) {
    const Instant from = std::max(start, run.begin), until = std::min(end, run.end);
    if (from >= until) return;
    const std::int64_t gpus = run.requests.gpus[job];
    const std::int64_t gpu_us = (until - from).count() * gpus;
    held_us[pool] += gpu_us;
    effective_us += static_cast<double>(gpu_us) * efficiency_of(run, job, pool, crosses());
    spread(held_by_hour, from, until, gpus);
  };
  for (std::size_t job = 0; job < run.requests.size(); ++job) {
    if (!run.started(job) || run.jobs.pool[job] == kCloudPool) continue;
    hold(job, index(run.jobs.pool[job]), run.jobs.start[job], run.last(job),
         [&] { return crosses_leaves(run, job, run.input.pools[index(run.jobs.pool[job])].nodes_per_leaf); });
  }
  for (const Attempt& attempt : run.result.attempts) {
    if (!attempt.requeued || attempt.pool == kCloudPool) continue;  // the job's own record holds it
    hold(index(attempt.job), index(attempt.pool), attempt.start, attempt.end,
         [&] { return attempt.crosses_leaves; });
  }

  const auto window_us = static_cast<double>((run.end - run.begin).count());
  std::vector<double> missing_us(held_us.size());  // GPU time of nodes before delivery and after retirement
  ByHour missing_by_hour{};
  for_each_absence(run.input, run.begin, run.end, [&](std::size_t pool, Instant from, Instant until) {
    const std::int64_t gpus = run.input.pools[pool].gpus_per_node;
    missing_us[pool] += static_cast<double>((until - from).count() * gpus);
    spread(missing_by_hour, from, until, gpus);
  });
  double all_held_us = 0.0, all_missing_us = 0.0;
  std::int64_t all_gpus = 0;
  for (std::size_t p = 0; p < held_us.size(); ++p) {
    const std::int64_t gpus = gpus_of(run.input.pools[p]);
    const auto pool_us = static_cast<double>(held_us[p]);
    const double there_us = static_cast<double>(gpus) * window_us - missing_us[p];
    metrics.pools[p].utilisation_allocated = there_us > 0.0 ? pool_us / there_us : 0.0;
    if (gpus > 0) metrics.pools[p].present = there_us / (static_cast<double>(gpus) * window_us);
    all_held_us += pool_us;
    all_missing_us += missing_us[p];
    all_gpus += gpus;
  }
  const double there_us = static_cast<double>(all_gpus) * window_us - all_missing_us;
  metrics.all.values.push_back({"utilisation_allocated", "ratio", ratio_or_undefined(all_held_us, there_us)});
  metrics.all.values.push_back(
      {"utilisation_effective", "ratio", ratio_or_undefined(effective_us, there_us)});
  metrics.all.values.push_back(
      {"scaling_efficiency", "ratio", ratio_or_undefined(effective_us, all_held_us)});

  spread(hours, run.begin, run.end, 1);
  metrics.utilisation_by_hour.assign(hours.size(), 0.0);
  for (std::size_t h = 0; h < hours.size(); ++h) {
    const double there = static_cast<double>(hours[h]) * static_cast<double>(all_gpus) -
                         static_cast<double>(missing_by_hour[h]);
    if (there > 0.0) metrics.utilisation_by_hour[h] = static_cast<double>(held_by_hour[h]) / there;
  }
}

}  // namespace fleetsim
