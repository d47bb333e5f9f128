// Owners that take their nodes back from overflow jobs, by hand.
#include "sim/metrics/ledger.hpp"
#include "tests/catch.hpp"
#include "tests/unit/engine/small_runs.hpp"

using namespace small_runs;

namespace {

constexpr int kPrototype = 0, kScaleUp = 1;  // queues

/// Pool 0 belongs to queue 0, whose jobs may overflow to pool 1, which belongs to queue 1.
Setup lab(int proto_gpus, int scale_nodes, int scale_gpus) {
  Setup setup;
  setup.pool(1, proto_gpus).pool(scale_nodes, scale_gpus).queue({0}, {{1, s(1000)}}).queue({1});
  setup.input.preempt = true;
  return setup;
}

/// JOB:START-END@NODES lost SECONDS of the attempts that owners ended.
std::string preempted(const EngineResult& result) {
  std::string out;
  for (const Attempt& a : result.attempts) {
    out += (out.empty() ? "" : " ") + stay_text(result, a);
    out += fmt::format(" lost {:g}", to_seconds(a.lost));
    CHECK((a.preempted && a.requeued && a.reason == StartReason::overflow));
  }
  return out;
}

/// Schedule and attempts, the same under every policy and tie rule.
std::string always_preempted(Setup& setup, const std::vector<Job>& jobs) {
  return small_runs::always(
      setup, jobs, [](const EngineResult& result) { return schedule(result) + " | " + preempted(result); });
}

}  // namespace

TEST_CASE("An owner's job takes its nodes back, and the overflow job starts anew where it may") {
  Setup setup = lab(2, 1, 2);
  // Job 0 fills proto until 50; job 1 overflows at 1 and loses 9 s at 10, when job 2 of the owners comes; it
  // is first in its queue again and gets proto at 50, before job 3.
  CHECK(always_preempted(setup, {{0, 2, 99, 50, kPrototype},
                                 {1, 2, 99, 20, kPrototype},
                                 {10, 2, 99, 61, kScaleUp},
                                 {11, 2, 99, 5, kPrototype}}) ==
        "0-50/completed@0/head 50-70/completed@0/head 10-71/completed@1/head 70-75/completed@0/head | "
        "1:1-10@1 lost 9");
}

TEST_CASE("Without the rule the owner waits") {
  Setup setup = lab(2, 1, 2);
  setup.input.preempt = false;
  CHECK(always_preempted(
            setup, {{0, 2, 99, 50, kPrototype}, {1, 2, 99, 20, kPrototype}, {10, 2, 99, 60, kScaleUp}}) ==
        "0-50/completed@0/head 1-21/completed@1/overflow 21-81/completed@1/head | ");
}

TEST_CASE("Those overflow jobs go whose work is the least loss, and no more than need to") {
  Setup setup = lab(4, 1, 4);
  // At 100 the jobs 1, 2 and 3 would lose 2 x 99, 1 x 98 and 1 x 90 GPU-seconds. Two GPUs are asked for:
  // jobs 2 and 3 lose 188, job 1 loses 198.
  CHECK(always_preempted(setup, {{0, 4, 900, 900, kPrototype},
                                 {1, 2, 900, 500, kPrototype},
                                 {2, 1, 900, 500, kPrototype},
                                 {10, 1, 900, 500, kPrototype},
                                 {100, 2, 900, 10, kScaleUp}}) ==
        "0-900/completed@0/head 1-501/completed@1/overflow 110-610/completed@1/overflow "
        "110-610/completed@1/overflow 100-110/completed@1/head | 2:2-100@1 lost 98 3:10-100@1 lost 90");
}

TEST_CASE("The node is chosen on which least is lost, and free GPUs come first") {
  Setup setup = lab(4, 3, 4);
  // Whole nodes of pool 1 (nodes 1, 2, 3): jobs 1 and 2 fill two of them, node 3 is free. The owner's first
  // job takes node 3; the second one takes job 2's node, since that started later.
  CHECK(always_preempted(setup, {{0, 4, 900, 900, kPrototype},
                                 {1, 4, 900, 300, kPrototype},
                                 {5, 4, 900, 300, kPrototype},
                                 {10, 4, 900, 200, kScaleUp},
                                 {20, 4, 900, 200, kScaleUp}}) ==
        "0-900/completed@0/head 1-301/completed@1/overflow 210-510/completed@3/overflow "
        "10-210/completed@3/head 20-220/completed@2/head | 2:5-20@2 lost 15");
}

TEST_CASE("A gang of owners clears the cheapest nodes") {
  Setup setup = lab(4, 3, 4);
  // At 30 the three overflow jobs would lose 4 x 29, 4 x 20 and 4 x 10 GPU-seconds.
  CHECK(always_preempted(setup, {{0, 4, 900, 900, kPrototype},
                                 {1, 4, 900, 300, kPrototype},
                                 {10, 4, 900, 300, kPrototype},
                                 {20, 4, 900, 300, kPrototype},
                                 {30, 8, 900, 100, kScaleUp}}) ==
        "0-900/completed@0/head 1-301/completed@1/overflow 130-430/completed@2/overflow "
        "130-430/completed@3/overflow 30-130/completed@2+3/head | 2:10-30@2 lost 20 3:20-30@3 lost 10");
}

TEST_CASE("Nobody goes for a claimant that could not start even then") {
  Setup setup = lab(2, 1, 4);
  // An owner's job holds 2 of 4 GPUs until 60; job 3 needs all four. The overflow job keeps the other two.
  CHECK(always_preempted(setup, {{0, 2, 900, 900, kPrototype},
                                 {0, 2, 60, 60, kScaleUp},
                                 {1, 2, 900, 50, kPrototype},
                                 {2, 4, 99, 10, kScaleUp}}) ==
        "0-900/completed@0/head 0-60/completed@1/head 1-51/completed@1/overflow 60-70/completed@1/head | ");
}

TEST_CASE("B121: overflow jobs that are spread over nodes stay where their leaving clears no whole node") {
  Setup setup = lab(8, 4, 8);
  // Owners hold 6 of the 8 GPUs of each node until 100, overflow jobs the other two. The owners' job 9 needs
  // one whole node: 8 GPUs would come free in all, but no 8 on one node. Nobody goes.
  std::vector<Job> jobs = {{0, 8, 900, 900, kPrototype}};
  for (int node = 0; node < 4; ++node) jobs.push_back({0, 6, 100, 100, kScaleUp});
  for (int node = 0; node < 4; ++node) jobs.push_back({1, 2, 900, 89, kPrototype});
  jobs.push_back({2, 8, 99, 10, kScaleUp});
  CHECK(always_preempted(setup, jobs) ==
        "0-900/completed@0/head 0-100/completed@1/head 0-100/completed@2/head 0-100/completed@3/head "
        "0-100/completed@4/head 1-90/completed@1/overflow 1-90/completed@2/overflow "
        "1-90/completed@3/overflow 1-90/completed@4/overflow 100-110/completed@1/head | ");
}

TEST_CASE("A job on its own nodes is never sent away") {
  Setup setup;
  // Both queues own pool 0; the second one is no guest there.
  setup.pool(1, 2).queue({0}).queue({0});
  setup.input.preempt = true;
  CHECK(always_preempted(setup, {{0, 2, 99, 50, 1}, {10, 2, 99, 10, 0}}) ==
        "0-50/completed@0/head 50-60/completed@0/head | ");
}

TEST_CASE("A checkpoint saves what an overflow job has done") {
  Setup setup = lab(2, 1, 2);
  setup.input.checkpoint = {s(10), s(1)};
  // 25 s held: 10 s of work, 1 s writing, 10 s, 1 s, 3 s. 20 s are kept and 3 s lost; of 40 s of work 20 are
  // left, with one checkpoint: 70 + 21 = 91.
  CHECK(always_preempted(
            setup, {{0, 2, 99, 80, kPrototype}, {1, 2, 99, 40, kPrototype}, {26, 2, 99, 44, kScaleUp}}) ==
        "0-87/completed@0/head 74-95/completed@1/overflow 26-74/completed@1/head | 1:1-26@1 lost 3");
}

TEST_CASE("The less there is to lose since the last checkpoint, the sooner a job goes") {
  Setup setup = lab(4, 2, 4);
  setup.input.checkpoint = {s(10), s(0)};
  // At 22 job 1 has 1 s to lose (21 s held), job 2 has 9 s (19 s held), though it started later.
  CHECK(always_preempted(setup, {{0, 4, 900, 900, kPrototype},
                                 {1, 4, 900, 100, kPrototype},
                                 {3, 4, 900, 100, kPrototype},
                                 {22, 4, 900, 50, kScaleUp}}) ==
        "0-900/completed@0/head 72-152/completed@1/overflow 3-103/completed@2/overflow "
        "22-72/completed@1/head | 1:1-22@1 lost 1");
}

TEST_CASE("EASY: the reservation of the owner's head counts what owners can take back") {
  Setup setup = lab(2, 1, 4);
  setup.input.policy = PolicyKind::easy;
  // Owner's job 1 holds 2 GPUs until 60, the overflow job 2 the others until 901 at the latest. Job 3 wants
  // all four: its shadow time is 60, not 901, so that owner's job 4 (limit 50) passes it and takes GPUs back,
  // and job 5 (limit 70) does not.
  CHECK(schedule(setup.run({{0, 2, 900, 900, kPrototype},
                            {0, 2, 60, 60, kScaleUp},
                            {1, 2, 900, 300, kPrototype},
                            {2, 4, 99, 10, kScaleUp},
                            {5, 2, 50, 50, kScaleUp},
                            {6, 1, 70, 70, kScaleUp}})) ==
        "0-900/completed@0/head 0-60/completed@1/head 70-370/completed@1/overflow 60-70/completed@1/head "
        "5-55/completed@1/backfill 70-140/completed@1/head");
}

TEST_CASE("Laws hold with preemption: GPUs held are busy GPUs, whoever is sent away") {
  Setup setup = lab(2, 2, 2);
  for (const PolicyKind policy : kPolicies) {
    setup.input.policy = policy;
    setup.run({{0, 2, 99, 50, kPrototype},
               {1, 2, 99, 20, kPrototype},
               {2, 2, 99, 30, kPrototype},
               {10, 4, 99, 60, kScaleUp}});
    Ledger ledger(setup.input);
    const EngineResult result = run_engine(setup.input, &ledger);
    ledger.close(result.ended);
    CHECK(result.attempts.size() == 2);
    // Pool 1: (10 - 1) x 2 + (10 - 2) x 2 by those sent away, 60 x 4 by the owner; then both run on proto.
    CHECK(ledger.pools()[1].busy_us == std::int64_t{18 + 16 + 240} * 1'000'000);
  }
}
