// Mistakes that other simulators have made, one small run each.
#include <stdexcept>
#include <thread>

#include "sim/metrics/ledger.hpp"
#include "tests/catch.hpp"
#include "tests/unit/engine/small_runs.hpp"

using namespace small_runs;

TEST_CASE("B031: a job without run time completes and releases the one that waits for it") {
  Setup setup;
  setup.pool(1, 1);
  CHECK(always_schedule(setup, {{5, 1, 9, 0}, {2, 1, 9, 4, 0, 0, true}}) ==
        "5-5/completed@0/head 7-11/completed@0/head");
}

TEST_CASE("B032: a job of several nodes that leaves one of them nearly idle takes its own time") {
  Setup setup;
  setup.pool(2, 4);
  // 5 GPUs: one whole node, and one GPU of the other; the idle three are still there for others.
  CHECK(always_schedule(setup, {{0, 5, 99, 30}, {1, 3, 99, 10}}) ==
        "0-30/completed@0+1/head 1-11/completed@1/head");
}

TEST_CASE("B038: on nodes of twice the speed a job takes half the time, planned by its limit") {
  Setup setup;
  setup.pool(1, 1, {1.0}).pool(1, 1, {0.5}).queue({0}).queue({1});
  CHECK(always_schedule(setup, {{0, 1, 200, 100, 0}, {0, 1, 200, 100, 1}}) ==
        "0-100/completed@0/head 0-50/completed@1/head");
}

TEST_CASE("B042: pools without nodes are never chosen, and nodes without GPUs are refused") {
  Setup setup;
  setup.pool(0, 8).pool(1, 8).queue({0, 1});
  CHECK(always_schedule(setup, {{0, 1, 9, 5}}) == "0-5/completed@0/head");
  Setup none;
  none.pool(3, 0);
  CHECK_THROWS_AS(none.run({{0, 1, 9, 5}}), std::invalid_argument);
}

TEST_CASE("B043: a job larger than the fleet is impossible at its submission, and the run ends") {
  Setup setup;
  setup.pool(2, 8);
  CHECK(always_schedule(setup, {{0, 17, 9, 5}, {0, 1, 9, 5}}) == "---/impossible 0-5/completed@0/head");
}

TEST_CASE("B044: the run goes on while jobs run, although nobody waits") {
  for (const PolicyKind policy : kPolicies) {
    Setup setup;
    setup.pool(1, 1).input.policy = policy;
    CHECK(to_seconds(setup.run({{0, 1, 180, 180}, {1, 1, 2000, 1000}}).ended) == 1180.0);
  }
}

TEST_CASE("B046: limits of a hundred years and no limit at all can be planned with, one behind the other") {
  for (const PolicyKind policy : kPolicies) {
    Setup setup;
    setup.pool(1, 2).queue({0});
    JobRequests requests;
    JobTruth truth;
    for (int j = 0; j < 12; ++j) {  // each takes the whole machine, so that ends add up beyond all bounds
      requests.submit.push_back(Instant(s(0)));
      requests.gpus.push_back(j == 11 ? 1 : 2);
      requests.limit.push_back(j % 2 == 0 ? Duration::max() : 100 * 365 * kDay);
      requests.queue.push_back(QueueId{0});
      truth.wall.push_back(s(10));
      truth.shape.push_back(0);
    }
    setup.input.policy = policy;
    setup.input.run_time = {1, {1.0}, {}};
    setup.input.requests = &requests;
    setup.input.truth = &truth;
    const EngineResult result = run_engine(setup.input);
    for (int j = 0; j < 12; ++j) {
      CHECK(to_seconds(result.jobs.start[j]) == 10.0 * j);
      CHECK(result.jobs.state[j] == JobState::completed);
    }
  }
}

TEST_CASE("B048: the first arrival may come at any time") {
  for (const PolicyKind policy : kPolicies) {
    Setup setup;
    setup.pool(1, 1).queue({0});
    JobRequests requests;
    JobTruth truth;
    requests.submit = {Instant(from_seconds(12345.6))};
    requests.gpus = {1};
    requests.limit = {s(60)};
    requests.queue = {QueueId{0}};
    truth.wall = {s(30)};
    truth.shape = {0};
    setup.input.policy = policy;
    setup.input.run_time = {1, {1.0}, {}};
    setup.input.requests = &requests;
    setup.input.truth = &truth;
    CHECK(schedule(run_engine(setup.input)) == "12345.6-12375.6/completed@0/head");
  }
}

TEST_CASE("B050: a job without run time on a full cluster gives its GPUs back") {
  Setup setup;
  setup.pool(2, 2);
  // 0 and 1 fill the machine; 2 and 3 take all of it for no time; 4 finds it empty.
  CHECK(always_schedule(setup, {{0, 2, 5, 5}, {0, 2, 5, 5}, {1, 4, 5, 0}, {2, 4, 5, 0}, {3, 4, 5, 5}}) ==
        "0-5/completed@0/head 0-5/completed@1/head 5-5/completed@0+1/head 5-5/completed@0+1/head "
        "5-10/completed@0+1/head");
}

TEST_CASE("B061: an event that starts nothing does not change the order of those at the same instant") {
  const std::vector<Job> jobs = {{0, 2, 5, 5}, {0, 2, 5, 5}, {5, 1, 9, 3},
                                 {5, 1, 9, 3}, {5, 2, 9, 3}, {5, 3, 9, 2}};
  std::vector<Job> more;
  for (const Job& job : jobs) {
    more.push_back(
        {job.submit, 99, 9, 1});  // larger than the machine: its submission is an event and no more
    more.push_back(job);
  }
  for (const PolicyKind policy : kPolicies) {
    for (const TieRule ties : kTies) {
      Setup setup;
      setup.pool(2, 2);
      setup.input.policy = policy;
      setup.input.ties = ties;
      const EngineResult alone = setup.run(jobs), among = setup.run(more);
      for (std::size_t j = 0; j < jobs.size(); ++j) {
        CHECK(alone.jobs.start[j] == among.jobs.start[2 * j + 1]);
        CHECK(alone.jobs.slices[alone.jobs.first_slice[j]].node ==
              among.jobs.slices[among.jobs.first_slice[2 * j + 1]].node);
      }
    }
  }
}

TEST_CASE("B062: a hundred jobs of one second give the same schedule on one thread and on eight") {
  std::vector<Job> jobs;
  for (int j = 0; j < 100; ++j) jobs.push_back({7, 1 + j % 5, 20 + j % 7, 10 + j % 9});
  for (const PolicyKind policy : kPolicies) {
    const auto once = [&] {
      Setup setup;
      setup.pool(3, 4).input.policy = policy;
      return schedule(setup.run(jobs));
    };
    const std::string expected = once();
    std::vector<std::string> found(8);
    std::vector<std::thread> threads;
    for (std::string& text : found) threads.emplace_back([&] { text = once(); });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : found) CHECK(text == expected);
  }
}

TEST_CASE("B120: eight free GPUs on eight nodes do not hold a job of eight that needs one node") {
  Setup setup;
  setup.pool(8, 8);
  std::vector<Job> jobs(8, Job{0, 7, 50, 50});
  jobs.push_back({1, 8, 10, 10});
  CHECK(always_schedule(setup, jobs).find("50-60/completed@0/head") != std::string::npos);
  Ledger ledger(setup.input);
  const EngineResult result = setup.run(jobs, &ledger);
  ledger.close(result.ended);
  // Eight GPUs for 49 s.
  CHECK(ledger.pools()[0].stranded_us == std::int64_t{8} * 49 * 1'000'000);
}

TEST_CASE("B123: a job of 16 GPUs takes nothing while only 8 are free, and these stay usable") {
  Setup setup;
  setup.pool(2, 8);
  for (const PolicyKind policy : {PolicyKind::easy, PolicyKind::conservative}) {
    setup.input.policy = policy;
    // Job 2 uses the free node and is back before the gang can start.
    CHECK(schedule(setup.run({{0, 8, 20, 20}, {1, 16, 10, 10}, {2, 8, 18, 18}})) ==
          "0-20/completed@0/head 20-30/completed@0+1/head 2-20/completed@1/backfill");
  }
}

TEST_CASE("B052: the cost of a run follows its events, not the length of its time") {
  Setup setup;
  setup.pool(1, 1);
  std::vector<Job> jobs;  // ten jobs over five years, half a year apart
  for (int j = 0; j < 10; ++j) jobs.push_back({j * 15'768'000, 1, 99, 50});
  setup.input.policy = PolicyKind::easy;
  // Of each job its submission and its end, and nothing between them.
  CHECK(setup.run(jobs).events == 20);
}

TEST_CASE("B126: a job of two nodes starts on both at once, and not on one that is free earlier") {
  Setup setup;
  setup.pool(2, 8);
  CHECK(always_schedule(setup, {{0, 8, 40, 40}, {1, 16, 99, 10}}) ==
        "0-40/completed@0/head 40-50/completed@0+1/head");
}

TEST_CASE("B172: leap days and the year 2038 are seconds like others") {
  Setup setup;
  setup.pool(1, 2);
  // 2024-02-28 00:00 UTC = 1709078400; three days on, over the leap day, 2024-03-02 00:00 UTC = 1709337600.
  // 2038-01-19 03:14:00 UTC = 2147483640, eight seconds before 2^31.
  const EngineResult result = setup.run({{1'709'078'400, 1, 259'200, 259'200},
                                         {1'709'078'400, 2, 100, 100},
                                         {2'147'483'640, 2, 20, 20},
                                         {2'147'483'641, 2, 20, 20}});
  CHECK(to_seconds(result.jobs.end[0]) == 1'709'337'600.0);
  CHECK(result.jobs.start[1] == result.jobs.end[0]);
  CHECK(to_seconds(result.jobs.end[2]) == 2'147'483'660.0);
  CHECK(to_seconds(result.jobs.end[3]) == 2'147'483'680.0);
}
