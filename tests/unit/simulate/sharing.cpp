#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;
using Catch::Matchers::WithinRel;

namespace {

constexpr auto minutes(int n) {
  return kStart + std::chrono::minutes(n);
}

}  // namespace

// proto: one node of 4 GPUs; prototypes take 2. The third prototype finds no room there.
TEST_CASE("with strict partitions the third prototype waits") {
  const Scenario s = example::two_pools(SharingRule::strict);
  EngineResult out;
  const Workload w = example::workload_of(s, {{0, 0, 60}, {0, 0, 90}, {0, 5, 30}});
  const RunResult run = simulate(s, w, &out);
  CHECK(out.jobs.start[2] == minutes(60));
  CHECK(out.jobs.pool[2] == PoolId{0});
  // Waits 0, 0, 55 min.
  CHECK_THAT(run.metrics.classes[0].value("wait_s"), WithinRel(55.0 * 60.0 / 3.0));
  CHECK_THAT(run.metrics.all.value("wait_s_p95"), WithinRel(55.0 * 60.0));
  // (2 x 60 + 2 x 90 + 2 x 30) GPU-minutes over 4 GPUs and one week.
  CHECK_THAT(run.metrics.pools[0].utilisation_allocated, WithinRel(360.0 / (4.0 * 7 * 24 * 60)));
  CHECK(run.metrics.broken_laws.empty());
}

TEST_CASE("with overflow the third prototype runs on an idle scale node") {
  const Scenario s = example::two_pools(SharingRule::overflow);
  EngineResult out;
  const Workload w = example::workload_of(s, {{0, 0, 60}, {0, 0, 90}, {0, 5, 30}});
  static_cast<void>(simulate(s, w, &out));
  CHECK(out.jobs.start[2] == minutes(5));
  CHECK(out.jobs.pool[2] == PoolId{1});
  CHECK(out.jobs.reason[2] == StartReason::overflow);
}

TEST_CASE("with preemption the second scale-up takes the node back, and what that costs is counted") {
  const Scenario s = example::two_pools(SharingRule::preempt);
  EngineResult out;
  // The third prototype overflows at 5; the scale-ups come at 15. One takes the empty node, the other the
  // prototype's, which starts anew when a prototype ends at 60.
  const Workload w =
      example::workload_of(s, {{0, 0, 60}, {0, 0, 90}, {0, 5, 30}, {1, 15, 120}, {1, 15, 120}});
  const RunResult run = simulate(s, w, &out);
  CHECK(out.jobs.start[3] == minutes(15));
  CHECK(out.jobs.start[4] == minutes(15));
  CHECK(out.jobs.start[2] == minutes(60));
  CHECK(out.jobs.end[2] == minutes(90));
  CHECK(out.jobs.submit[2] == minutes(5));
  CHECK(out.jobs.pool[2] == PoolId{0});
  const MetricSet& prototypes = run.metrics.classes[0];
  CHECK(prototypes.value("preemptions") == 1.0);
  CHECK(prototypes.value("preempted_jobs") == 1.0);
  // 2 GPUs x 10 min.
  CHECK_THAT(prototypes.value("preempted_gpu_hours"), WithinRel(2.0 / 6.0));
  CHECK(run.metrics.classes[1].value("preemptions") == 0.0);
  CHECK(run.metrics.all.find("requeued") == nullptr);  // no outages in this scenario
  // It waited for its first start only: not at all.
  CHECK(prototypes.value("wait_s") == 0.0);
  CHECK(run.metrics.broken_laws.empty());
  CHECK(simulate(example::two_pools(SharingRule::overflow), w).metrics.all.find("preemptions") == nullptr);
}

TEST_CASE("a prototype whose limit is above the overflow limit waits for its own nodes") {
  const Scenario s = example::two_pools(SharingRule::overflow);  // overflow up to 12 h
  EngineResult out;
  // The limit of the third is 2 x 370 min -> 12 h 30 min.
  const Workload w = example::workload_of(s, {{0, 0, 60}, {0, 0, 90}, {0, 5, 370}});
  static_cast<void>(simulate(s, w, &out));
  CHECK(out.jobs.start[2] == minutes(60));
  CHECK(out.jobs.pool[2] == PoolId{0});
}

TEST_CASE("without proto nodes strict makes prototypes impossible and overflow serves the short ones") {
  const Workload w =
      example::workload_of(example::two_pools(SharingRule::strict, 0), {{0, 0, 60}, {0, 0, 900}, {1, 0, 60}});
  const RunResult strict = simulate(example::two_pools(SharingRule::strict, 0), w);
  CHECK(strict.metrics.states[static_cast<std::size_t>(JobState::impossible)] == 2);
  // (2 x 1 + 2 x 15) of (2 x 1 + 2 x 15 + 8 x 1) GPU-hours.
  CHECK_THAT(strict.metrics.all.value("unserved_share"), WithinRel(32.0 / 40.0));
  const RunResult overflow = simulate(example::two_pools(SharingRule::overflow, 0), w);
  CHECK(overflow.metrics.states[static_cast<std::size_t>(JobState::completed)] == 2);
  CHECK_THAT(overflow.metrics.all.value("impossible_gpu_hours"), WithinRel(30.0));
}

TEST_CASE("in one pool prototypes prefer the first pool and spill to the second") {
  const Scenario s = example::two_pools(SharingRule::one_pool);
  EngineResult out;
  const Workload w = example::workload_of(s, {{0, 0, 60}, {0, 0, 90}, {0, 5, 1000}});
  static_cast<void>(simulate(s, w, &out));
  CHECK(out.jobs.pool[0] == PoolId{0});
  CHECK(out.jobs.pool[2] == PoolId{1});
  CHECK(out.jobs.start[2] == minutes(5));
}

TEST_CASE("a job whose limit is capped is killed at it") {
  const Scenario s = example::two_pools(SharingRule::strict);
  EngineResult out;
  const Workload w = example::workload_of(s, {{0, 0, 25 * 60}});
  const RunResult run = simulate(s, w, &out);
  CHECK(out.jobs.state[0] == JobState::timeout);
  CHECK(out.jobs.end[0] == minutes(24 * 60));
  CHECK_THAT(run.metrics.all.value("unserved_gpu_hours"), WithinRel(50.0));
}

TEST_CASE("energy and cost follow from utilisation, power and prices") {
  Scenario s = example::two_pools(SharingRule::strict, 1, 0);
  s.site.pue = 1.5;
  s.site.electricity = MoneyPerEnergy{100'000};  // 0.10 USD/kWh
  const Workload w = example::workload_of(s, {{0, 0, 12 * 60}, {0, 0, 12 * 60}});
  const RunResult run = simulate(s, w);
  // 4 GPUs for 12 of 168 h: utilisation 1/14. Idle 250 + 4 x 30 = 370 W, load 500 + 4 x 300 = 1700 W.
  const double power_w = 370.0 + (1700.0 - 370.0) / 14.0;
  CHECK_THAT(run.metrics.all.value("energy_kwh"), WithinRel(power_w * 1.5 * 168.0 / 1000.0, 1e-9));
  // (10,000 USD + 3 years of energy) / (4 / 14 GPU x 3 years).
  const double energy_usd = power_w * 1.5 * 3.0 * 8760.0 / 1000.0 * 0.10;
  const double useful_h = 4.0 / 14.0 * 3.0 * 8760.0;
  CHECK_THAT(run.metrics.all.value("cost_per_useful_gpu_hour"),
             WithinRel((10'000.0 + energy_usd) / useful_h, 1e-6));
}
