// What each group of users got.
#include "sim/workload/groups.hpp"
#include "tests/catch.hpp"
#include "tests/unit/metrics/hand_made.hpp"

using namespace fleetsim;
using namespace fleetsim::example;

TEST_CASE("Groups have the waits of their jobs, the GPU time they held, and Jain's index of it per user") {
  HandMade run({
      {0, 2, 10, 10, 10, 20, JobState::completed, 0, 0},  // a: 20 GPU h, no wait
      {0, 1, 10, 12, 14, 24, JobState::completed, 0, 1},  // a: 10 GPU h, 2 h
      {0, 1, 30, 15, 19, 49, JobState::completed, 0, 1},  // b: 30 GPU h, 4 h
      {0, 1, 10, 5, 5, 15, JobState::completed, 0, 1},    // nobody: 5 of its 10 GPU h lie in the window
  });
  run.scenario.workload.users = 4;
  run.scenario.workload.groups = {{"a", 2, {}}, {"b", 1, {}}};
  run.set_groups({0, 0, 1, 2});
  const Metrics m = run.measured();
  REQUIRE(m.groups.size() == 3);
  CHECK(m.groups[0].scope == "a");
  CHECK(m.groups[2].scope == kNoGroupScope);
  CHECK(m.groups[0].value("tagged_jobs") == 2.0);
  CHECK(m.groups[0].value("wait_s") == Approx(3600.0));  // (0 + 2 h) / 2
  CHECK(m.groups[0].value("wait_s_p95") == Approx(2 * 3600.0));
  CHECK(m.groups[1].value("wait_s") == Approx(4 * 3600.0));
  CHECK(m.groups[2].value("tagged_jobs") == 0.0);  // submitted before the window
  CHECK(m.groups[0].value("gpu_hours_held") == Approx(30.0));
  CHECK(m.groups[1].value("gpu_hours_held") == Approx(30.0));
  CHECK(m.groups[2].value("gpu_hours_held") == Approx(5.0));
  double shares = 0.0;
  for (const MetricSet& g : m.groups) shares += g.value("use_share");
  CHECK(shares == Approx(1.0));
  // a has 30 / 2 = 15 a user, b 30: (15 + 30)^2 / (2 (15^2 + 30^2)) = 2025 / 2250
  CHECK(m.all.value("group_fairness") == Approx(0.9));
}

TEST_CASE("Without groups there are no groups, and no index of them") {
  HandMade run({{0, 1, 10, 12, 14, 24, JobState::completed, 0, 0}});
  const Metrics m = run.measured();
  CHECK(m.groups.empty());
  CHECK(m.all.find("group_fairness") == nullptr);
}
