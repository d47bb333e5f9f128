#include "sim/study/warm_up.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// A job every 30 min; the first `late` of them wait 2 h, the others 0 or 60 s in turn.
PilotRun every_half_hour(int jobs, int late) {
  PilotRun run;
  for (int i = 0; i < jobs; ++i) {
    run.wait_s.push_back(i < late ? 7200.0 : 60.0 * (i % 2));
    run.submit.push_back(i * (kHour / 2));
  }
  return run;
}

Candidate pilot_fleet(std::size_t i) {
  Candidate c;
  c.scenario = made_up::scenario(i == 0 ? 4 : 6, 2);
  c.label = fmt::format("{}+2", i == 0 ? 4 : 6);
  return c;
}

}  // namespace

TEST_CASE("the warm-up ends in the hour in which the first job that is kept was submitted") {
  // 30 jobs are cut; job 30 comes at 15 h.
  const WarmUpFound::Pilot pilot = judge_pilot("4+2 strict", every_half_hour(200, 30));
  CHECK(pilot.hours == 15.0);
  CHECK(pilot.settled);
  CHECK(pilot.waits == 200);
  // 35: 17.5 h, so 18
  CHECK(judge_pilot("4+2 strict", every_half_hour(200, 35)).hours == 18.0);
  CHECK(judge_pilot("4+2 strict", every_half_hour(200, 0)).hours == 0.0);
  CHECK_FALSE(judge_pilot("4+2 strict", every_half_hour(200, 150)).settled);
}

TEST_CASE("a pilot starts empty, measures at once and has its waits in the order of submission") {
  Scenario s = made_up::scenario(4, 2);
  const PilotRun run = pilot_run(s);
  REQUIRE(run.wait_s.size() > 200);  // 24 prototypes a day for two weeks
  CHECK(std::is_sorted(run.submit.begin(), run.submit.end()));
  CHECK(run.submit.back() < s.time.measure);
  CHECK(run.submit.front() < 1 * kDay);
  CHECK(std::all_of(run.wait_s.begin(), run.wait_s.end(), [](double wait) { return wait >= 0.0; }));
  s.time.warm_up = 3 * kWeek;  // is what is asked for, not what it starts from
  CHECK(pilot_run(s).wait_s == run.wait_s);
}

TEST_CASE("all fleets get the largest warm-up of those that settle, whatever the threads") {
  const auto found = find_warm_up(2, pilot_fleet, 4 * kWeek, 1);
  REQUIRE(found);
  REQUIRE(found->pilots.size() == 2);
  CHECK(found->pilots[0].fleet == "4+2 overflow");
  double largest = 0.0;
  bool any = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const WarmUpFound::Pilot alone = judge_pilot("", pilot_run(pilot_fleet(i).scenario));
    CHECK(found->pilots[i].hours == alone.hours);
    if (alone.settled) largest = std::max(largest, alone.hours);
    any = any || alone.settled;
  }
  CHECK(found->hours == (any ? largest : 672.0));
  const auto many = find_warm_up(2, pilot_fleet, 4 * kWeek, 3);
  REQUIRE(many);
  CHECK(many->sentence == found->sentence);
  CHECK(many->hours == found->hours);
}

TEST_CASE("where no fleet settles the default is kept, and it is said") {
  const auto saturated = [](std::size_t) {
    Candidate c = pilot_fleet(0);
    c.scenario.workload.users = 200;  // 33 times as much work as before
    return c;
  };
  const auto found = find_warm_up(1, saturated, 4 * kWeek, 1);
  REQUIRE(found);
  CHECK_FALSE(found->pilots[0].settled);
  CHECK(found->hours == 672.0);
  CHECK_THAT(found->sentence, Catch::Contains("none of 1 pilot run") && Catch::Contains("672 h"));
  std::atomic<bool> stop{true};
  CHECK_FALSE(find_warm_up(1, saturated, 4 * kWeek, 1, {}, &stop));
}
