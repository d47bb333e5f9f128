#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/metrics/hand_made.hpp"

using namespace fleetsim;
using namespace fleetsim::example;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr JobState kDone = JobState::completed;
constexpr double kH = 3600.0;

std::int64_t in(const std::array<std::int64_t, kJobStates>& states, JobState state) {
  return states[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE("a percentile is the value of the nearest rank") {
  std::vector<double> ten{5, 1, 9, 3, 7, 2, 10, 4, 8, 6};
  CHECK(percentile(ten, 0.5) == 5.0);    // ceil(5.0) = 5th
  CHECK(percentile(ten, 0.9) == 9.0);    // ceil(9.0) = 9th
  CHECK(percentile(ten, 0.95) == 10.0);  // ceil(9.5) = 10th
  CHECK(percentile(ten, 0.0) == 1.0);
  CHECK(percentile(ten, 1.0) == 10.0);
  std::vector<double> one{4.0}, none;
  CHECK(percentile(one, 0.05) == 4.0);
  CHECK(std::isnan(percentile(none, 0.5)));
}

TEST_CASE("waits, turnaround and slowdown follow tagged jobs only") {
  HandMade run({
      {0, 1, 2, 5, 5, 7, kDone},       // before the window: not tagged
      {0, 1, 2, 10, 10, 12, kDone},    // wait 0, turnaround 2
      {0, 1, 4, 20, 22, 26, kDone},    // wait 2, turnaround 6
      {0, 1, 1, 30, 37, 38, kDone},    // wait 7, turnaround 8
      {0, 1, 9, 110, 150, 159, kDone}  // at the end of the window: not tagged
  });
  const Metrics m = run.measured();
  const MetricSet& proto = m.classes[0];
  CHECK(m.submitted == 5);
  CHECK(m.tagged == 3);
  CHECK_THAT(proto.value("wait_s"), WithinRel(3.0 * kH));  // (0 + 2 + 7) / 3
  CHECK_THAT(proto.value("wait_s_p50"), WithinRel(2.0 * kH));
  CHECK_THAT(proto.value("wait_s_p90"), WithinRel(7.0 * kH));
  CHECK_THAT(proto.value("turnaround_s"), WithinRel(16.0 / 3.0 * kH));
  CHECK_THAT(proto.value("bounded_slowdown"), WithinRel((1.0 + 6.0 / 4.0 + 8.0) / 3.0));
  CHECK_THAT(m.all.value("wait_s"), WithinRel(3.0 * kH));
  CHECK(std::isnan(m.classes[1].value("wait_s")));
  CHECK(std::isnan(m.all.value("no_such_metric")));
  CHECK(m.broken_laws.empty());
}

TEST_CASE("a job that still waits or runs at the end counts with its time so far") {
  HandMade run({{0, 4, 50, 100, kNoTime, kNoTime, JobState::unfinished},
                {0, 4, 99, 105, 120, kNoTime, JobState::unfinished}},
               200);
  const Metrics m = run.measured();
  CHECK_THAT(m.all.value("wait_s"), WithinRel((100.0 + 15.0) / 2.0 * kH));
  CHECK_THAT(m.all.value("turnaround_s"), WithinRel((100.0 + 95.0) / 2.0 * kH));
  CHECK(std::isnan(m.all.value("bounded_slowdown")));
  CHECK_THAT(m.all.value("unfinished_tagged_share"), WithinRel(1.0));
  CHECK(in(m.tagged_states, JobState::unfinished) == 2);
  CHECK(m.broken_laws.empty());
}

TEST_CASE("time to result is k prototypes and the results that were promoted from tagged prototypes") {
  HandMade run({
      {0, 1, 2, 5, 5, 7, kDone},                  // before the window ...
      {1, 8, 9, 20, 60, 69, kDone, 1, 2, 0},      // ... so its result is not tagged
      {0, 1, 2, 50, 51, 53, kDone},               // turnaround 3
      {1, 8, 10, 90, 130, 140, kDone, 1, 2, 2},   // submitted in, started after the window: turnaround 50
      {0, 1, 4, 60, 60, 64, kDone, 0, 0},         // turnaround 4
      {1, 8, 20, 120, 150, 170, kDone, 1, 2, 4},  // submitted after the window: turnaround 50
      {0, 1, 1, 70, 70, 71, JobState::timeout},   // turnaround 1, its child stays dormant
      {1, 8, 20, kNoTime, kNoTime, kNoTime, JobState::dormant, 1, 2, 6},
      {1, 8, 10, 40, 80, 90, kDone, 1, 2},  // a large run of its own: no result of a chain
  });
  const Metrics m = run.measured();
  // 10 x (3 + 4 + 1) / 3 + (50 + 50) / 2 hours.
  CHECK_THAT(m.all.value("time_to_result_s"), WithinRel((80.0 / 3.0 + 50.0) * kH));
  CHECK_THAT(m.classes[1].value("promoted_turnaround_s"), WithinRel(50.0 * kH));
  CHECK_THAT(m.classes[1].value("turnaround_s"), WithinRel(50.0 * kH));  // (50 + 50 + 50) / 3
  // Chains: (3 + 50) / (2 + 10), (4 + 50) / (4 + 20); the killed prototype is no chain.
  CHECK_THAT(m.all.value("chain_slowdown"), WithinRel((53.0 / 12.0 + 54.0 / 24.0) / 2.0));
  // Large runs completed in hours 10 to 110: at 69 and 90. 100 h are 100/168 weeks.
  CHECK_THAT(m.all.value("results_per_week"), WithinRel(2.0 / (100.0 / 168.0)));
  CHECK(m.submitted == 8);
}

TEST_CASE("utilisation integrates what is held inside the window only") {
  HandMade run({
      {0, 4, 20, 0, 0, 20, kDone, 0, 0},     // 10 h inside
      {0, 2, 5, 50, 50, 55, kDone, 0, 0},    // 5 h
      {1, 8, 60, 80, 80, 140, kDone, 1, 2},  // 30 h inside, efficiency 0.75
  });
  const Metrics m = run.measured();
  // p: (4 x 10 + 2 x 5) / (8 GPUs x 100 h); q: 8 x 30 / (8 x 100).
  CHECK_THAT(m.pools[0].utilisation_allocated, WithinRel(50.0 / 800.0));
  CHECK_THAT(m.pools[1].utilisation_allocated, WithinRel(240.0 / 800.0));
  CHECK_THAT(m.all.value("utilisation_allocated"), WithinRel(290.0 / 1600.0));
  CHECK_THAT(m.all.value("utilisation_effective"), WithinRel((50.0 + 0.75 * 240.0) / 1600.0));
  CHECK_THAT(m.all.value("scaling_efficiency"), WithinRel(230.0 / 290.0));
  // Hour 52 of the week is seen once in hours 10 to 110: 2 of 16 GPUs. Hour 5 never is, hour 9 of the next
  // week would be 177.
  REQUIRE(m.utilisation_by_hour.size() == 168);
  CHECK_THAT(m.utilisation_by_hour[52], WithinRel(2.0 / 16.0));
  CHECK_THAT(m.utilisation_by_hour[12], WithinRel(4.0 / 16.0));
  CHECK(m.utilisation_by_hour[5] == 0.0);
  CHECK(m.utilisation_by_hour[120] == 0.0);
}

TEST_CASE("unserved work is what was impossible or killed, in reference GPU-hours") {
  HandMade run({
      {0, 2, 10, 20, 20, 30, kDone},                       // 20 GPU-hours
      {0, 1, 50, 20, 20, 44, JobState::timeout},           // 50
      {1, 16, 10, 30, kNoTime, 30, JobState::impossible},  // 160
      {1, 16, 10, 5, kNoTime, 5, JobState::impossible},    // before the window
  });
  const Metrics m = run.measured();
  CHECK_THAT(m.all.value("unserved_gpu_hours"), WithinRel(210.0));
  CHECK_THAT(m.all.value("impossible_gpu_hours"), WithinRel(160.0));
  CHECK_THAT(m.all.value("unserved_share"), WithinRel(210.0 / 230.0));
  CHECK_THAT(m.classes[0].value("unserved_share"), WithinRel(50.0 / 70.0));
  CHECK_THAT(m.classes[1].value("impossible_share"), WithinRel(1.0));
  CHECK(in(m.states, JobState::impossible) == 2);
  CHECK(m.broken_laws.empty());
}

TEST_CASE("free GPUs are stranded while the waiting head would fit but for the borders of nodes") {
  // p = 2 nodes of 4. Two jobs hold 2 GPUs of each node in hours 20 to 30; a job of 4 waits from 22 to 30:
  // 4 GPUs are free in all, 2 on each node.
  HandMade run({
      {0, 2, 10, 20, 20, 30, kDone, 0, 0},
      {0, 2, 10, 20, 20, 30, kDone, 0, 1},
      {0, 4, 5, 22, 30, 35, kDone, 0, 0},
  });
  const Metrics m = run.measured();
  // Stranded 4 x 8. Free on p: 8 x 100 - 2 x 10 - 2 x 10 - 4 x 5 = 740; on q: 800.
  CHECK_THAT(m.all.value("fragmentation"), WithinRel(32.0 / 1540.0));
}

TEST_CASE("a head that asks for more than is free strands nothing") {
  HandMade run({
      {0, 4, 10, 20, 20, 30, kDone, 0, 0},
      {0, 2, 10, 20, 20, 30, kDone, 0, 1},
      {0, 4, 5, 22, 30, 35, kDone, 0, 0},
  });
  CHECK(run.measured().all.value("fragmentation") == 0.0);
}

TEST_CASE("backlog growth compares waiting work at both ends of the window") {
  HandMade run({
      {0, 4, 20, 0, 60, 80, kDone, 0, 0},      // waits at hour 10: 4 x 20 h
      {0, 4, 30, 100, 115, 145, kDone, 0, 0},  // waits at hour 110: 4 x 30 h
      {0, 4, 70, 5, 120, 190, kDone, 0, 1},    // waits at both
      {1, 8, 10, 109, 150, 160, kDone, 1, 2},  // q at 110: 8 x 10 h
  });
  const Metrics m = run.measured();
  CHECK_THAT(m.pools[0].backlog_growth, WithinRel((120.0 - 80.0) / 800.0));
  CHECK_THAT(m.pools[1].backlog_growth, WithinRel(80.0 / 800.0));
}

TEST_CASE("a table that disagrees with the transitions breaks Little's law and conservation") {
  HandMade run({{0, 1, 2, 10, 10, 12, kDone}, {0, 1, 2, 20, 22, 24, kDone}});
  run.result.jobs.end[1] = at(25);
  HandMade honest({{0, 1, 2, 10, 10, 12, kDone}, {0, 1, 2, 20, 22, 24, kDone}});
  Ledger ledger(run.input);
  for (const Transition& t : honest.transitions()) ledger.on(t);
  ledger.close(run.result.ended);
  const Metrics m = measure(run.scenario, run.input, run.result, ledger, run.efficiency);
  REQUIRE(m.broken_laws.size() == 2);
  CHECK_THAT(m.broken_laws[0], Catch::Contains("Little's law") && Catch::Contains("7.000000 h"));
  CHECK_THAT(m.broken_laws[1], Catch::Contains("GPU-second conservation in p"));
}

TEST_CASE("more GPUs held than there are is reported") {
  HandMade run({{0, 4, 2, 10, 10, 12, kDone, 0, 0}, {0, 4, 2, 10, 10, 12, kDone, 0, 0}}, 200, 1);
  const Metrics m = run.measured();
  REQUIRE(m.broken_laws.size() == 1);
  CHECK_THAT(m.broken_laws[0], Catch::Contains("capacity of p: 8 GPUs were held at once, it has 4"));
}

TEST_CASE("a run without jobs has undefined means and no broken laws") {
  HandMade run({});
  const Metrics m = run.measured();
  CHECK(m.submitted == 0);
  CHECK(std::isnan(m.all.value("wait_s")));
  CHECK(std::isnan(m.all.value("time_to_result_s")));
  CHECK(m.all.value("utilisation_allocated") == 0.0);
  CHECK(m.broken_laws.empty());
}
