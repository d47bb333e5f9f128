// Published-log figures: the cleaned KTH-SP2 log on its 100 processors. The figures come from an independent
// program (all ends and submissions of an instant, then one pass; reservation for the head only; a job past
// its estimate counts as ending now). FLEETSIM_SHARED names the folder that holds the traces.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "scenarios/import/swf.hpp"
#include "sim/engine/engine.hpp"
#include "sim/workload/from_trace.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
namespace fs = std::filesystem;

namespace {

constexpr int kProcessors = 100;

/// Empty: the log is absent.
Trace kth() {
  const char* shared = std::getenv("FLEETSIM_SHARED");
  const fs::path folder =
      shared != nullptr ? fs::path(shared) : fs::path(FLEETSIM_SOURCE_DIR).parent_path() / "shared";
  const fs::path file = folder / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz";
  if (!fs::exists(file)) {
    WARN("skipped: " << file.string() << " is absent; set FLEETSIM_SHARED");
    return {};
  }
  Diagnostics diagnostics;
  return read_swf(file, diagnostics);
}

EngineResult replay(const Workload& workload, PolicyKind policy, bool kill) {
  EngineInput input;
  input.pools.push_back({"machine", 1, kProcessors});
  input.queues.push_back({"all", {PoolId{0}}, {}});
  input.run_time = {1, {1.0}, {}};
  input.requests = &workload.requests;
  input.truth = &workload.truth;
  input.policy = policy;
  input.kill_at_limit = kill;
  return run_engine(input);
}

struct Figures {
  double mean_wait_s = 0, median_wait_s = 0, p90_wait_s = 0, no_wait_share = 0;
  double bounded_slowdown = 0;  ///< mean of max(1, (wait + run) / max(run, 10 s))
  double makespan_s = 0, utilisation = 0;
};

Figures figures(const Workload& workload, const EngineResult& result) {
  Figures f;
  const JobOutcome& jobs = result.jobs;
  const std::size_t n = workload.requests.size();
  std::vector<double> waits;
  double work = 0.0;
  Instant last = kStart;
  for (std::size_t j = 0; j < n; ++j) {
    const double wait = to_seconds(jobs.start[j] - jobs.submit[j]),
                 run = to_seconds(jobs.end[j] - jobs.start[j]);
    waits.push_back(wait);
    f.mean_wait_s += wait / static_cast<double>(n);
    f.no_wait_share += wait == 0.0 ? 1.0 / static_cast<double>(n) : 0.0;
    f.bounded_slowdown += std::max(1.0, (wait + run) / std::max(run, 10.0)) / static_cast<double>(n);
    work += run * workload.requests.gpus[j];
    last = std::max(last, jobs.end[j]);
  }
  std::sort(waits.begin(), waits.end());
  f.median_wait_s = waits[n / 2];
  f.p90_wait_s = waits[n * 9 / 10];
  f.makespan_s = to_seconds(last - jobs.submit[0]);
  f.utilisation = work / (kProcessors * f.makespan_s);
  return f;
}

}  // namespace

TEST_CASE("FCFS and EASY on the KTH-SP2 log give the figures of an independent program") {
  const Trace trace = kth();
  if (trace.jobs.empty()) return;
  const Workload workload = workload_from_trace(trace, QueueId{0});
  REQUIRE(workload.requests.size() == 28'475);
  struct Case {
    PolicyKind policy;
    bool kill;
    Figures expected;
  };
  const Case one = GENERATE(
      Case{PolicyKind::fifo, false, {390'083.0, 476'835, 813'020, .0994, 7'522.37, 28'781'494, .7007}},
      Case{PolicyKind::fifo, true, {354'169.0, 409'486, 756'582, .1022, 6'829.28, 28'781'494, .6985}},
      Case{PolicyKind::easy, false, {6'929.8, 0, 21'769, .5297, 91.13, 28'763'776, .7011}},
      Case{PolicyKind::easy, true, {6'931.6, 0, 22'164, .5327, 92.87, 28'763'776, .6990}});
  INFO(to_string(one.policy) << ", kill " << one.kill);
  const Figures found = figures(workload, replay(workload, one.policy, one.kill));
  // FCFS to the last digit that was published. That program's EASY breaks ties of its own, so a per cent or
  // two.
  const bool exact = one.policy == PolicyKind::fifo;
  const auto near = [&](double value, double digit, double share) {
    return Approx(value).margin(exact ? digit : share * value).epsilon(0);
  };
  CHECK(found.mean_wait_s == near(one.expected.mean_wait_s, 0.051, 0.01));
  CHECK(found.median_wait_s == near(one.expected.median_wait_s, 0.51, 0.0));
  CHECK(found.p90_wait_s == near(one.expected.p90_wait_s, 0.51, 0.02));
  CHECK(found.no_wait_share == near(one.expected.no_wait_share, 0.000051, 0.01));
  CHECK(found.bounded_slowdown == near(one.expected.bounded_slowdown, 0.0051, 0.01));
  CHECK(found.makespan_s == Approx(one.expected.makespan_s).margin(0.51).epsilon(0));
  CHECK(found.utilisation == Approx(one.expected.utilisation).margin(0.000051).epsilon(0));
}

TEST_CASE("Conservative backfilling of the KTH-SP2 log lies between FCFS and nothing to wait for") {
  const Trace trace = kth();
  if (trace.jobs.empty()) return;
  const Workload workload = workload_from_trace(trace, QueueId{0});
  const Figures found = figures(workload, replay(workload, PolicyKind::conservative, true));
  CHECK(found.mean_wait_s < 354'169.0 / 10);
  CHECK(found.utilisation == Approx(.6990).margin(0.003));
}

TEST_CASE("B041: the head of a public log is replayed to its end within seconds, under every policy") {
  Trace trace = kth();
  if (trace.jobs.empty()) return;
  trace.jobs.resize(3000);
  const Workload workload = workload_from_trace(trace, QueueId{0});
  double all_runs_s = 0.0;
  for (const Duration run : workload.truth.wall) all_runs_s += to_seconds(run);
  for (const PolicyKind policy : {PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative}) {
    for (const bool kill : {true, false}) {
      const auto begin = std::chrono::steady_clock::now();
      const EngineResult result = replay(workload, policy, kill);
      CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
      // One after the other would be the longest schedule.
      CHECK(to_seconds(result.ended) <= to_seconds(workload.requests.submit.back()) + all_runs_s);
      for (const JobState state : result.jobs.state) CHECK(state >= JobState::completed);
    }
  }
}
