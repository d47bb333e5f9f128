// Jobs that go to rented GPUs, by hand.
#include "tests/catch.hpp"
#include "tests/unit/engine/small_runs.hpp"

using namespace small_runs;

TEST_CASE("A job that still waits when its limit comes starts at once on rented GPUs, on their run time") {
  Setup setup;
  setup.pool(1, 2);
  setup.input.burst = Bursting{s(10), {0.5}};
  // Job 1 would wait until 100. It goes at 1 + 10 and runs 40 x 0.5; job 2 at 5 + 10 and runs 4 x 0.5.
  CHECK(always_schedule(setup, {{0, 2, 100, 100}, {1, 2, 99, 40}, {5, 1, 99, 4}}) ==
        "0-100/completed@0/head 11-31/completed/burst 15-17/completed/burst");
}

TEST_CASE("A job that can start in the fleet at its limit does so") {
  Setup setup;
  setup.pool(1, 2);
  setup.input.burst = Bursting{s(10), {1.0}};
  CHECK(always_schedule(setup, {{0, 2, 11, 11}, {1, 2, 99, 40}}) ==
        "0-11/completed@0/head 11-51/completed@0/head");
}

TEST_CASE("Those behind a job that goes start when it has gone") {
  // Job 1 wants all GPUs and blocks job 2 (FIFO; for the others it would delay job 1). At 21 job 1 goes, and
  // job 2, of a shape that cannot run on rented GPUs, starts in the fleet.
  Setup setup;
  setup.pool(1, 4, {1.0, 1.0});
  setup.input.burst = Bursting{s(20), {1.0, -1.0}};
  CHECK(always_schedule(setup, {{0, 2, 50, 50, 0, 0}, {1, 4, 30, 30, 0, 0}, {2, 2, 500, 60, 0, 1}}) ==
        "0-50/completed@0/head 21-51/completed/burst 21-81/completed@0/head");
}

TEST_CASE("A shape that cannot run on rented GPUs waits on") {
  Setup setup;
  setup.pool(1, 2, {1.0, 1.0});
  setup.input.burst = Bursting{s(10), {1.0, -1.0}};
  CHECK(always_schedule(setup, {{0, 2, 100, 100, 0, 0}, {1, 2, 99, 40, 0, 1}}) ==
        "0-100/completed@0/head 100-140/completed@0/head");
}

TEST_CASE("An interruption loses the work since the last checkpoint, and the job goes on at once") {
  Setup setup;
  setup.pool(1, 2);
  setup.input.checkpoint = {s(10), s(0)};
  setup.input.policy = PolicyKind::easy;
  setup.input.burst = Bursting{s(10), {1.0}};
  setup.input.burst->interruptions = PerSecond{0.02};  // twice the rate for two GPUs: one in 25 s
  const EngineResult result = setup.run({{0, 2, 1000, 1000}, {1, 2, 1000, 200}});
  REQUIRE(!result.attempts.empty());
  Duration lost{};
  Instant last = Instant(s(11));
  for (const Attempt& a : result.attempts) {
    CHECK(a.start == last);
    CHECK(a.lost < s(10));
    CHECK(a.kept % s(10) == Duration::zero());
    last = a.end;
    lost += a.lost;
  }
  CHECK(result.jobs.start[1] == last);
  CHECK(result.jobs.end[1] - Instant(s(11)) == s(200) + lost);
  CHECK(setup.run({{0, 2, 1000, 1000}, {1, 2, 1000, 200}}).replay_hash == result.replay_hash);
}
