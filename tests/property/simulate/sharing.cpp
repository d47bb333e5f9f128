#include <rapidcheck.h>

#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;

namespace {

Scenario any_shared_lab() {
  const auto sharing = *rc::gen::element(SharingRule::strict, SharingRule::overflow, SharingRule::preempt,
                                         SharingRule::one_pool);
  Scenario s = example::two_pools(sharing, *rc::gen::inRange(0, 5), *rc::gen::inRange(0, 4));
  s.seed = *rc::gen::arbitrary<std::uint64_t>();
  s.scheduler.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
  s.workload.users = *rc::gen::inRange(1, 8);
  s.workload.classes[0].gpus = {{1, 0.5}, {2, 0.3}, {4, 0.2}};
  s.workload.classes[0].wall_time.law = LognormalSpec{kHour, 3 * kHour, 24 * kHour};
  return s;
}

struct Run {
  Workload workload;
  EngineResult outcome;
  RunResult result;
};
Run run(const Scenario& s, std::uint32_t replication) {
  Run r;
  r.workload = generate(s, replication);
  r.result = simulate(s, r.workload, &r.outcome);
  return r;
}

}  // namespace

TEST_CASE("every submitted job ends in one final state and no law is broken") {
  CHECK(rc::check("states and laws", [] {
    const Run r = run(any_shared_lab(), *rc::gen::inRange<std::uint32_t>(0, 50));
    std::int64_t sum = 0;
    for (const std::int64_t n : r.result.metrics.states) sum += n;
    RC_ASSERT(sum == r.result.metrics.submitted);
    RC_ASSERT(r.result.metrics.states[static_cast<std::size_t>(JobState::pending)] == 0);
    RC_ASSERT(r.result.metrics.states[static_cast<std::size_t>(JobState::running)] == 0);
    RC_ASSERT(r.result.metrics.broken_laws.empty());
  }));
}

TEST_CASE("jobs run only where the sharing rule lets them and never above the overflow limit") {
  CHECK(rc::check("sharing", [] {
    const Scenario s = any_shared_lab();
    const Run r = run(s, 0);
    const JobRequests bound = bind(s, prepare(s, r.workload.shapes), r.workload);
    for (std::size_t j = 0; j < bound.size(); ++j) {
      if (r.outcome.jobs.start[j] == kNever) continue;
      const PoolId home{static_cast<std::uint16_t>(index(r.workload.requests.queue[j]))};
      if (r.outcome.jobs.pool[j] == home) continue;
      RC_ASSERT(s.scheduler.sharing != SharingRule::strict);
      if (s.scheduler.sharing == SharingRule::one_pool) continue;
      RC_ASSERT(r.outcome.jobs.pool[j] == PoolId{1});
      RC_ASSERT(bound.limit[j] <= 12 * kHour);
    }
  }));
}

TEST_CASE("all fleets and sharing rules face the same jobs and chains") {
  CHECK(rc::check("common random numbers", [] {
    Scenario a = any_shared_lab();
    Scenario b = a;
    b.pools[0].count = *rc::gen::inRange(0, 5);
    b.scheduler.sharing = SharingRule::one_pool;
    const Run ra = run(a, 3), rb = run(b, 3);
    RC_ASSERT(ra.workload.requests.submit == rb.workload.requests.submit);
    RC_ASSERT(ra.workload.truth.child == rb.workload.truth.child);
    RC_ASSERT(ra.workload.truth.wall == rb.workload.truth.wall);
    // A child is submitted by its pause after its parent's end, on either fleet.
    for (std::size_t j = 0; j < ra.workload.requests.size(); ++j) {
      const JobId parent = ra.workload.requests.parent[j];
      if (parent == kNoJob) continue;
      for (const Run* r : {&ra, &rb}) {
        if (r->outcome.jobs.state[j] == JobState::dormant) continue;
        RC_ASSERT(r->outcome.jobs.submit[j] ==
                  r->outcome.jobs.end[index(parent)] + r->workload.truth.pause[index(parent)]);
      }
    }
  }));
}

TEST_CASE("the same scenario and replication give the same replay hash and metrics") {
  CHECK(rc::check("pure", [] {
    const Scenario s = any_shared_lab();
    const Run a = run(s, 1), b = run(s, 1);
    RC_ASSERT(a.result.replay_hash == b.result.replay_hash);
    RC_ASSERT(a.result.metrics.all.values.size() == b.result.metrics.all.values.size());
    for (std::size_t i = 0; i < a.result.metrics.all.values.size(); ++i) {
      const double x = a.result.metrics.all.values[i].value, y = b.result.metrics.all.values[i].value;
      RC_ASSERT(x == y || (x != x && y != y));
    }
  }));
}

TEST_CASE("a limit is a whole number of quarters, at least the run time unless the partition caps it") {
  CHECK(rc::check("limits", [] {
    const Scenario s = any_shared_lab();
    const Workload w = generate(s, 2);
    const JobRequests bound = bind(s, prepare(s, w.shapes), w);
    for (std::size_t j = 0; j < bound.size(); ++j) {
      const Duration most = s.scheduler.partitions[index(w.requests.queue[j])].max_time;
      RC_ASSERT(bound.limit[j] <= most);
      RC_ASSERT(bound.limit[j] % std::chrono::minutes(15) == Duration{});
      RC_ASSERT(bound.limit[j] >= std::min(w.truth.wall[j], most));
    }
  }));
}
