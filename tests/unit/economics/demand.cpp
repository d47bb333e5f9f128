// Offered load, s and impossible work of the lab.
#include "fixture.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

TEST_CASE("the lab offers load 0.5 with 30 percent of the money on large runs") {
  const OfferedLoad load = offered_load(lab());
  REQUIRE(load.classes.size() == 2);
  // 30 users x 8.5 a day
  CHECK(load.classes[0].jobs_per_day == Approx(255.0));
  // 255 x 0.33 %
  CHECK(load.classes[1].jobs_per_day == Approx(0.8415));
  CHECK(load.classes[0].cheapest_node == "proto");
  CHECK(load.classes[1].cheapest_node == "scale");
  // (0.7 x 1 + 0.2 x 2 + 0.1 x 4) / 8
  CHECK(load.classes[0].mean_node_share == Approx(0.1875));
  // 0.8 x 1 + 0.2 x 2
  CHECK(load.classes[1].mean_node_share == Approx(1.2));
  // each class's reference is its cheapest node, so the ratio is 1: 255 / 24 x 0.1875 x 3.15
  CHECK(load.classes[0].busy_nodes == Approx(6.2754).epsilon(1e-4));
  // 0.8415 / 24 x 1.2 x 39.6
  CHECK(load.classes[1].busy_nodes == Approx(1.66617).epsilon(1e-4));
  CHECK(load.node_budget == usd(288000L));
  // (6.2754 x 16062 + 1.66617 x 26062) / 288000
  CHECK(load.load == Approx(0.50076).epsilon(1e-3));
  CHECK(load.s == Approx(0.30110).epsilon(1e-3));
  CHECK(load.identity.find("s = 0.301") != std::string::npos);
}

TEST_CASE("load and s do not depend on how the money is split") {
  const OfferedLoad a = offered_load(with_counts(lab(), {17, 0}));
  const OfferedLoad b = offered_load(with_counts(lab(), {0, 11}));
  CHECK(a.load == b.load);
  CHECK(a.s == b.s);
}

TEST_CASE("the load of the fleet at hand is GPU time, whatever the money says") {
  // (6.2754 + 1.66617) nodes kept busy of 13 + 3, all with eight GPUs
  CHECK(offered_load(with_counts(lab(), {13, 3})).fleet_load == Approx(0.49635).epsilon(1e-4));
  // the same work on 4 + 1 nodes: overloaded; only 0.8 x 8 of 9.6 GPUs a large run fit one node
  CHECK(offered_load(with_counts(lab(), {4, 1})).fleet_load ==
        Approx((6.2754 + 1.66617 * 2.0 / 3.0) / 5.0).epsilon(1e-4));
  // nothing of it runs nowhere
  Scenario strict = with_counts(lab(), {0, 11});
  strict.scheduler.sharing = SharingRule::strict;
  CHECK(offered_load(strict).fleet_load == Approx(1.66617 / 11.0).epsilon(1e-4));
}

TEST_CASE("impossible work follows memory, size, partition and the sharing rule") {
  Scenario scenario = with_counts(lab(), {17, 0});
  scenario.scheduler.sharing = SharingRule::one_pool;
  // 22 GB do not fit a card of 10 GB
  CHECK(offered_load(scenario).classes[1].impossible_share == 1.0);
  CHECK(offered_load(scenario).classes[0].impossible_share == 0.0);

  scenario = with_counts(lab(), {16, 1});
  // one 3090 node cannot hold 16 GPUs: 0.2 x 16 / (0.8 x 8 + 0.2 x 16)
  CHECK(offered_load(scenario).classes[1].impossible_share == Approx(1.0 / 3.0));

  scenario = with_counts(lab(), {0, 11});
  scenario.scheduler.sharing = SharingRule::strict;
  CHECK(offered_load(scenario).classes[0].impossible_share == 1.0);
  scenario.scheduler.sharing = SharingRule::overflow;
  CHECK(offered_load(scenario).classes[0].impossible_share == 0.0);
}

TEST_CASE("without a fabric, jobs of two nodes are impossible and make no demand") {
  Scenario scenario = lab();
  scenario.fabric.shape = FabricShape::none;
  const OfferedLoad load = offered_load(scenario);
  CHECK(load.classes[1].impossible_share == Approx(1.0 / 3.0));
  // only the jobs of 8 GPUs: 0.8415 / 24 x 0.8 x 39.6
  CHECK(load.classes[1].busy_nodes == Approx(1.11078).epsilon(1e-4));
}

TEST_CASE("a recorded workload adds its GPU time on the cheapest GPUs") {
  Scenario scenario = lab();
  scenario.workload.classes.clear();
  Trace trace;
  trace.jobs.resize(2);
  trace.jobs[0].run = 10 * kHour;
  trace.jobs[0].processors = 8;
  trace.jobs[1].submit = kStart + 20 * kHour;
  trace.jobs[1].run = 20 * kHour;
  trace.jobs[1].processors = 4;
  scenario.workload.trace = std::make_shared<const Trace>(trace);
  const OfferedLoad load = offered_load(scenario);
  REQUIRE(load.trace.has_value());
  // (10 x 8 + 20 x 4) GPU-hours / 20 h / 8
  CHECK(load.trace->busy_nodes == Approx(1.0));
  CHECK(load.trace->money == usd(16062L));
  // 16062 / 288000
  CHECK(load.load == Approx(0.0557708).epsilon(1e-5));
  // recorded on a GPU of half the 3080's memory bandwidth: half the time
  scenario.workload.trace_recorded_on = rtx3080().gpu;
  scenario.workload.trace_recorded_on->memory_bandwidth.value = BytesPerSecond{380e9};
  CHECK(offered_load(scenario).trace->busy_nodes == Approx(0.5));
}

TEST_CASE("a trace's load counts what comes within the run, and names what no node can hold") {
  Scenario scenario = lab();
  scenario.workload.classes.clear();
  scenario.time.warm_up = Duration::zero();
  scenario.time.measure = 10 * kHour;
  scenario.fabric.shape = FabricShape::none;
  Trace trace;
  trace.jobs.resize(3);
  trace.jobs[0].run = 10 * kHour;
  trace.jobs[0].processors = 8;
  trace.jobs[1].submit = kStart + 5 * kHour;
  trace.jobs[1].run = 10 * kHour;
  trace.jobs[1].processors = 16;
  trace.jobs[2].submit = kStart + 100'000 * kHour;
  trace.jobs[2].run = 1000 * kHour;
  trace.jobs[2].processors = 8;
  scenario.workload.trace = std::make_shared<const Trace>(trace);
  const OfferedLoad load = offered_load(scenario);
  REQUIRE(load.trace.has_value());
  // 2 jobs / 10 h; (10 x 8 + 10 x 16) GPU-hours / 10 h / 8 GPUs
  CHECK(load.trace->jobs_per_day == Approx(4.8));
  CHECK(load.trace->busy_nodes == Approx(3.0));
  // Without a fabric no job is larger than a node: 160 of 240 GPU-hours.
  CHECK(load.trace->impossible_share == Approx(2.0 / 3.0));
  scenario.fabric.shape = FabricShape::leaf_spine;
  CHECK(offered_load(scenario).trace->impossible_share == 0.0);
}

TEST_CASE("a faster node is the cheapest where its speed outweighs its price") {
  Scenario scenario = lab();
  scenario.scheduler.sharing = SharingRule::one_pool;  // else the class is at home on its partition's nodes
  // 3080 nodes at 2 x 15192 + 870 = 31,254 USD: a 3090 node costs 26,062 and is faster
  for (PricePart& part : scenario.pools[0].node.price_parts) part.quantity *= 2;
  const OfferedLoad load = offered_load(scenario);
  CHECK(load.classes[0].cheapest_node == "scale");
  // faster cards are busy for less time: at most the 0.81 of one GPU and a little more or less for 2 and 4
  CHECK(load.classes[0].busy_nodes == Approx(0.81 * 6.2754).epsilon(0.1));
}

TEST_CASE("the identity names whatever makes demand beside the two classes, and gives the s of all") {
  Scenario scenario = lab();
  JobClass third = scenario.workload.classes[0];
  third.name = "survey";
  third.promotes_to.reset();
  scenario.workload.classes.push_back(third);
  const OfferedLoad load = offered_load(scenario);
  // scale_up 1.66617 x 26062 = 43424, prototype 6.2754 x 16062 = 100796, survey the same again:
  // 43424 / 144220 = 0.301 of the two, 43424 / 245016 = 0.177 of all
  CHECK(load.s == Approx(0.17723).epsilon(1e-3));
  CHECK_THAT(load.identity, Catch::Contains("0.301 of the money of the two") && Catch::Contains("survey") &&
                                Catch::Contains("s = 0.177 of all") && !Catch::Contains("so s = "));
}

TEST_CASE("no identity where results are also submitted by hand") {
  Scenario scenario = lab();
  scenario.workload.classes[1].arrivals = scenario.workload.classes[0].arrivals;
  CHECK(offered_load(scenario).identity.empty());
}

TEST_CASE("work that no number of allowed leaf switches can hold is impossible in the load, as in the run") {
  // Sixteen adapters a node: one node of a 36-port switch a leaf (16 + 16 ports), so 16 GPUs are two leaves.
  Scenario scenario = with_counts(lab(), {3, 3});
  scenario.fabric.adapters_per_node = 16;
  scenario.workload.classes[1].max_switches = 1;
  // 0.2 x 16 of 0.8 x 8 + 0.2 x 16 GPUs
  CHECK(offered_load(scenario).classes[1].impossible_share == Approx(1.0 / 3.0));
  scenario.workload.classes[1].max_switches = 2;
  CHECK(offered_load(scenario).classes[1].impossible_share == 0.0);
}
