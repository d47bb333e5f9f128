// What a job's step time costs while a simulation runs: the engine reads it from a table by the indices that
// were made before the run. Against a look-up of the same answer in a hash table keyed by model, node type,
// GPUs and leaf switches.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/engine/eligibility.hpp"

namespace fleetsim {
namespace {

constexpr std::size_t kPools = 4, kQuestions = 1 << 12;

struct Question {
  JobId job{};
  PoolId pool{};
  bool crosses = false;
};

/// Jobs of `shapes` kinds on four pools, and questions about them in random order.
struct Tables {
  explicit Tables(std::size_t shapes) {
    Rng rng(11, 0, "step time");
    const auto below = [&](std::size_t n) {
      return static_cast<std::size_t>(rng.uniform() * static_cast<double>(n));
    };
    std::int32_t first = 0;
    for (std::size_t p = 0; p < kPools; ++p) {
      input.pools.push_back({"pool", 256, 8, first, 16});
      first += 256;
    }
    input.queues.push_back({"all", {PoolId{0}, PoolId{1}, PoolId{2}, PoolId{3}}, {}});
    input.run_time.pools = kPools;
    for (std::size_t cell = 0; cell < shapes * kPools; ++cell) {
      input.run_time.one_leaf.push_back(1.0 + rng.uniform());
      input.run_time.several_leaves.push_back(1.1 * input.run_time.one_leaf.back());
    }
    for (std::size_t j = 0; j < kQuestions; ++j) {
      const auto shape = static_cast<std::uint16_t>(below(shapes));
      requests.submit.push_back(kStart);
      requests.gpus.push_back(8);
      requests.limit.push_back(kHour);
      requests.job_class.push_back(kNoClass);
      requests.queue.push_back(QueueId{0});
      truth.wall.push_back(Duration{static_cast<std::int64_t>(3'600'000'000.0 * rng.uniform())});
      truth.shape.push_back(shape);
      questions.push_back({JobId{static_cast<std::uint32_t>(j)},
                           PoolId{static_cast<std::uint16_t>(below(kPools))}, below(2) == 1});
    }
    input.requests = &requests;
    input.truth = &truth;
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  JobRequests requests;
  JobTruth truth;
  EngineInput input;
  std::vector<Question> questions;
};

void from_table(benchmark::State& state) {
  const Tables tables(static_cast<std::size_t>(state.range(0)));
  const Eligibility eligibility(tables.input);
  for (auto _ : state) {
    Duration sum{};
    for (const Question& q : tables.questions) sum += eligibility.run_time(q.job, q.pool, q.crosses);
    benchmark::DoNotOptimize(sum);
  }
  state.counters["s/answer"] = benchmark::Counter(
      kQuestions, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// The key of a shape on a pool, packed into one word: a cheaper hash than any record's.
std::uint64_t key_of(std::uint64_t shape, std::uint64_t pool, bool crosses) {
  return (shape << 8 | pool) << 1 | (crosses ? 1 : 0);
}

void from_hash_table(benchmark::State& state) {
  const auto shapes = static_cast<std::size_t>(state.range(0));
  const Tables tables(shapes);
  const RunTimeTable& table = tables.input.run_time;
  std::unordered_map<std::uint64_t, double> ratios;
  for (std::size_t shape = 0; shape < shapes; ++shape) {
    for (std::size_t pool = 0; pool < kPools; ++pool) {
      ratios[key_of(shape, pool, false)] = table.one_leaf[shape * kPools + pool];
      ratios[key_of(shape, pool, true)] = table.several_leaves[shape * kPools + pool];
    }
  }
  for (auto _ : state) {
    Duration sum{};
    for (const Question& q : tables.questions) {
      const double ratio =
          ratios.find(key_of(tables.truth.shape[index(q.job)], index(q.pool), q.crosses))->second;
      sum += Duration(std::llround(static_cast<double>(tables.truth.wall[index(q.job)].count()) * ratio));
    }
    benchmark::DoNotOptimize(sum);
  }
}

BENCHMARK(from_table)->Name("step time/ours")->ArgName("shapes")->Arg(1'000);
BENCHMARK(from_hash_table)->Name("step time/baseline")->ArgName("shapes")->Arg(1'000);

}  // namespace
}  // namespace fleetsim
