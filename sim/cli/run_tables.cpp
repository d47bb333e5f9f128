// The CSV tables of `run`: schedule, time series, jobs, metrics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "sim/base/markup.hpp"
#include "sim/cli/run_output.hpp"

namespace fleetsim::cli {

namespace {

using Out = std::back_insert_iterator<std::string>;

/// Seconds without a loss: whole ones as integers, else up to six decimals. Empty for kNever.
std::string seconds(std::int64_t us) {
  const std::int64_t whole = us / 1'000'000, rest = us % 1'000'000;
  if (rest == 0) return fmt::format("{}", whole);
  std::string text = fmt::format("{}.{:06}", whole, rest);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}
std::string seconds(Instant at) {
  return at == kNever ? std::string{} : seconds(at.time_since_epoch().count());
}
std::string seconds(Duration length) {
  return seconds(length.count());
}

std::string class_name(const Scenario& scenario, ClassId job_class) {
  return job_class == kNoClass ? std::string{} : csv_text(scenario.workload.classes[index(job_class)].name);
}

/// Number that a job goes by: its row, or its own number in the trace when there are no other jobs.
class JobNumbers {
 public:
  explicit JobNumbers(const Scenario& scenario) {
    if (scenario.workload.classes.empty()) trace_ = scenario.workload.trace.get();
  }
  [[nodiscard]] std::string operator()(std::size_t row) const {
    return trace_ != nullptr && row < trace_->jobs.size() ? fmt::format("{}", trace_->jobs[row].source_id)
                                                          : fmt::format("{}", row);
  }
  [[nodiscard]] std::string operator()(JobId id) const { return id == kNoJob ? "" : (*this)(index(id)); }

 private:
  const Trace* trace_ = nullptr;
};

/// One stay of a job on GPUs, or its wait for one.
struct Stay {
  int attempt = 1;
  Instant eligible{}, start{}, end{};
  const char* state = "";
  PoolId pool{};
  StartReason reason{};
  std::span<const NodeSlice> slices;  ///< none: did not start
};

std::span<const NodeSlice> slices_at(const JobOutcome& jobs, std::uint32_t first, std::int32_t count) {
  return std::span(jobs.slices).subspan(first, static_cast<std::size_t>(count));
}

/// proto-3:4+proto-4:2 is 4 GPUs of the fourth and 2 of the fifth node of pool proto.
std::string placement_text(const Scenario& scenario, const Stay& row) {
  if (row.pool == kNoPool) return {};
  if (row.pool == kCloudPool) return "rented";  // no node of the fleet
  const std::size_t pool = index(row.pool);
  std::size_t first_node = 0;
  for (std::size_t p = 0; p < pool; ++p) first_node += static_cast<std::size_t>(scenario.pools[p].count);
  std::string text;
  for (const NodeSlice& slice : row.slices) {
    fmt::format_to(Out(text), "{}{}-{}:{}", text.empty() ? "" : "+", scenario.pools[pool].name,
                   index(slice.node) - first_node, slice.gpus);
  }
  return csv_text(text);
}

/// What the placements of one replication cost, as it stands behind the start reason: `; 2 leaves; +3.1 % run
/// time` for a job that crosses leaf switches, nothing for others.
class PlacementCosts {
 public:
  PlacementCosts(const Scenario& scenario, const Workload& workload, const EngineResult& outcome)
      : workload_(workload) {
    const JobOutcome& jobs = outcome.jobs;
    const bool gangs =
        std::any_of(jobs.node_count.begin(), jobs.node_count.end(), [](std::int32_t n) { return n > 1; }) ||
        std::any_of(outcome.attempts.begin(), outcome.attempts.end(),
                    [](const Attempt& a) { return a.node_count > 1; });
    if (gangs && scenario.fabric.shape != FabricShape::none) prepared_ = prepare(scenario, workload.shapes);
  }
  [[nodiscard]] std::string operator()(std::size_t job, const Stay& row) const {
    if (!prepared_ || row.slices.size() < 2) return {};
    const std::size_t pool = index(row.pool);
    const auto per_leaf = static_cast<std::size_t>(prepared_->pools[pool].nodes_per_leaf);
    std::set<std::size_t> leaves;
    for (const NodeSlice& slice : row.slices) leaves.insert(index(slice.node) / per_leaf);
    if (leaves.size() < 2) return {};
    const RunTimeTable& table = prepared_->run_time;
    const std::size_t cell = workload_.truth.shape[job] * table.pools + pool;
    const double longer = table.several_leaves[cell] / table.one_leaf[cell] - 1.0;
    return fmt::format("; {} leaves; {:+.1f} % run time", leaves.size(), 100.0 * longer);
  }

 private:
  const Workload& workload_;
  std::optional<Prepared> prepared_;
};

/// Of each job, the attempts that outages ended and that others followed, in order.
std::map<std::size_t, std::vector<const Attempt*>> attempts_by_job(const EngineResult& outcome) {
  std::map<std::size_t, std::vector<const Attempt*>> out;
  for (const Attempt& attempt : outcome.attempts)
    if (attempt.requeued) out[index(attempt.job)].push_back(&attempt);
  return out;
}

/// Number of things at each full hour, from intervals [from, until).
class Hourly {
 public:
  explicit Hourly(std::size_t hours) : change_(hours + 1) {}
  void add(Instant from, Instant until, std::int64_t weight) {
    const std::size_t a = first_at_or_after(from), b = first_at_or_after(until);
    if (a >= b) return;
    change_[a] += weight;
    change_[b] -= weight;
  }
  /// To be called once, after all intervals: change_ becomes the running sum.
  void sum() {
    for (std::size_t h = 1; h < change_.size(); ++h) change_[h] += change_[h - 1];
  }
  [[nodiscard]] std::int64_t at(std::size_t hour) const { return change_[hour]; }

 private:
  [[nodiscard]] std::size_t first_at_or_after(Instant t) const {
    const std::int64_t hour = kHour.count();
    const auto h = static_cast<std::size_t>((t.time_since_epoch().count() + hour - 1) / hour);
    return std::min(h, change_.size() - 1);
  }
  std::vector<std::int64_t> change_;
};

}  // namespace

std::string JobTables::schedule_header() {
  return "replication,job_id,attempt,parent,class,partition,submit_s,eligible_s,start_s,end_s,state,gpus,"
         "nodes,placement,start_reason\n";
}

void JobTables::append_schedule(std::string& text, int replication, const Workload& workload,
                                const EngineResult& outcome) const {
  const JobRequests& requests = workload.requests;
  const JobOutcome& jobs = outcome.jobs;
  const JobNumbers number(scenario_);
  const PlacementCosts cost(scenario_, workload, outcome);
  const auto earlier = attempts_by_job(outcome);
  const auto write = [&](std::size_t j, const Stay& row) {
    const bool started = row.start != kNever;
    fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", replication, number(j),
                   row.attempt, number(requests.parent[j]), class_name(scenario_, requests.job_class[j]),
                   csv_text(scenario_.scheduler.partitions[index(requests.queue[j])].name),
                   seconds(jobs.submit[j]), seconds(row.eligible), seconds(row.start), seconds(row.end),
                   row.state, requests.gpus[j], row.slices.size(),
                   started ? placement_text(scenario_, row) : std::string{},
                   started ? to_string(row.reason) + cost(j, row) : std::string{});
  };
  for (std::size_t j = 0; j < requests.size(); ++j) {
    if (jobs.state[j] == JobState::dormant) continue;
    Stay row;
    row.eligible = jobs.submit[j];
    if (const auto found = earlier.find(j); found != earlier.end()) {
      for (const Attempt* a : found->second) {
        write(j, {row.attempt, row.eligible, a->start, a->end, "requeued", a->pool, a->reason,
                  slices_at(jobs, a->first_slice, a->node_count)});
        ++row.attempt;
        row.eligible = a->end;
      }
    }
    const bool started = jobs.start[j] != kNever;
    row.start = jobs.start[j];
    row.end = jobs.end[j];
    row.state = to_string(jobs.state[j]);
    row.pool = jobs.pool[j];
    row.reason = jobs.reason[j];
    if (started && row.pool != kCloudPool)
      row.slices = slices_at(jobs, jobs.first_slice[j], jobs.node_count[j]);
    write(j, row);
  }
}

std::string JobTables::time_series_header() const {
  std::string text = "replication,time_s";
  for (const NodePool& pool : scenario_.pools) text += "," + csv_text("allocated_gpus_" + pool.name);
  if (scenario_.scheduler.burst) text += ",rented_gpus";
  for (const Partition& partition : scenario_.scheduler.partitions)
    text +=
        "," + csv_text("waiting_jobs_" + partition.name) + "," + csv_text("waiting_gpus_" + partition.name);
  return text + "\n";
}

void JobTables::append_time_series(std::string& text, int replication, const Workload& workload,
                                   const EngineResult& outcome) const {
  const auto hours = static_cast<std::size_t>((outcome.ended - kStart) / kHour) + 1;
  const std::size_t fleet = scenario_.pools.size(), pools = fleet + (scenario_.scheduler.burst ? 1 : 0);
  const std::size_t partitions = scenario_.scheduler.partitions.size();
  const auto column_of = [fleet](PoolId pool) { return pool == kCloudPool ? fleet : index(pool); };
  std::vector<Hourly> columns(pools + 2 * partitions, Hourly(hours));
  const JobOutcome& jobs = outcome.jobs;
  const auto earlier = attempts_by_job(outcome);
  for (std::size_t j = 0; j < workload.requests.size(); ++j) {
    if (jobs.state[j] == JobState::dormant) continue;
    if (jobs.state[j] == JobState::impossible && jobs.end[j] == kNever) continue;
    const std::int64_t gpus = workload.requests.gpus[j];
    const Instant over = jobs.end[j] == kNever ? Instant{kNever} : jobs.end[j];
    const std::size_t waiting = pools + 2 * index(workload.requests.queue[j]);
    Instant since = jobs.submit[j];  // it waits from then on
    const auto wait = [&](Instant until) {
      columns[waiting].add(since, until, 1);
      columns[waiting + 1].add(since, until, gpus);
    };
    if (const auto found = earlier.find(j); found != earlier.end()) {
      for (const Attempt* a : found->second) {
        wait(a->start);
        columns[column_of(a->pool)].add(a->start, a->end, gpus);
        since = a->end;
      }
    }
    wait(std::min(jobs.start[j], over));
    if (jobs.start[j] != kNever) columns[column_of(jobs.pool[j])].add(jobs.start[j], over, gpus);
  }
  for (Hourly& column : columns) column.sum();
  for (std::size_t h = 0; h < hours; ++h) {
    fmt::format_to(Out(text), "{},{}", replication, h * 3600);
    for (const Hourly& column : columns) fmt::format_to(Out(text), ",{}", column.at(h));
    text += '\n';
  }
}

std::string JobTables::jobs_header(const Scenario& scenario) {
  return fmt::format(
      "replication,job_id,parent,class,partition,user,submit_s,gpus,wall_s,limit_s,child,pause_s{}\n",
      has_closed_loop(scenario) ? ",next,think_s" : "");
}

void JobTables::append_jobs(std::string& text, int replication, const Workload& workload) const {
  const JobRequests bound = bind(scenario_, prepare(scenario_, workload.shapes), workload);
  const JobNumbers number(scenario_);
  for (std::size_t j = 0; j < bound.size(); ++j) {
    const JobId child = workload.truth.child[j];
    fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{},{},{}", replication, number(j),
                   number(bound.parent[j]), class_name(scenario_, bound.job_class[j]),
                   csv_text(scenario_.scheduler.partitions[index(workload.requests.queue[j])].name),
                   bound.user[j], seconds(bound.submit[j]), bound.gpus[j], seconds(workload.truth.wall[j]),
                   seconds(bound.limit[j]), number(child),
                   child == kNoJob ? std::string{} : seconds(workload.truth.pause[j]));
    if (!workload.truth.next.empty()) {
      const JobId next = workload.truth.next[j];
      fmt::format_to(Out(text), ",{},{}", number(next),
                     next == kNoJob ? std::string{} : seconds(workload.truth.think[j]));
    }
    text += '\n';
  }
}

std::string metrics_header() {
  return "replication,scope,metric,value,unit\n";
}

void append_metrics(std::string& text, int replication, const RunResult& run) {
  const auto row = [&](const std::string& scope, const std::string& name, double value,
                       const std::string& unit) {
    fmt::format_to(Out(text), "{},{},{},{},{}\n", replication, csv_text(scope), name,
                   std::isfinite(value) ? fmt::format("{}", value) : std::string{}, unit);
  };
  const auto set = [&](const MetricSet& metrics) {
    for (const Metric& m : metrics.values)
      row(metrics.scope.empty() ? "all" : metrics.scope, m.name, m.value, m.unit);
  };
  set(run.metrics.all);
  for (const MetricSet& of_class : run.metrics.classes) set(of_class);
  for (const PoolMetrics& pool : run.metrics.pools) {
    row(pool.pool, "utilisation_allocated", pool.utilisation_allocated, "ratio");
    row(pool.pool, "backlog_growth", pool.backlog_growth, "ratio");
  }
  fmt::format_to(Out(text), "{},all,replay_hash,{:016x},\n", replication, run.replay_hash);
}

}  // namespace fleetsim::cli
