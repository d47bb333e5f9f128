#include <cmath>
#include <memory>
#include <utility>

#include "sim/economics/carbon.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;

namespace {

/// One node of 4 GPUs of 300 W at load and 30 W idle, base 500 and 250 W: a busy GPU adds 270 + 250 / 4 W.
constexpr double kBusyGpu_w = 270.0 + 62.5;
constexpr double kIdle_w = 250.0 + 4 * 30.0;

Scenario one_node() {
  Scenario s = example::two_pools(SharingRule::strict, 1, 0);
  s.site.pue = 1.5;
  s.workload.classes[0].promotes_to.reset();
  return s;
}

}  // namespace

TEST_CASE("a class pays the energy that its GPUs draw above idle") {
  const Scenario s = one_node();
  const Metrics m = simulate(s, example::workload_of(s, {{0, 0, 12 * 60}})).metrics;
  // 2 GPUs for 12 h.
  CHECK(m.classes[0].value("gpu_hours_held") == Approx(24.0));
  CHECK(m.classes[0].value("energy_kwh") == Approx(24.0 * kBusyGpu_w * 1.5 / 1000.0).epsilon(1e-7));
  CHECK(m.classes[0].value("energy_cost") == Approx(24.0 * kBusyGpu_w * 1.5 / 1000.0 * 0.12).epsilon(1e-6));
  CHECK(m.classes[1].value("energy_kwh") == 0.0);
  CHECK(m.all.value("idle_energy_kwh") == Approx(kIdle_w * 1.5 * 168.0 / 1000.0).epsilon(1e-7));
}

TEST_CASE("only GPU time within the window counts") {
  Scenario s = one_node();
  s.time.warm_up = 6 * kHour;
  const Metrics m = simulate(s, example::workload_of(s, {{0, 0, 12 * 60}})).metrics;
  CHECK(m.classes[0].value("gpu_hours_held") == Approx(2.0 * 6.0));
}

// A GPU hour of the node costs a quarter of a node hour: 10,000 USD over three years, and idle energy.
TEST_CASE("a class pays for the GPU hours that it held") {
  const Scenario s = one_node();
  const Metrics m = simulate(s, example::workload_of(s, {{0, 0, 12 * 60}})).metrics;
  const double standing_usd_h = 10'000.0 / (3 * 8760.0) + kIdle_w * 1.5 / 1000.0 * 0.12;
  const double drawn_usd = 24.0 * kBusyGpu_w * 1.5 / 1000.0 * 0.12;
  CHECK(m.classes[0].value("gpu_time_cost") == Approx(24.0 * standing_usd_h / 4.0 + drawn_usd).epsilon(1e-5));
  CHECK(m.all.value("gpu_time_cost") == Approx(168.0 * standing_usd_h + drawn_usd).epsilon(1e-5));
}

TEST_CASE("operational carbon follows the grid hour by hour") {
  Scenario s = one_node();
  CarbonSpec& carbon = s.site.facility.carbon;
  const Workload w = example::workload_of(s, {{0, 0, 12 * 60}});  // midnight to noon
  CHECK(std::isnan(simulate(s, w).metrics.all.value("carbon_kg")));
  carbon.grid_kg_per_kwh = {0.4};
  const Metrics flat = simulate(s, w).metrics;
  // One grid all day: energy times intensity.
  CHECK(flat.all.value("carbon_kg") == Approx(0.4 * flat.all.value("energy_kwh")).epsilon(1e-7));
  CHECK(flat.classes[0].value("carbon_kg") ==
        Approx(0.4 * flat.classes[0].value("energy_kwh")).epsilon(1e-6));
  // Clean from noon on: the job ran on the dirty half, idle power is half of it.
  carbon.grid_kg_per_kwh.assign(24, 0.0);
  for (std::size_t h = 0; h < 12; ++h) carbon.grid_kg_per_kwh[h] = 0.4;
  const Metrics by_hour = simulate(s, w).metrics;
  CHECK(by_hour.classes[0].value("carbon_kg") == Approx(flat.classes[0].value("carbon_kg")));
  CHECK(by_hour.all.value("idle_carbon_kg") == Approx(0.5 * flat.all.value("idle_carbon_kg")));
  CHECK(by_hour.all.value("carbon_kg") ==
        Approx(by_hour.all.value("idle_carbon_kg") + by_hour.classes[0].value("carbon_kg")));
}

TEST_CASE("embodied carbon is an estimate with a range, of bought nodes alone") {
  Scenario s = example::two_pools(SharingRule::strict, 1, 2);
  const auto estimate = [](double low, double value, double high) {
    return Figure<double>{value, low, high, {"estimate", "2026-11", true, "own judgement"}};
  };
  s.prices.embodied = {estimate(100, 150, 318), estimate(1000, 2000, 3000), estimate(150, 400, 1200)};
  const auto of_node = [&](std::size_t pool) {
    return embodied_carbon(s.prices.embodied, s.pools[pool].node);
  };
  const Figure<double> one = of_node(1);
  CHECK(one.from.estimate);
  CHECK(one.from.as_of == "2026-11");
  CHECK(one.low < one.value);
  CHECK(one.value < one.high);
  CHECK(one.value == Approx(8 * 150.0 + 2000.0));
  CHECK(embodied_carbon(s).value == Approx(2 * one.value + of_node(0).value));
  s.pools[1].existing = true;
  CHECK(embodied_carbon(s).value == Approx(of_node(0).value));
}

// Asked for 10 h, done after 2 h 9 min: the job pays what it held.
TEST_CASE("B117: cost follows the GPU time that a job held, not the limit that it asked for") {
  const Scenario s = one_node();
  const Metrics m = simulate(s, example::workload_of(s, {{0, 0, 129, 600.0 / 129.0}})).metrics;
  CHECK(m.classes[0].value("gpu_hours_held") == Approx(2.0 * 129.0 / 60.0));
  const Metrics tight = simulate(s, example::workload_of(s, {{0, 0, 129, 1.1}})).metrics;
  CHECK(m.classes[0].value("gpu_time_cost") == tight.classes[0].value("gpu_time_cost"));
}

TEST_CASE("B087: a job on twice the GPUs costs twice as much") {
  Scenario s = one_node();
  const Workload one = example::workload_of(s, {{0, 0, 60}});
  s.workload.classes[0].gpus[0].gpus = 4;
  const Workload two = example::workload_of(s, {{0, 0, 60}});
  const double once = simulate(one_node(), one).metrics.classes[0].value("gpu_time_cost");
  CHECK(simulate(s, two).metrics.classes[0].value("gpu_time_cost") == Approx(2.0 * once).margin(4e-6));
}

// One node of two, delivered after half of the window: it draws nothing before.
TEST_CASE("a node draws no power before it is delivered, and classes and idle still add up") {
  Scenario s = one_node();
  s.pools[0].count = 2;
  s.site.facility.carbon.grid_kg_per_kwh = {0.4};
  const Workload w = example::workload_of(s, {{0, 0, 12 * 60}, {0, 100 * 60, 12 * 60}});
  const Metrics whole = simulate(s, w).metrics;
  Delivery late;
  late.pool = 0;
  late.nodes = 1;
  late.at = 84 * kHour;
  s.availability.deliveries = {late};
  const Metrics m = simulate(s, w).metrics;
  // Node-hours: 168 + 84 of 2 x 168.
  CHECK(m.pools[0].present == Approx(0.75));
  CHECK(m.all.value("idle_energy_kwh") == Approx(252.0 * kIdle_w * 1.5 / 1000.0).epsilon(1e-7));
  CHECK(m.classes[0].value("energy_kwh") == whole.classes[0].value("energy_kwh"));
  CHECK(m.classes[0].value("energy_kwh") + m.all.value("idle_energy_kwh") ==
        Approx(m.all.value("energy_kwh")).epsilon(1e-9));
  CHECK(m.all.value("carbon_kg") == Approx(0.4 * m.all.value("energy_kwh")).epsilon(1e-7));
}

TEST_CASE("the jobs of a trace are a scope behind the classes, with their own waits, energy and carbon") {
  Scenario s = one_node();
  s.site.facility.carbon.grid_kg_per_kwh = {0.4};
  Trace trace;
  TraceJob job;
  job.run = 6 * kHour;
  job.processors = 4;
  trace.jobs = {job};
  s.workload.trace = std::make_shared<const Trace>(std::move(trace));
  const Metrics m = simulate(s, generate(s, 0)).metrics;
  REQUIRE(m.classes.size() == s.workload.classes.size() + 1);
  const MetricSet& recorded = m.classes.back();
  CHECK(recorded.scope == "trace");
  CHECK(recorded.value("tagged_jobs") == 1.0);
  // 4 GPUs for 6 h
  CHECK(recorded.value("gpu_hours_held") == Approx(24.0));
  CHECK(recorded.value("energy_kwh") == Approx(24.0 * kBusyGpu_w * 1.5 / 1000.0).epsilon(1e-6));
  CHECK(recorded.value("carbon_kg") == Approx(0.4 * 24.0 * kBusyGpu_w * 1.5 / 1000.0).epsilon(1e-6));
  double energy = m.all.value("idle_energy_kwh"), carbon = m.all.value("idle_carbon_kg");
  for (const MetricSet& scope : m.classes) {
    energy += scope.value("energy_kwh");
    carbon += scope.value("carbon_kg");
  }
  CHECK(energy == Approx(m.all.value("energy_kwh")).epsilon(1e-7));
  CHECK(carbon == Approx(m.all.value("carbon_kg")).epsilon(1e-7));
}
