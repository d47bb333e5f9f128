// A whole EASY run of many jobs on 512 nodes of 8 GPUs, placement and metrics on, against pushing all events
// of that run into a std::priority_queue and popping them; and the memory that a job takes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/engine/engine.hpp"
#include "sim/metrics/ledger.hpp"
#include "sim/metrics/measure.hpp"
#include "tests/bench/memory.hpp"
#include "tests/bench/triple.hpp"

namespace fleetsim {
namespace {

constexpr std::int32_t kNodes = 512, kGpusPerNode = 8;
constexpr std::int32_t kSizes[] = {1, 2, 4, 8, 16, 32};
constexpr double kLoad = 0.8, kMedian_s = 600.0, kSigma = 2.0;

/// Poisson arrivals, log-normal run times, limits of twice the run time. The gap between arrivals follows
/// from the work that was drawn: load = GPU-seconds / (GPUs * span).
Workload draw(std::size_t jobs) {
  Rng run(7, 0, "run time"), size(7, 0, "size"), gap(7, 0, "arrival");
  Workload out;
  JobRequests& r = out.requests;
  r.submit.reserve(jobs);
  r.gpus.reserve(jobs);
  r.limit.reserve(jobs);
  out.truth.wall.reserve(jobs);
  double work = 0.0;
  for (std::size_t j = 0; j < jobs; ++j) {
    const double run_s = std::max(1.0, std::round(run.lognormal(std::log(kMedian_s), kSigma)));
    const std::int32_t gpus = kSizes[static_cast<std::size_t>(size.uniform() * std::size(kSizes))];
    work += run_s * gpus;
    r.gpus.push_back(gpus);
    r.limit.push_back(Duration{static_cast<std::int64_t>(run_s * 2e6)});
    out.truth.wall.push_back(Duration{static_cast<std::int64_t>(run_s * 1e6)});
  }
  const double mean_gap_s = work / static_cast<double>(jobs) / (kLoad * kNodes * kGpusPerNode);
  double now_s = 0.0;
  for (std::size_t j = 0; j < jobs; ++j) {
    now_s += gap.exponential(mean_gap_s);
    r.submit.push_back(kStart + Duration{static_cast<std::int64_t>(now_s) * 1'000'000});
  }
  r.job_class.assign(jobs, kNoClass);
  r.queue.assign(jobs, QueueId{0});
  r.user.assign(jobs, 0);
  r.parent.assign(jobs, kNoJob);
  out.truth.shape.assign(jobs, 0);
  out.truth.child.assign(jobs, kNoJob);
  out.truth.pause.assign(jobs, Duration::zero());
  out.shapes = {{kNoClass, 1}};
  return out;
}

EngineInput machine(const Workload& workload) {
  EngineInput input;
  input.pools.push_back({"machine", kNodes, kGpusPerNode});
  input.queues.push_back({"all", {PoolId{0}}, {}});
  input.requests = &workload.requests;
  input.truth = &workload.truth;
  input.run_time = {1, {1.0}, {}};
  return input;
}

double run_with_metrics(const EngineInput& input, EngineResult* outcome = nullptr) {
  Ledger ledger(input);
  EngineResult result = run_engine(input, &ledger);
  ledger.close(result.ended);
  const double wait_s = measure(Scenario{}, input, result, ledger, input.run_time).all.value("wait_s");
  if (outcome != nullptr) *outcome = std::move(result);
  return wait_s;
}

void our_run(benchmark::State& state) {
  const auto jobs = static_cast<std::size_t>(state.range(0));
  const std::size_t before = heap_bytes();  // so that the workload itself counts as well
  const Workload workload = draw(jobs);
  const EngineInput input = machine(workload);
  for (auto _ : state) {
    forget_peak();
    benchmark::DoNotOptimize(run_with_metrics(input));
  }
  state.counters["bytes_a_job"] = static_cast<double>(heap_peak_bytes() - before) / static_cast<double>(jobs);
  state.counters["jobs/s"] =
      benchmark::Counter(static_cast<double>(jobs), benchmark::Counter::kIsIterationInvariantRate);
}

void queue_only(benchmark::State& state) {
  const Workload workload = draw(static_cast<std::size_t>(state.range(0)));
  EngineResult result;
  run_with_metrics(machine(workload), &result);
  std::vector<Triple> events;
  for (std::size_t j = 0; j < workload.requests.size(); ++j) {
    events.push_back({result.jobs.submit[j].time_since_epoch().count(), 1, 2 * j});
    events.push_back({result.jobs.end[j].time_since_epoch().count(), 0, 2 * j + 1});
  }
  for (auto _ : state) {
    std::priority_queue<Triple, std::vector<Triple>, std::greater<>> queue;
    for (const Triple& event : events) queue.push(event);
    std::uint64_t order = 0;
    while (!queue.empty()) {
      order = order * 31 + queue.top().sequence;
      queue.pop();
    }
    benchmark::DoNotOptimize(order);
  }
}

BENCHMARK(our_run)->Name("easy run/ours")->ArgName("jobs")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(queue_only)
    ->Name("easy run/baseline")
    ->ArgName("jobs")
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fleetsim
