#include "sim/study/credibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/metrics/measure.hpp"
#include "sim/simulate.hpp"

namespace fleetsim {

namespace {

/// The cluster as it was: nothing but the trace and the nodes that are there.
Scenario recorded_cluster(const Scenario& scenario) {
  Scenario old = scenario;
  for (NodePool& pool : old.pools) {
    if (!pool.existing) pool.count = 0;
    pool.retires.clear();
  }
  old.workload.classes.clear();
  old.availability = {};
  old.study = {};
  old.time.warm_up = {};
  // All jobs are tagged, and the run ends when they have ended.
  old.time.measure = scenario.workload.trace->jobs.back().submit - kStart + kWeek;
  old.time.drain = 100'000 * kWeek;
  return old;
}

std::string cluster_text(const Scenario& scenario) {
  std::string text;
  for (const NodePool& pool : scenario.pools) {
    if (!pool.existing) continue;
    text += fmt::format("{}{} x {}", text.empty() ? "" : " and ", pool.count, pool.node.name);
  }
  return text;
}

struct Waits {
  std::vector<double> recorded_s, simulated_s;
};

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

WaitPair pair_of(const std::string& jobs, Waits& waits) {
  return {jobs,
          static_cast<std::int64_t>(waits.recorded_s.size()),
          mean_of(waits.recorded_s),
          percentile(waits.recorded_s, 0.50),
          percentile(waits.recorded_s, 0.95),
          mean_of(waits.simulated_s),
          percentile(waits.simulated_s, 0.50),
          percentile(waits.simulated_s, 0.95)};
}

/// One GPU, the rest of a node, more than a node.
std::size_t size_class(int gpus, int node) {
  return gpus <= 1 ? 0 : gpus <= node ? 1 : 2;
}

std::string hours(double seconds) {
  return fmt::format("{:.2f} h", seconds / 3600.0);
}

std::string number_of_jobs(std::int64_t n) {
  return fmt::format("{} job{}", n, n == 1 ? "" : "s");
}

void judge(Credibility& c) {
  if (c.waits.empty()) {
    c.answer = "unchecked";
    c.sentence =
        c.not_run > 0
            ? fmt::format(
                  "Whether the simulator can be believed here cannot be checked: none of the {} of {} "
                  "with a recorded wait can run on the nodes that are there ({}).",
                  number_of_jobs(c.not_run), c.trace, c.cluster)
            : fmt::format(
                  "Whether the simulator can be believed here cannot be checked: the trace {} has no "
                  "recorded waits.",
                  c.trace);
    return;
  }
  const WaitPair& all = c.waits.front();
  const double gap_s = std::abs(all.simulated_mean_s - all.recorded_mean_s);
  c.answer = gap_s > kCredibleDifference * all.recorded_mean_s ? "differs" : "agrees";
  const std::string gap =
      all.recorded_mean_s > 0.0
          ? fmt::format("{:+.0f} %", 100.0 * (all.simulated_mean_s / all.recorded_mean_s - 1.0))
          : std::string(gap_s > 0.0 ? "where none was recorded" : "no difference");
  c.sentence = fmt::format(
      "Replayed on the nodes that are there ({}; {}), {} of {} wait {} on average, recorded are {} ({})",
      c.cluster, c.policy, number_of_jobs(all.n), c.trace, hours(all.simulated_mean_s),
      hours(all.recorded_mean_s), gap);
  c.sentence += c.credible() ? "."
                             : fmt::format(
                                   ": they differ by more than {:.0f} %, so the simulator does not know "
                                   "what makes jobs wait here, and no verdict on it is confident.",
                                   100.0 * kCredibleDifference);
}

}  // namespace

std::optional<Credibility> replay_recorded(const Scenario& scenario) {
  const auto& trace = scenario.workload.trace;
  if (trace == nullptr || trace->jobs.empty() || bought_pools(scenario) == scenario.pools.size())
    return std::nullopt;
  Credibility out;
  out.trace = scenario.workload.trace_file;
  out.cluster = cluster_text(scenario);
  out.policy = fmt::format("{}, {} sharing", to_string(scenario.scheduler.policy),
                           to_string(scenario.scheduler.sharing));
  const auto recorded = std::count_if(trace->jobs.begin(), trace->jobs.end(),
                                      [](const TraceJob& job) { return job.recorded_wait_s >= 0.0; });
  out.without_wait = static_cast<std::int64_t>(trace->jobs.size()) - recorded;
  if (recorded > 0) {
    int node = 1;
    for (const NodePool& pool : scenario.pools)
      if (pool.existing) node = std::max(node, pool.node.gpus);
    EngineResult outcome;
    const Scenario old = recorded_cluster(scenario);
    static_cast<void>(simulate(old, generate(old, 0), &outcome));
    Waits all, by_size[3];
    for (std::size_t j = 0; j < trace->jobs.size(); ++j) {
      const TraceJob& job = trace->jobs[j];
      if (job.recorded_wait_s < 0.0) continue;
      if (outcome.jobs.start[j] == kNever) {
        ++out.not_run;
        continue;
      }
      const double wait_s = to_seconds(outcome.jobs.start[j] - outcome.jobs.submit[j]);
      for (Waits* waits : {&all, &by_size[size_class(job.processors, node)]}) {
        waits->recorded_s.push_back(job.recorded_wait_s);
        waits->simulated_s.push_back(wait_s);
      }
    }
    const std::string names[] = {"1 GPU", fmt::format("2 to {} GPUs", node),
                                 fmt::format("more than {} GPU{}", node, node == 1 ? "" : "s")};
    if (!all.recorded_s.empty()) out.waits.push_back(pair_of("all", all));
    for (std::size_t size = 0; size < 3; ++size)
      if (!by_size[size].recorded_s.empty()) out.waits.push_back(pair_of(names[size], by_size[size]));
  }
  judge(out);
  return out;
}

}  // namespace fleetsim
