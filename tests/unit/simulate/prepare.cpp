#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;
using Catch::Matchers::WithinRel;

namespace {

std::vector<PoolId> pools(std::initializer_list<int> ids) {
  std::vector<PoolId> out;
  for (const int id : ids) out.push_back(PoolId{static_cast<std::uint16_t>(id)});
  return out;
}

/// A model that runs 2.5 times as fast on a GPU of `large` as on one of `small`.
ModelType model() {
  ModelType m;
  m.name = "net";
  m.reference_gpu = "small-gpu";
  m.parameters.value = 1e6;
  m.gradient.value = Bytes{4'000'000};
  m.batch_per_gpu.value = 32.0;
  m.reference_throughput.value = 160.0;
  m.units_per_sample.value = 1.0;
  m.reference_step.value = std::chrono::milliseconds(200);
  Figure<double> reference, faster;
  reference.value = 1.0;
  faster.value = 2.5;
  m.relative_speed = {{"small-gpu", reference}, {"large-gpu", faster}};
  return m;
}

}  // namespace

TEST_CASE("sharing decides which pools a partition's jobs may use") {
  const auto shapes = example::shapes_of(example::two_pools(SharingRule::strict));
  const Prepared strict = prepare(example::two_pools(SharingRule::strict), shapes);
  REQUIRE(strict.queues.size() == 2);
  CHECK(strict.queues[0].own == pools({0}));
  CHECK(strict.queues[0].overflow.empty());

  const Prepared overflow = prepare(example::two_pools(SharingRule::overflow), shapes);
  REQUIRE(overflow.queues[0].overflow.size() == 1);
  CHECK(overflow.queues[0].overflow[0].pool == PoolId{1});
  CHECK(overflow.queues[0].overflow[0].max_limit == 12 * kHour);
  CHECK(overflow.queues[1].overflow.empty());  // proto lends nothing: it has no overflow_max_time

  const Prepared one_pool = prepare(example::two_pools(SharingRule::one_pool), shapes);
  REQUIRE(one_pool.queues.size() == 1);
  CHECK(one_pool.queues[0].own == pools({0, 1}));

  Scenario dear_first = example::two_pools(SharingRule::one_pool);
  PricePart part;
  part.unit_price.value = usd(std::int64_t{2000});
  dear_first.pools[0].node.price_parts = {part};
  part.unit_price.value = usd(std::int64_t{1000});
  dear_first.pools[1].node.price_parts = {part};
  CHECK(prepare(dear_first, shapes).queues[0].own == pools({1, 0}));
}

TEST_CASE("nodes are numbered pool after pool and empty pools keep their place") {
  const Scenario s = example::two_pools(SharingRule::strict, 0, 3);
  const Prepared p = prepare(s, example::shapes_of(s));
  REQUIRE(p.pools.size() == 2);
  CHECK(p.pools[0].nodes == 0);
  CHECK(p.pools[1].first_node == 0);
  CHECK(p.pools[1].nodes == 3);
  CHECK(p.run_time.one_leaf[0] < 0.0);   // prototype on proto: no nodes
  CHECK(p.run_time.one_leaf[1] == 1.0);  // prototype on scale
  REQUIRE(p.notes.size() == 1);
  CHECK(p.notes[0] == "class prototype with 2 GPUs can run nowhere: proto has no nodes");
}

TEST_CASE("a job that needs more memory than a card has cannot run there") {
  const Scenario s = example::two_pools(SharingRule::one_pool);
  const Prepared p = prepare(s, example::shapes_of(s));
  CHECK(p.run_time.one_leaf[2] < 0.0);   // scale_up on proto
  CHECK(p.run_time.one_leaf[3] == 1.0);  // scale_up on scale
  CHECK(p.notes.empty());
}

TEST_CASE("a job of several nodes needs a fabric and as many nodes") {
  Scenario s = example::two_pools(SharingRule::strict, 1, 2);
  s.workload.classes[1].gpus = {{16, 0.5}, {24, 0.5}};
  const Prepared without = prepare(s, example::shapes_of(s));
  CHECK(without.run_time.one_leaf[3] < 0.0);
  REQUIRE(without.notes.size() == 2);
  CHECK(without.notes[0] ==
        "class scale_up with 16 GPUs can run nowhere: the job needs 2 nodes of scale, which no fabric joins");
  CHECK(without.notes[1] ==
        "class scale_up with 24 GPUs can run nowhere: scale has 2 nodes, the job needs 3");
}

TEST_CASE("run time on another node is the drawn wall time times the ratio of step times") {
  Scenario s = example::two_pools(SharingRule::overflow);
  JobClass& prototype = s.workload.classes[0];
  prototype.gpus = {{1, 1.0}};
  prototype.model = model();
  prototype.wall_time.reference = s.pools[0].node;
  const Prepared p = prepare(s, example::shapes_of(s));
  CHECK_THAT(p.run_time.one_leaf[0], WithinRel(1.0, 1e-12));
  // One GPU exchanges nothing: step on large / step on small = 1 / 2.5 (to the microsecond of a step).
  CHECK_THAT(p.run_time.one_leaf[1], WithinRel(1.0 / 2.5, 1e-4));
  CHECK_THAT(p.efficiency.one_leaf[1], WithinRel(1.0, 1e-9));

  prototype.wall_time.reference.reset();  // the wall time holds everywhere
  CHECK(prepare(s, example::shapes_of(s)).run_time.one_leaf[1] == 1.0);
}

TEST_CASE("a placement over two leaf switches is slower where the uplinks are thin") {
  Scenario s = example::two_pools(SharingRule::strict, 0, 6);
  s.fabric.shape = FabricShape::leaf_spine;
  s.fabric.link.kind = LinkKind::network;
  s.fabric.link.wire_rate.value = s.fabric.link.usable_rate.value = BytesPerSecond{1e9};
  s.fabric.link.switch_ports = 4;
  s.fabric.oversubscription = 3.0;  // 3 ports down, 1 up
  JobClass& large = s.workload.classes[1];
  large.gpus = {{8, 0.5}, {16, 0.5}};
  large.model = model();
  large.model->gradient.value = Bytes{2'000'000'000};
  large.wall_time.reference = s.pools[1].node;
  const Prepared p = prepare(s, example::shapes_of(s));
  CHECK(p.pools[1].nodes_per_leaf == 3);
  const std::size_t eight = 1 * 2 + 1, sixteen = 2 * 2 + 1;  // shape x pools + pool
  CHECK(p.run_time.several_leaves[eight] == p.run_time.one_leaf[eight]);
  CHECK_THAT(p.run_time.one_leaf[sixteen], WithinRel(1.0, 1e-12));
  CHECK(p.run_time.several_leaves[sixteen] >= p.run_time.one_leaf[sixteen]);
  // Efficiency is the inverse of run time on the same nodes.
  CHECK_THAT(p.efficiency.several_leaves[sixteen] * p.run_time.several_leaves[sixteen],
             WithinRel(p.efficiency.one_leaf[sixteen] * p.run_time.one_leaf[sixteen], 1e-12));
}

namespace {

/// Six nodes of 8 GPUs, three to a leaf switch.
Scenario two_leaves() {
  Scenario s = example::two_pools(SharingRule::strict, 0, 6);
  s.fabric.shape = FabricShape::leaf_spine;
  s.fabric.link.kind = LinkKind::network;
  s.fabric.link.wire_rate.value = s.fabric.link.usable_rate.value = BytesPerSecond{1e9};
  s.fabric.link.switch_ports = 4;
  s.fabric.oversubscription = 3.0;
  return s;
}

}  // namespace

TEST_CASE("a job that needs more leaf switches than its class allows is named with both numbers") {
  Scenario s = two_leaves();
  s.workload.classes[1].gpus = {{24, 0.5}, {32, 0.5}};
  CHECK(prepare(s, example::shapes_of(s)).notes.size() == 1);  // prototypes have no nodes
  s.workload.classes[1].max_switches = 1;
  const Prepared p = prepare(s, example::shapes_of(s));
  REQUIRE(p.notes.size() == 2);
  CHECK(p.notes[1] ==
        "class scale_up with 32 GPUs can run nowhere: on scale the job needs 2 leaf switches, its class "
        "allows 1");
  s.workload.classes[1].max_switches = 2;
  CHECK(prepare(s, example::shapes_of(s)).notes.size() == 1);
}

TEST_CASE("a missing amount of memory is named with what there is") {
  Scenario s = example::two_pools(SharingRule::strict);
  s.workload.classes[0].gpu_memory = Bytes{500'000'000'000};
  const Prepared p = prepare(s, example::shapes_of(s));
  REQUIRE(p.notes.size() == 1);
  CHECK_THAT(p.notes[0], Catch::Contains("a GPU of proto has") && Catch::Contains("the job needs 500 GB"));
}

TEST_CASE("max_switches keeps a class on one leaf, at the price of waiting") {
  Scenario s = two_leaves();
  s.workload.classes[1].gpus = {{16, 1.0}};
  // Each leaf has 3 nodes: the first job of 16 GPUs takes two of leaf 0, the second two of leaf 1; the third
  // finds one node on each.
  const Workload w = example::workload_of(s, {{1, 0, 100}, {1, 0, 100}, {1, 0, 100}});
  EngineResult free, bound;
  static_cast<void>(simulate(s, w, &free));
  CHECK(free.jobs.start[2] == kStart);
  s.workload.classes[1].max_switches = 1;
  static_cast<void>(simulate(s, w, &bound));
  CHECK(bound.jobs.start[1] == kStart);
  CHECK(bound.jobs.start[2] == bound.jobs.end[0]);
}

TEST_CASE("trace jobs keep their run time unless the GPU they ran on is known") {
  Scenario s = example::two_pools(SharingRule::one_pool);
  const std::vector<JobShape> shapes = {{kNoClass, 2}};
  CHECK(prepare(s, shapes).run_time.one_leaf == std::vector<double>{1.0, 1.0});
  s.workload.trace_recorded_on = s.pools[0].node.gpu;
  // Memory bandwidths 400 and 960 GB/s.
  const Prepared p = prepare(s, shapes);
  CHECK_THAT(p.run_time.one_leaf[0], WithinRel(1.0, 1e-12));
  CHECK_THAT(p.run_time.one_leaf[1], WithinRel(400.0 / 960.0, 1e-12));
}

TEST_CASE("a limit is the factor times the slowest run time, in quarters of an hour, up to the partition's") {
  Scenario s = example::two_pools(SharingRule::overflow);
  const Workload w = example::workload_of(s, {
                                                 {0, 0, 100, 2.5},   // 250 min -> 255
                                                 {0, 0, 120, 2.0},   // 240 min -> 240
                                                 {0, 0, 1, 1.1},     // 1.1 min -> 15
                                                 {0, 0, 1200, 2.0},  // 40 h -> 24 h
                                             });
  const JobRequests bound = bind(s, prepare(s, w.shapes), w);
  const std::vector<Duration> expected = {std::chrono::minutes(255), std::chrono::minutes(240),
                                          std::chrono::minutes(15), std::chrono::hours(24)};
  CHECK(bound.limit == expected);

  // A pool that is half as fast doubles the limit wherever the job may go there.
  Prepared slow = prepare(s, w.shapes);
  slow.run_time.one_leaf[1] = 2.0;
  CHECK(bind(s, slow, w).limit[0] == std::chrono::minutes(510));  // 500 -> 510
  slow.queues[0].overflow.clear();
  CHECK(bind(s, slow, w).limit[0] == std::chrono::minutes(255));
}

TEST_CASE("in one pool all jobs stand in one queue and keep the limits of their partitions") {
  Scenario s = example::two_pools(SharingRule::one_pool);
  const Workload w = example::workload_of(s, {{0, 0, 1200}, {1, 0, 1200}});
  const JobRequests bound = bind(s, prepare(s, w.shapes), w);
  CHECK(bound.queue == std::vector<QueueId>{QueueId{0}, QueueId{0}});
  CHECK(bound.limit[0] == 24 * kHour);
  CHECK(bound.limit[1] == 40 * kHour);
}

TEST_CASE("a trace job keeps its recorded limit") {
  Scenario s = example::two_pools(SharingRule::strict);
  Workload w = example::workload_of(s, {{0, 0, 60}});
  w.requests.job_class[0] = kNoClass;
  w.requests.limit[0] = std::chrono::minutes(100);
  CHECK(bind(s, prepare(s, w.shapes), w).limit[0] == std::chrono::minutes(100));
  w.requests.limit[0] = std::chrono::hours(30);
  CHECK(bind(s, prepare(s, w.shapes), w).limit[0] == 24 * kHour);
}

TEST_CASE("policies that are not built are named, and every sharing rule is built") {
  Scenario s = example::two_pools(SharingRule::preempt);
  CHECK(unbuilt_features(s).empty());
  s.scheduler.policy = PolicyKind::backfill;
  const auto unbuilt = unbuilt_features(s);
  REQUIRE(unbuilt.size() == 1);
  CHECK_THAT(unbuilt[0], Catch::StartsWith("scheduler.type: backfill is not built yet"));
  CHECK_THROWS_AS(simulate(s, 0), std::invalid_argument);
  CHECK(unbuilt_features(example::two_pools(SharingRule::overflow)).empty());
}

TEST_CASE("jobs that are timed on a GPU run longer where cards are limited or throttle, others do not") {
  Scenario s = example::two_pools(SharingRule::overflow);
  s.workload.classes[0].model = model();
  s.workload.classes[0].wall_time.reference = s.pools[0].node;
  const auto shapes = example::shapes_of(s);
  const Prepared full = prepare(s, shapes);
  // 0.8 of board power: speed 0.96; the job has 2 GPUs and efficiency e, so 1 + e (1 / 0.96 - 1)
  s.pools[0].gpu_power_limit = s.pools[0].node.gpu.board_power.value * 0.8;
  const Prepared limited = prepare(s, shapes);
  const double e = full.efficiency.one_leaf[0];
  CHECK(e > 0.0);
  CHECK(e <= 1.0);
  CHECK_THAT(limited.run_time.one_leaf[0] / full.run_time.one_leaf[0],
             WithinRel(1.0 + e * (1.0 / 0.96 - 1.0), 1e-12));
  CHECK(limited.run_time.one_leaf[1] == full.run_time.one_leaf[1]);  // the other pool
  CHECK(limited.run_time.one_leaf[3] == full.run_time.one_leaf[3]);  // a class without a model
  CHECK(limited.efficiency.one_leaf == full.efficiency.one_leaf);

  // warm air: modules at 40 + 56 = 96 C lose 30 %, in both pools
  s.pools[0].gpu_power_limit.reset();
  s.site.inlet_temperature = Celsius{40.0};
  const Prepared warm = prepare(s, shapes);
  CHECK_THAT(warm.run_time.one_leaf[0] / full.run_time.one_leaf[0],
             WithinRel(1.0 + e * (1.0 / 0.7 - 1.0), 1e-12));
  CHECK(warm.run_time.one_leaf[1] > full.run_time.one_leaf[1]);
  // exactly as before where nothing throttles
  s.site.inlet_temperature = Celsius{28.0};
  CHECK(prepare(s, shapes).run_time.one_leaf == full.run_time.one_leaf);
}
