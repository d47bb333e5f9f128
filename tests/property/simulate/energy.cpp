// Conservation of energy and money: whatever the lab and its load, lines add up to the meter.
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "sim/economics/economics.hpp"
#include "sim/economics/energy.hpp"
#include "sim/metrics/ledger.hpp"
#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;

namespace {

Scenario any_lab() {
  const auto sharing = *rc::gen::element(SharingRule::strict, SharingRule::overflow, SharingRule::one_pool);
  Scenario s = example::two_pools(sharing, *rc::gen::inRange(1, 5), *rc::gen::inRange(0, 4));
  s.seed = *rc::gen::arbitrary<std::uint64_t>();
  s.site.pue = 1.0 + *rc::gen::inRange(0, 100) / 100.0;
  s.site.electricity = MoneyPerEnergy{*rc::gen::inRange(0, 500'000)};
  s.workload.users = *rc::gen::inRange(1, 8);
  return s;
}

double sum_over_classes(const Metrics& m, const char* name) {
  double sum = 0.0;
  for (const MetricSet& set : m.classes) sum += set.value(name);
  return sum;
}

}  // namespace

TEST_CASE("the energy of classes and of idle nodes adds up to the meter") {
  CHECK(rc::check("energy", [] {
    const Scenario s = any_lab();
    const Metrics m = simulate(s, *rc::gen::inRange<std::uint32_t>(0, 50)).metrics;
    // In joules the lines are whole and the sum exact.
    const auto joules = [](double kwh) { return std::llround(kwh * 3.6e6); };
    RC_ASSERT(joules(sum_over_classes(m, "energy_kwh") + m.all.value("idle_energy_kwh")) ==
              joules(m.all.value("energy_kwh")));
    const auto micro = [](double amount) { return std::llround(amount * 1e6); };
    RC_ASSERT(micro(sum_over_classes(m, "energy_cost") + m.all.value("idle_energy_cost")) ==
              micro(m.all.value("energy_cost")));
    RC_ASSERT(micro(sum_over_classes(m, "gpu_time_cost") + m.all.value("idle_gpu_time_cost")) ==
              micro(m.all.value("gpu_time_cost")));
    // Idle is a remainder; independently it is the idle power of every node, all the time, at the meter.
    double idle_w = 0.0;
    for (const NodePool& pool : s.pools) idle_w += idle_power(pool.node).count() * pool.count;
    const double idle_kwh = idle_w * to_hours(s.time.measure) / 1000.0 * s.site.pue;
    RC_ASSERT(std::abs(m.all.value("idle_energy_kwh") - idle_kwh) < 4.0 / 3.6e6 + 1e-9 * idle_kwh);
  }));
}

TEST_CASE("a cluster without jobs costs its idle power") {
  Scenario s = example::two_pools(SharingRule::strict, 1, 2);
  const Workload nothing = example::workload_of(s, {});
  const Metrics m = simulate(s, nothing).metrics;
  // Idle: 250 + 4 x 30 = 370 W and 2 x (250 + 8 x 30) = 980 W; x 1.5 x 168 h.
  CHECK(m.all.value("energy_kwh") == Approx(1350.0 * 1.5 * 168.0 / 1000.0));
  CHECK(m.all.value("idle_energy_kwh") == Approx(m.all.value("energy_kwh")));
  CHECK(m.all.value("energy_cost") == Approx(m.all.value("energy_kwh") * 0.12));
  CHECK(m.classes[0].value("energy_kwh") == 0.0);
  CHECK(m.classes[0].value("gpu_time_cost") == 0.0);
  CHECK(m.all.value("idle_gpu_time_cost") == m.all.value("gpu_time_cost"));
  CHECK(m.all.value("gpu_time_cost") > 0.0);
}

// Nobody waits, so a job with twice the GPUs holds exactly twice the GPU time.
TEST_CASE("doubling the GPUs of a class doubles what its jobs cost") {
  CHECK(rc::check("doubling", [] {
    Scenario s = example::two_pools(SharingRule::strict, 400, 1);
    s.seed = *rc::gen::arbitrary<std::uint64_t>();
    s.workload.users = *rc::gen::inRange(1, 4);
    s.workload.classes[0].promotes_to.reset();
    s.workload.classes[0].wall_time.law = LognormalSpec{kHour, 3 * kHour, 24 * kHour};
    s.workload.classes[0].gpus = {{*rc::gen::element(1, 2), 1.0}};
    const Metrics once = simulate(s, 0).metrics;
    RC_PRE(once.classes[0].value("gpu_hours_held") > 0.0);
    s.workload.classes[0].gpus[0].gpus *= 2;
    const Metrics twice = simulate(s, 0).metrics;
    RC_ASSERT(twice.classes[0].value("gpu_hours_held") == 2.0 * once.classes[0].value("gpu_hours_held"));
    for (const char* cost : {"gpu_time_cost", "energy_cost"}) {
      // Each amount is rounded to a micro-dollar, energy to a joule before it.
      const double apart = twice.classes[0].value(cost) - 2.0 * once.classes[0].value(cost);
      RC_ASSERT(std::abs(apart) < 4e-6);
    }
  }));
}
