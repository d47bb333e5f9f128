// Closed loops face the same draws on every fleet, and lose no job whatever becomes of it.
#include <rapidcheck.h>

#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;

namespace {

Scenario any_loop() {
  const auto sharing = *rc::gen::element(SharingRule::strict, SharingRule::overflow, SharingRule::one_pool);
  Scenario s = example::two_pools(sharing, *rc::gen::inRange(0, 5), *rc::gen::inRange(0, 4));
  s.seed = *rc::gen::arbitrary<std::uint64_t>();
  s.scheduler.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
  s.scheduler.partitions[0].max_time = *rc::gen::inRange(1, 24) * kHour;  // kills some
  s.workload.users = *rc::gen::inRange(1, 8);
  s.workload.classes[0].gpus = {
      {1, 0.5}, {2, 0.3}, {8, 0.2}};  // 8 GPUs fit no proto node, nor two without fabric
  s.workload.classes[0].wall_time.law = LognormalSpec{kHour, 3 * kHour, 24 * kHour};
  s.workload.classes[0].arrivals->closed_loop =
      ClosedLoop{*rc::gen::inRange(1, 20) * kHour, *rc::gen::inRange(1, 4)};
  if (*rc::gen::inRange(0, 2) == 1)
    s.availability.failures = FailureSpec{2 * kDay, {}, 10 * kHour, {}, {}, *rc::gen::inRange(0, 2) == 1};
  return s;
}

}  // namespace

TEST_CASE("all fleets and sharing rules face the same loops") {
  CHECK(rc::check("common random numbers", [] {
    const Scenario a = any_loop();
    Scenario b = a;
    b.pools[0].count = *rc::gen::inRange(0, 5);
    b.pools[1].count = *rc::gen::inRange(0, 4);
    b.scheduler.sharing = SharingRule::one_pool;
    const Workload wa = generate(a, 3), wb = generate(b, 3);
    RC_ASSERT(wa.requests.submit == wb.requests.submit);
    RC_ASSERT(wa.requests.gpus == wb.requests.gpus);
    RC_ASSERT(wa.truth.wall == wb.truth.wall);
    RC_ASSERT(wa.truth.next == wb.truth.next);
    RC_ASSERT(wa.truth.think == wb.truth.think);
    RC_ASSERT(wa.truth.child == wb.truth.child);
  }));
}

TEST_CASE("the next job of a loop comes a think time after the end, and only the end of the run stops it") {
  CHECK(rc::check("loops", [] {
    const Scenario s = any_loop();
    const Workload w = generate(s, 0);
    EngineResult outcome;
    const RunResult run = simulate(s, w, &outcome);
    RC_ASSERT(run.metrics.broken_laws.empty());
    const JobOutcome& jobs = outcome.jobs;
    for (std::size_t j = 0; j < w.requests.size(); ++j) {
      if (w.truth.think[j] == kForever || jobs.state[j] == JobState::dormant) continue;
      // Impossible jobs have no end: they end where they were submitted.
      const Instant end = jobs.end[j] != kNever ? jobs.end[j] : jobs.submit[j];
      if (w.truth.next[j] == kNoJob) {
        RC_ASSERT(jobs.state[j] == JobState::unfinished || end + w.truth.think[j] > outcome.ended);
        continue;
      }
      const std::size_t next = index(w.truth.next[j]);
      if (jobs.state[next] == JobState::dormant) {
        RC_ASSERT(jobs.state[j] == JobState::unfinished || end + w.truth.think[j] >= outcome.ended);
      } else {
        RC_ASSERT(jobs.submit[next] == end + w.truth.think[j]);
      }
    }
  }));
}

TEST_CASE("a user never has more jobs at once than are in flight") {
  CHECK(rc::check("in flight", [] {
    Scenario s = any_loop();
    s.workload.classes[0].promotes_to.reset();
    const Workload w = generate(s, 0);
    EngineResult outcome;
    static_cast<void>(simulate(s, w, &outcome));
    const int most = s.workload.classes[0].arrivals->closed_loop->jobs_in_flight;
    for (int user = 0; user < s.workload.users; ++user) {
      std::vector<std::pair<Instant, int>> steps;
      for (std::size_t j = 0; j < w.requests.size(); ++j) {
        if (w.requests.user[j] != user || outcome.jobs.state[j] == JobState::dormant) continue;
        const Instant submit = outcome.jobs.submit[j];
        if (outcome.jobs.state[j] == JobState::impossible && outcome.jobs.end[j] == kNever) continue;
        steps.emplace_back(submit, +1);
        if (outcome.jobs.end[j] != kNever) steps.emplace_back(outcome.jobs.end[j], -1);
      }
      std::sort(steps.begin(), steps.end());
      int now = 0;
      for (const auto& [at, step] : steps) RC_ASSERT((now += step) <= most);
    }
  }));
}
