// Traces such as accounting logs hold, replayed on processors without node boundaries: every policy with
// every tie rule, with and without kill, against the slow twin.
#include <rapidcheck.h>

#include <cmath>

#include "sim/base/rng.hpp"
#include "sim/workload/from_trace.hpp"
#include "tests/catch.hpp"
#include "tests/property/engine/agree.hpp"

using namespace fleetsim;

namespace {

/// Jobs in bursts and lulls, of heavy-tailed length in whole seconds, asked for in powers of two and round
/// limits. Some have no run time, no limit, a limit that is too short, or are wider than the machine.
Trace recorded(std::uint64_t seed, int jobs, int processors) {
  Rng rng(seed, 0, "recorded");
  Trace trace;
  std::int64_t at = 0;
  for (int j = 0; j < jobs; ++j) {
    TraceJob job;
    job.source_id = j + 1;
    if (!rng.bernoulli(0.35)) at += std::llround(rng.exponential(rng.bernoulli(0.1) ? 7200.0 : 240.0));
    job.submit = Instant(std::chrono::seconds(at));
    const std::int64_t run = rng.bernoulli(0.06) ? 0 : std::llround(rng.lognormal(6.0, 1.8));
    job.run = std::chrono::seconds(std::min<std::int64_t>(run, 86400));
    job.has_limit = !rng.bernoulli(0.1);
    if (job.has_limit) {
      const double wanted = rng.bernoulli(0.1) ? 0.5 : rng.bernoulli(0.3) ? 1.0 : 1.0 + rng.exponential(2.0);
      const std::int64_t exact = std::llround(static_cast<double>(run) * wanted);
      job.limit = std::chrono::seconds(rng.bernoulli(0.5) ? (exact / 900 + 1) * 900 : exact);
    }
    const double size = rng.uniform();
    job.processors = size < 0.02  ? processors + 1 + j % 3
                     : size < 0.1 ? 1 + static_cast<int>(rng.uniform() * processors)
                                  : 1 << static_cast<int>(rng.uniform() * 5.0);
    trace.jobs.push_back(job);
  }
  return trace;
}

void must_agree_everywhere(PolicyKind policy, int jobs) {
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  const int processors = *rc::gen::element(16, 24, 40, 100);
  const Workload workload = workload_from_trace(recorded(seed, jobs, processors), QueueId{0});
  EngineInput input;
  input.pools.push_back({"machine", 1, processors});
  input.queues.push_back({"all", {PoolId{0}}, {}});
  input.run_time = {1, {1.0}, {}};
  input.requests = &workload.requests;
  input.truth = &workload.truth;
  input.policy = policy;
  for (const TieRule ties : {TieRule::batch, TieRule::end_first, TieRule::submit_first}) {
    for (const bool kill : {true, false}) {
      input.ties = ties;
      input.kill_at_limit = kill;
      random_case::must_agree(input, [&] {
        return fmt::format("seed {}, {} processors, ties {}, kill {}: ", seed, processors, to_string(ties),
                           kill);
      });
    }
  }
}

}  // namespace

TEST_CASE("FIFO replays recorded jobs like its slow twin") {
  CHECK(rc::check([] { must_agree_everywhere(PolicyKind::fifo, 200); }));
}
TEST_CASE("EASY replays recorded jobs like its slow twin") {
  CHECK(rc::check([] { must_agree_everywhere(PolicyKind::easy, 200); }));
}
TEST_CASE("Conservative backfilling replays recorded jobs like its slow twin") {
  CHECK(rc::check([] { must_agree_everywhere(PolicyKind::conservative, 50); }));
}
