// The event queue against std::priority_queue: one pop and one push at a steady number of pending events, as
// a run with that many running jobs does.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/engine/event_heap.hpp"
#include "tests/bench/triple.hpp"

namespace fleetsim {
namespace {

/// Times between a job's start and end, drawn beforehand so that neither side pays for them.
enum Law { kUniform, kExponential, kLognormal };
std::vector<std::int64_t> run_times_us(std::size_t count, std::int64_t law) {
  Rng rng(1, 0, "benchmark");
  std::vector<std::int64_t> times(count);
  for (std::int64_t& t : times) {
    const double drawn = law == kUniform       ? 1e9 * rng.uniform()
                         : law == kExponential ? rng.exponential(1e9)
                                               : rng.lognormal(20.0, 2.0);
    t = 1 + static_cast<std::int64_t>(drawn);
  }
  return times;
}

constexpr std::size_t kTimes = 1 << 16;

void our_heap(benchmark::State& state) {
  const auto times = run_times_us(kTimes, state.range(1));
  EventHeap heap;
  std::uint32_t sequence = 0;
  const auto push = [&](std::int64_t now) {
    const Instant at{Duration{now + times[sequence % kTimes]}};
    heap.push(Event::make(at, EventRank::finish, sequence & 0x7fffffff, JobId{sequence}));
    ++sequence;
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) push(0);
  for (auto _ : state) push(heap.pop().at.time_since_epoch().count());
  benchmark::DoNotOptimize(heap.top());
}

void priority_queue(benchmark::State& state) {
  const auto times = run_times_us(kTimes, state.range(1));
  std::priority_queue<Triple, std::vector<Triple>, std::greater<>> heap;
  std::uint64_t sequence = 0;
  const auto push = [&](std::int64_t now) {
    heap.push({now + times[sequence % kTimes], 0, sequence});
    ++sequence;
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) push(0);
  for (auto _ : state) {
    const std::int64_t now = heap.top().at;
    heap.pop();
    push(now);
  }
  benchmark::DoNotOptimize(heap.top());
}

const std::vector<std::vector<std::int64_t>> kCases = {{100, 1000, 10000},
                                                       {kUniform, kExponential, kLognormal}};
BENCHMARK(our_heap)->Name("event queue/ours")->ArgNames({"pending", "law"})->ArgsProduct(kCases);
BENCHMARK(priority_queue)->Name("event queue/baseline")->ArgNames({"pending", "law"})->ArgsProduct(kCases);

}  // namespace
}  // namespace fleetsim
