// The next job of a closed loop, by hand.
#include "tests/catch.hpp"
#include "tests/unit/engine/small_runs.hpp"

using namespace fleetsim;
using small_runs::s;

namespace {

/// One node of one GPU; a loop of jobs, each (run, limit, gpus), with a think time of 10 s behind each.
struct Loop {
  struct Job {
    int run = 5, limit = 100, gpus = 1;
  };
  explicit Loop(const std::vector<Job>& jobs) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      requests.submit.push_back(j == 0 ? kStart : kNever);
      requests.gpus.push_back(jobs[j].gpus);
      requests.limit.push_back(s(jobs[j].limit));
      requests.job_class.push_back(kNoClass);
      requests.queue.push_back(QueueId{0});
      requests.user.push_back(0);
      requests.parent.push_back(kNoJob);
      truth.wall.push_back(s(jobs[j].run));
      truth.limit_factor.push_back(1.0);
      truth.child.push_back(kNoJob);
      truth.pause.push_back({});
      truth.shape.push_back(0);
      const bool last = j + 1 == jobs.size();
      truth.next.push_back(last ? kNoJob : JobId{static_cast<std::uint32_t>(j + 1)});
      truth.think.push_back(last ? kForever : s(10));
    }
    input.pools.push_back({"pool", 1, 1});
    input.queues.push_back({"queue", {PoolId{0}}, {}});
    input.run_time = {1, {1.0}, {}};
    input.requests = &requests;
    input.truth = &truth;
  }
  JobRequests requests;
  JobTruth truth;
  EngineInput input;
};

}  // namespace

TEST_CASE("the next job of a loop is submitted a think time after the end, whatever the end was") {
  // 0-5 completed, 15: killed at its limit of 3 s at 18, 28: fits nowhere, so it ends at once, 38-43.
  Loop loop({{5}, {5, 3}, {5, 100, 2}, {5}});
  const EngineResult result = run_engine(loop.input);
  CHECK(small_runs::schedule(result) ==
        "0-5/completed@0/head 15-18/timeout@0/head ---/impossible 38-43/completed@0/head");
  CHECK(result.jobs.submit[2] == Instant(s(28)));
  CHECK(result.jobs.submit[3] == Instant(s(38)));
}

TEST_CASE("jobs of a loop that are still asleep at the stop are no jobs of the run") {
  Loop loop({{5}, {5}, {5}});
  loop.input.stop = Instant(s(20));
  loop.truth.think.back() = s(10);  // 15 + 10 > 20: behind the last row there is nothing to wake
  const EngineResult result = run_engine(loop.input);
  CHECK(small_runs::schedule(result) == "0-5/completed@0/head 15-20/completed@0/head ---/dormant");
}

TEST_CASE("each job of a loop is tagged by its own submission") {
  Loop loop({{5}, {5}, {5}});
  loop.input.tag_begin = Instant(s(10));
  loop.input.tag_end = Instant(s(20));
  loop.input.stop = Instant(s(100));
  const EngineResult result = run_engine(loop.input);
  CHECK(result.jobs.tagged == std::vector<std::uint8_t>{0, 1, 0});  // submitted at 0, 15, 30
}

TEST_CASE("a loop's columns must be as long as the table of jobs") {
  Loop loop({{5}, {5}});
  loop.truth.think.pop_back();
  CHECK_THROWS_AS(run_engine(loop.input), std::invalid_argument);
}
