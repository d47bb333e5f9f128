// What the metric families see of a run. To add a metric: write a family in a .cpp of its own, declare it
// here, and name it in measure.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sim/metrics/measure.hpp"

namespace fleetsim {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct RunView {
  RunView(const Scenario& scenario_, const EngineInput& input_, const EngineResult& result_,
          const Ledger& ledger_, const RunTimeTable& efficiency_, std::vector<double> burst_efficiency_ = {});

  const Scenario& scenario;
  const EngineInput& input;
  const EngineResult& result;
  const Ledger& ledger;
  const RunTimeTable& efficiency;
  std::vector<double> burst_efficiency;  ///< by shape, on rented GPUs
  const JobRequests& requests;
  const JobTruth& truth;
  const JobOutcome& jobs;
  Instant begin, end;  ///< of the measurement window
  std::optional<ResultChain> chain;

  using Rows = std::vector<std::uint32_t>;
  std::vector<char> tagged;           ///< by job: tagged and submitted
  Rows tagged_rows;                   ///< the whole run
  std::vector<Rows> tagged_by_class;  ///< index = ClassId
  std::vector<Rows> tagged_by_group;  ///< as Metrics::groups
  /// By job, empty when no outage ended an attempt: start of the first one, and what earlier ones kept of
  /// their time (work and checkpoints).
  std::vector<Instant> first_start_of;
  std::vector<Duration> kept_before;

  [[nodiscard]] bool submitted(std::size_t job) const { return jobs.state[job] != JobState::dormant; }
  [[nodiscard]] bool started(std::size_t job) const { return jobs.start[job] != kNever; }
  [[nodiscard]] bool unfinished(std::size_t job) const { return jobs.state[job] == JobState::unfinished; }
  /// Ran to its end, in whatever way.
  [[nodiscard]] bool served(std::size_t job) const { return started(job) && !unfinished(job); }
  /// Of an unfinished job: when the run ended.
  [[nodiscard]] Instant last(std::size_t job) const { return unfinished(job) ? result.ended : jobs.end[job]; }
  /// Of its first attempt; kNever: none.
  [[nodiscard]] Instant first_start(std::size_t job) const {
    const bool before = !first_start_of.empty() && first_start_of[job] != kNever;
    return before ? first_start_of[job] : jobs.start[job];
  }
  /// From submit to the first start; of a job that still waits for it, up to the end of the run: a lower
  /// bound.
  [[nodiscard]] double wait_s(std::size_t job) const {
    const Instant start = first_start(job);
    return to_seconds((start != kNever ? start : result.ended) - jobs.submit[job]);
  }
  [[nodiscard]] double turnaround_s(std::size_t job) const {
    return to_seconds(last(job) - jobs.submit[job]);
  }
  /// Of a job that has started: its time on GPUs without what outages took from it.
  [[nodiscard]] double run_s(std::size_t job) const {
    const Duration before = kept_before.empty() ? Duration::zero() : kept_before[job];
    return to_seconds(last(job) - jobs.start[job] + before);
  }
  /// GPUs x wall time on the reference node.
  [[nodiscard]] double reference_gpu_hours(std::size_t job) const {
    return static_cast<double>(requests.gpus[job]) * to_hours(truth.wall[job]);
  }
};

/// Calls family(rows, set) for the whole run, each class and each group of users.
template <class Family>
void for_each_scope(const RunView& run, Metrics& metrics, const Family& family) {
  family(run.tagged_rows, metrics.all);
  for (std::size_t c = 0; c < run.tagged_by_class.size(); ++c)
    family(run.tagged_by_class[c], metrics.classes[c]);
  for (std::size_t g = 0; g < run.tagged_by_group.size(); ++g)
    family(run.tagged_by_group[g], metrics.groups[g]);
}

/// Sum and count; NaN for no values.
struct Mean {
  double sum = 0.0;
  std::int64_t n = 0;
  void add(double value) {
    sum += value;
    ++n;
  }
  [[nodiscard]] double value() const { return n == 0 ? kUndefined : sum / static_cast<double>(n); }
};
[[nodiscard]] inline double ratio_or_undefined(double part, double whole) {
  return whole > 0.0 ? part / whole : kUndefined;
}

// The families, one file each.
void measure_states(const RunView& run, Metrics& metrics);
void measure_waits(const RunView& run, Metrics& metrics);
void measure_turnaround(const RunView& run, Metrics& metrics);
void measure_slowdown(const RunView& run, Metrics& metrics);
void measure_results(const RunView& run, Metrics& metrics);
void measure_utilisation(const RunView& run, Metrics& metrics);
void measure_unserved(const RunView& run, Metrics& metrics);
void measure_burst(const RunView& run, Metrics& metrics);
void measure_outages(const RunView& run, Metrics& metrics);
void measure_preemptions(const RunView& run, Metrics& metrics);
void measure_fragmentation(const RunView& run, Metrics& metrics);
void measure_backlog(const RunView& run, Metrics& metrics);
void measure_groups(const RunView& run, Metrics& metrics);
void check_laws(const RunView& run, Metrics& metrics);

}  // namespace fleetsim
