// The recorded trace on the nodes on which it was recorded.
#include "sim/study/credibility.hpp"

#include <memory>

#include "sim/study/credibility_json.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

struct Recorded {
  int submit_min, run_min, gpus;
  double wait_min;  ///< below 0: not recorded
};

/// One existing node of 4 GPUs; nodes to be bought beside it, which the replay must leave out.
Scenario with_trace(const std::vector<Recorded>& jobs) {
  Scenario s = made_up::scenario(3, 2);
  NodePool old{"old", made_up::node("owned", 4, 8'000.0), 1};
  old.existing = true;
  old.retires = "2020-01";
  s.pools.push_back(old);
  s.scheduler.partitions[0].pools.push_back(PoolId{2});
  s.scheduler.policy = PolicyKind::fifo;
  s.availability.failures = FailureSpec{kDay, {}, kDay, {}, {}, true};
  Trace trace;
  for (const Recorded& job : jobs) {
    TraceJob made;
    made.source_id = static_cast<std::int64_t>(trace.jobs.size()) + 1;
    made.submit = kStart + std::chrono::minutes(job.submit_min);
    made.run = made.limit = std::chrono::minutes(job.run_min);
    made.has_limit = true;
    made.recorded_wait_s = job.wait_min < 0.0 ? -1.0 : 60.0 * job.wait_min;
    made.processors = job.gpus;
    trace.jobs.push_back(made);
  }
  s.workload.trace = std::make_shared<const Trace>(std::move(trace));
  s.workload.trace_file = "old.swf";
  return s;
}

// First come first served on 4 GPUs: 0-60 on all four, then 60-90 and 60-120 side by side, then 120-130.
const std::vector<Recorded> kExact = {{0, 60, 4, 0}, {10, 30, 1, 50}, {20, 60, 2, 40}, {30, 10, 4, 90}};

std::vector<Recorded> times(double factor) {
  std::vector<Recorded> jobs = kExact;
  for (Recorded& job : jobs) job.wait_min *= factor;
  return jobs;
}

}  // namespace

TEST_CASE("waits that the old nodes under this policy explain agree with the recorded ones") {
  const auto c = replay_recorded(with_trace(kExact));
  REQUIRE(c.has_value());
  CHECK(c->answer == "agrees");
  CHECK(c->credible());
  REQUIRE(c->waits.size() == 3);  // all, 1 GPU, 2 to 4 GPUs
  CHECK(c->waits[0].n == 4);
  CHECK(c->waits[0].recorded_mean_s == Approx(60.0 * (0 + 50 + 40 + 90) / 4.0));
  CHECK(c->waits[0].simulated_mean_s == Approx(c->waits[0].recorded_mean_s));
  CHECK(c->waits[0].simulated_p95_s == Approx(60.0 * 90));
  CHECK(c->waits[1].jobs == "1 GPU");
  CHECK(c->waits[1].simulated_mean_s == Approx(60.0 * 50));
  CHECK(c->waits[2].jobs == "2 to 4 GPUs");
  CHECK(c->cluster == "1 x owned");
}

TEST_CASE("recorded waits three times as long speak against the simulator, half as long again do not") {
  const auto tripled = replay_recorded(with_trace(times(3.0)));
  CHECK(tripled->answer == "differs");  // simulated / recorded - 1 = -67 %
  CHECK(tripled->sentence.find("(-67 %): they differ by more than 50 %") != std::string::npos);
  CHECK(replay_recorded(with_trace(times(1.5)))->answer == "agrees");   // -33 %
  CHECK(replay_recorded(with_trace(times(0.6)))->answer == "differs");  // +67 %
  CHECK(replay_recorded(with_trace(times(0.0)))->answer == "differs");  // waits where none was recorded
}

TEST_CASE("without recorded waits, or jobs that can run there, nothing can be checked, and it is said") {
  std::vector<Recorded> jobs = kExact;
  for (Recorded& job : jobs) job.wait_min = -1.0;
  const auto none = replay_recorded(with_trace(jobs));
  CHECK(none->answer == "unchecked");
  CHECK(none->credible());
  CHECK(none->without_wait == 4);
  CHECK(none->sentence.find("has no recorded waits") != std::string::npos);
  const auto large = replay_recorded(with_trace({{0, 60, 5, 10}, {5, 60, 64, 10}}));
  CHECK(large->answer == "unchecked");
  CHECK(large->not_run == 2);
  Scenario s = with_trace(kExact);
  s.pools.pop_back();
  s.scheduler.partitions[0].pools.pop_back();
  CHECK_FALSE(replay_recorded(s).has_value());  // no old nodes
  CHECK_FALSE(replay_recorded(made_up::scenario(1, 1)).has_value());
}

TEST_CASE("what is stored of the replay is read back") {
  const auto c = replay_recorded(with_trace(times(3.0)));
  const Credibility back = credibility_of(credibility_json(*c));
  CHECK(back.sentence == c->sentence);
  CHECK(back.answer == c->answer);
  REQUIRE(back.waits.size() == c->waits.size());
  CHECK(back.waits[2].simulated_p50_s == c->waits[2].simulated_p50_s);
  CHECK_THROWS_AS(credibility_of(nlohmann::json::object()), std::runtime_error);
}

TEST_CASE("no verdict is confident while recorded and simulated waits are far apart") {
  StudyResult s;
  s.pool_names = {"proto", "scale"};
  s.scale_pool = "scale";
  s.replications = 20;
  s.ks = {10.0};
  for (const double share : {0.27, 0.47}) {
    CandidateResult c;
    c.label = share < 0.3 ? "A" : "B";
    c.sharing = SharingRule::overflow;
    c.share = share;
    c.objective = {{10.0, summarise(std::vector<double>(20, share < 0.3 ? 50.0 : 80.0), "h")}};
    s.candidates.push_back(c);
  }
  BestSet set;
  set.sharing = SharingRule::overflow;
  set.k = 10.0;
  set.best = 0;
  set.members = {0};
  set.differences = {{0, 0.0, 0.0, 0.0}, {1, 60.0, 59.0, 61.0}};
  set.band = BandJudgement{"holds", {}};
  s.best_sets = {set};
  const Scenario base = made_up::scenario(4, 2);
  conclude(base, s);
  CHECK(s.rule_status == "holds");
  s.credibility = replay_recorded(with_trace(times(1.0)));
  conclude(base, s);
  CHECK(s.rule_status == "holds");
  CHECK(s.verdict.find("Replayed") == std::string::npos);
  s.credibility = replay_recorded(with_trace(times(3.0)));
  conclude(base, s);
  CHECK(s.rule_status == "undecided");
  CHECK(s.verdict.rfind("Replayed on the nodes that are there", 0) == 0);
  CHECK(s.verdict.find("the rule is undecided here") != std::string::npos);
}
