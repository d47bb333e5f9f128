// The rules of the engine, one small run each.
#include "sim/engine/engine.hpp"

#include <stdexcept>

#include "sim/base/assert.hpp"
#include "tests/catch.hpp"
#include "tests/unit/engine/small_runs.hpp"

using namespace small_runs;

TEST_CASE("Jobs run to their end, in order, while GPUs are free") {
  Setup setup;
  setup.pool(1, 4).input.policy = PolicyKind::fifo;
  CHECK(schedule(setup.run({{0, 3, 9, 5}, {1, 2, 9, 2}, {2, 1, 9, 1}})) ==
        "0-5/completed@0/head 5-7/completed@0/head 5-6/completed@0/head");
}

TEST_CASE("B035: a job that outlives its limit ends there as timeout, or runs on when that is asked for") {
  Setup setup;
  setup.pool(1, 4);
  CHECK(schedule(setup.run({{0, 1, 600, 1000}})) == "0-600/timeout@0/head");
  setup.input.kill_at_limit = false;
  CHECK(schedule(setup.run({{0, 1, 600, 1000}})) == "0-1000/completed@0/head");
}

TEST_CASE("B026: the scheduler plans with the request, the engine runs the true time") {
  Setup setup;
  setup.pool(1, 2);
  // Job 0 is expected until 3600 but frees its GPUs at 600; job 2 (limit 700) would end before the shadow.
  CHECK(schedule(setup.run({{0, 1, 3600, 600}, {1, 2, 50, 50}, {2, 1, 700, 700}})) ==
        "0-600/completed@0/head 702-752/completed@0/head 2-702/completed@0/backfill");
}

TEST_CASE("A job that fits nowhere is impossible at its submit, is never shrunk and blocks nobody") {
  Setup setup;
  setup.pool(1, 8);
  for (const PolicyKind policy : {PolicyKind::fifo, PolicyKind::easy}) {
    setup.input.policy = policy;
    CHECK(schedule(setup.run({{0, 16, 9, 5}, {0, 1, 9, 5}})) == "---/impossible 0-5/completed@0/head");
  }
}

TEST_CASE("A job whose model does not fit a pool goes to the other one, or is impossible") {
  Setup setup;
  // shape 0 runs on both, on pool 1 twice as fast; shape 1 only on pool 1; shape 2 nowhere
  setup.pool(1, 4, {1.0, -1.0, -1.0}).pool(1, 4, {0.5, 0.5, -1.0}).queue({0, 1});
  CHECK(schedule(setup.run(
            {{0, 4, 99, 10, 0, 0}, {0, 4, 99, 10, 0, 0}, {0, 1, 99, 10, 0, 1}, {0, 1, 99, 10, 0, 2}})) ==
        "0-10/completed@0/head 0-5/completed@1/head 5-10/completed@1/head ---/impossible");
}

TEST_CASE("A pool without nodes is never chosen") {
  Setup setup;
  setup.pool(0, 8).pool(1, 8).queue({0, 1}).queue({0});
  CHECK(schedule(setup.run({{0, 1, 9, 5, 0}, {0, 1, 9, 5, 1}})) == "0-5/completed@0/head ---/impossible");
}

TEST_CASE("A job without run time completes at its start, gives its GPUs back and wakes its child") {
  Setup setup;
  setup.pool(1, 2);
  for (const TieRule ties : {TieRule::batch, TieRule::end_first, TieRule::submit_first}) {
    setup.input.ties = ties;
    CHECK(schedule(setup.run({{0, 2, 9, 0}, {1, 2, 9, 3, 0, 0, true}, {0, 2, 9, 4}})) ==
          "0-0/completed@0/head 4-7/completed@0/head 0-4/completed@0/head");
  }
}

TEST_CASE("The run ends with its last event, not with its last start") {
  Setup setup;
  setup.pool(1, 1);
  const EngineResult result = setup.run({{180, 1, 2000, 1000}});
  CHECK(to_seconds(result.ended) == 1180.0);
}

TEST_CASE("Unlimited jobs can be planned with") {
  Setup setup;
  setup.pool(1, 2);
  setup.input.ties = TieRule::batch;
  EngineResult result;
  Setup unlimited = setup;
  JobRequests requests;
  JobTruth truth;
  for (int j = 0; j < 3; ++j) {
    requests.submit.push_back(Instant(s(j)));
    requests.gpus.push_back(j == 1 ? 2 : 1);
    requests.limit.push_back(j == 0 ? Duration::max() : s(5));
    requests.queue.push_back(QueueId{0});
    truth.wall.push_back(s(10));
    truth.shape.push_back(0);
  }
  unlimited.queue({0});
  unlimited.input.run_time = {1, {1.0}, {}};
  unlimited.input.requests = &requests;
  unlimited.input.truth = &truth;
  result = run_engine(unlimited.input);
  CHECK(schedule(result) == "0-10/completed@0/head 10-15/timeout@0/head 2-7/timeout@0/backfill");
}

TEST_CASE("A child is submitted after its parent's end and the pause, and only when the parent completed") {
  Setup setup;
  setup.pool(1, 1);
  const auto result =
      setup.run({{0, 1, 9, 5}, {7, 1, 9, 2, 0, 0, true}, {20, 1, 3, 5}, {1, 1, 9, 2, 0, 0, true}});
  CHECK(schedule(result) == "0-5/completed@0/head 12-14/completed@0/head 20-23/timeout@0/head ---/dormant");
  CHECK(second(result.jobs.submit[1]) == "12");
}

TEST_CASE("The run goes on until all tagged jobs and their children have ended, and no longer") {
  Setup setup;
  setup.pool(1, 2);
  setup.input.tag_begin = Instant(s(10));
  setup.input.tag_end = Instant(s(20));
  // Job 1 is tagged, so its child at 35 is; job 3 comes after the window and is left behind
  // at 37, where it starts.
  const std::vector<Job> jobs = {
      {0, 1, 99, 99}, {15, 1, 9, 5}, {15, 1, 9, 2, 0, 0, true}, {36, 1, 99, 50}, {40, 1, 9, 1}};
  const auto result = setup.run(jobs);
  CHECK(schedule(result) ==
        "0--/unfinished@0/head 15-20/completed@0/head 35-37/completed@0/head 37--/unfinished@0/head "
        "---/dormant");
  CHECK(to_seconds(result.ended) == 37.0);
  CHECK(result.jobs.tagged == std::vector<std::uint8_t>{0, 1, 1, 0, 0});
}

TEST_CASE("At `stop` everything still in the system is unfinished") {
  Setup setup;
  setup.pool(1, 1);
  setup.input.stop = Instant(s(10));
  const auto result = setup.run({{0, 1, 99, 10}, {1, 1, 99, 50}, {2, 1, 9, 1}, {11, 1, 9, 1}});
  CHECK(schedule(result) == "0-10/completed@0/head 10--/unfinished@0/head ---/unfinished ---/dormant");
  CHECK(to_seconds(result.ended) == 10.0);
}

TEST_CASE("A gang starts all at once or not at all, and crossing leaves has its own run time") {
  Setup setup;
  setup.pool(4, 2);
  setup.input.pools[0].nodes_per_leaf = 2;
  setup.input.policy = PolicyKind::fifo;
  setup.queue({0});
  JobRequests r;
  JobTruth t;
  const int gpus[] = {1, 6, 4};
  for (int j = 0; j < 3; ++j) {
    r.submit.push_back(Instant(s(j)));
    r.gpus.push_back(gpus[j]);
    r.limit.push_back(s(100));
    r.queue.push_back(QueueId{0});
    t.wall.push_back(s(10));
    t.shape.push_back(0);
  }
  setup.input.requests = &r;
  setup.input.truth = &t;
  setup.input.run_time = {1, {1.0}, {1.5}};
  // Job 1 needs three whole nodes, which exist beside job 0: leaf 1 first (two whole nodes), then node 1;
  // 15 s for 10. Job 2 waits for two whole nodes; at 10 only node 0 is whole, at 16 leaf 0 is.
  CHECK(schedule(run_engine(setup.input)) ==
        "0-10/completed@0/head 1-16/completed@2+3+1/head 16-26/completed@0+1/head");
}

TEST_CASE("Overflow jobs use idle GPUs of other pools when short enough, after their owners") {
  Setup setup;
  setup.pool(1, 1).pool(1, 2).queue({0}, {{1, s(20)}}).queue({1});
  // Job 1 overflows; job 2 belongs to pool 1 and comes first there; job 3 is too long to overflow.
  CHECK(schedule(setup.run({{0, 1, 30, 30, 0}, {1, 1, 20, 20, 0}, {1, 1, 99, 40, 1}, {2, 1, 21, 5, 0}})) ==
        "0-30/completed@0/head 1-21/completed@1/overflow 1-41/completed@1/head 30-35/completed@0/head");
}

TEST_CASE("Overflow jobs never delay the reservation of a pool's own head") {
  Setup setup;
  setup.pool(1, 1).pool(1, 2).queue({0}, {{1, s(100)}}).queue({1});
  // Pool 1: job 1 until 10, job 2 (both GPUs) reserved for 10. Job 3 of 9 s would last until 12: no; job 4 of
  // 7 s ends at 10: yes.
  CHECK(schedule(setup.run(
            {{0, 1, 50, 50, 0}, {0, 1, 10, 10, 1}, {1, 2, 5, 5, 1}, {3, 1, 9, 9, 0}, {3, 1, 7, 7, 0}})) ==
        "0-50/completed@0/head 0-10/completed@1/head 10-15/completed@1/head 15-24/completed@1/overflow "
        "3-10/completed@1/overflow");
}

TEST_CASE("A blocked job reserves the pool where it could start first") {
  Setup setup;
  setup.pool(1, 2).pool(1, 2).queue({0, 1});
  // Job 2 can start on pool 1 at 6. Job 3 (limit 8) would delay it there but not on pool 0, where no GPU is
  // free; job 4 (limit 3) ends before the shadow.
  CHECK(schedule(setup.run({{0, 2, 20, 20}, {0, 1, 6, 6}, {1, 2, 5, 5}, {2, 1, 8, 8}, {2, 1, 3, 3}})) ==
        "0-20/completed@0/head 0-6/completed@1/head 6-11/completed@1/head 11-19/completed@1/head "
        "2-5/completed@1/backfill");
}

TEST_CASE("The three tie rules differ where the literature's simulators do") {
  // Two GPUs. Job 0 ends at 10 as foreseen, job 1 at 10 before its limit. At 10 come job 2 (both GPUs) and
  // job 3 (one GPU).
  const std::vector<Job> jobs = {{0, 1, 10, 10}, {0, 1, 50, 10}, {10, 2, 5, 5}, {10, 1, 5, 5}};
  Setup setup;
  setup.pool(1, 2);
  setup.input.ties = TieRule::batch;
  CHECK(schedule(setup.run(jobs)).find("10-15/completed@0/head 15-20/completed@0/head") != std::string::npos);
  setup.input.ties = TieRule::end_first;
  CHECK(schedule(setup.run(jobs)).find("10-15/completed@0/head 15-20/completed@0/head") != std::string::npos);
  // Submissions first: job 0 counts as free, job 1's early end is not known yet. Job 2 is reserved for 50, so
  // job 3 is backfilled.
  setup.input.ties = TieRule::submit_first;
  CHECK(schedule(setup.run(jobs)).find("15-20/completed@0/head 10-15/completed@0/backfill") !=
        std::string::npos);
}

TEST_CASE("Conservative: a job at its estimate counts as ending now, one past it as ending later") {
  Setup setup;
  setup.pool(1, 16);
  setup.input.policy = PolicyKind::conservative;
  setup.input.kill_at_limit = false;
  // Job 1 (limit 1) is expected at 30 and runs to 32. At 30 it counts as free, so job 2 is planned there,
  // cannot start, and job 3 waits behind it until the plan is made anew at 34.
  CHECK(schedule(setup.run({{26, 8, 3, 3}, {27, 11, 1, 3}, {27, 16, 5, 2}, {30, 1, 1, 0}})) ==
        "26-29/completed@0/head 29-32/completed@0/head 32-34/completed@0/head 34-34/completed@0/head");
}

TEST_CASE("Submit-first: a job without run time is free again for the next end of its instant") {
  // At 10 the first job ends (early), so the fifth starts and, ending as foreseen, is free at once; then the
  // fourth ends, and the head takes all three GPUs. The sixth waits for it.
  Setup setup;
  setup.input.ties = TieRule::submit_first;
  setup.pool(1, 3);
  const EngineResult r =
      setup.run({{0, 2, 20, 10}, {0, 3, 5, 5}, {5, 1, 0, 0}, {5, 1, 10, 5}, {10, 2, 0, 0}, {10, 1, 0, 0}});
  CHECK(schedule(r) ==
        "0-10/completed@0/head 10-15/completed@0/head 5-5/completed@0/backfill 5-10/completed@0/backfill "
        "10-10/completed@0/backfill 15-15/completed@0/head");
}

TEST_CASE("Tables that do not fit together are refused with a sentence") {
  Setup setup;
  setup.pool(1, 1);
  CHECK_NOTHROW(setup.run({{0, 1, 1, 1}}));
  setup.input.run_time.pools = 2;
  CHECK_THROWS_AS(run_engine(setup.input), std::invalid_argument);
  setup.input.run_time.pools = 1;
  setup.input.policy = PolicyKind::builtin;
  CHECK_THROWS_AS(run_engine(setup.input), std::invalid_argument);
}

namespace {
class LookAtContext : public Observer {
 public:
  void on(const Transition& t) override {
    right =
        right && assert_context().active && assert_context().simulated_us == t.at.time_since_epoch().count();
  }
  bool right = true;
};
}  // namespace

TEST_CASE("Assertions know the simulated time while a run lasts") {
  Setup setup;
  setup.pool(1, 1);
  LookAtContext look;
  setup.run({{0, 1, 9, 5}, {3, 1, 9, 5}}, &look);
  CHECK(look.right);
  CHECK_FALSE(assert_context().active);
}

TEST_CASE("The replay hash depends on times and on nodes, and on nothing else") {
  Setup setup;
  setup.pool(2, 2);
  const std::vector<Job> jobs = {{0, 1, 9, 5}, {1, 2, 9, 5}};
  const auto hash = setup.run(jobs).replay_hash;
  CHECK(setup.run(jobs).replay_hash == hash);
  CHECK(setup.run({{0, 1, 9, 5}, {1, 2, 9, 6}}).replay_hash != hash);
  CHECK(setup.run({{0, 2, 9, 5}, {1, 1, 9, 5}}).replay_hash != hash);
}
