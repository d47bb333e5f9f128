#include "topology/step_time.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

/// All-reduce of m pieces whose bytes take t: launches of 30 us, and the filling of m pipelines of 4 us a
/// chunk.
double pieces(double t, int m) {
  return t + m * 30e-6 + 2 * std::sqrt(4e-6 * t * m);
}

StepTime step(const ModelType& m, const NodeType& n, int gpus) {
  return step_time(m, {gpus}, alone(n), placement(1, gpus));
}

TEST_CASE("One GPU computes, and does nothing else") {
  const StepTime s = step(model(), node(), 1);
  CHECK(s.total == from_seconds(0.3));
  CHECK(s.compute == s.total);
  CHECK(s.exposed_communication == Duration{});
  CHECK(s.efficiency == 1.0);
  CHECK_FALSE(s.estimated_speed);
}

TEST_CASE("The slowest of n equal GPUs sets the pace") {
  // E[max of n normal numbers] = 0.5642, 1.0294, 1.4236 at n = 2, 4, 8 (tables of order statistics);
  // spread 1.7 %.
  const ModelType m = model(0.0);
  CHECK(to_seconds(step(m, nvswitch_node(), 2).compute) == Approx(0.3 * (1 + 0.017 * 0.56419)).epsilon(1e-5));
  CHECK(to_seconds(step(m, nvswitch_node(), 4).compute) == Approx(0.3 * (1 + 0.017 * 1.02938)).epsilon(1e-5));
  CHECK(to_seconds(step(m, nvswitch_node(), 8).compute) == Approx(0.3 * (1 + 0.017 * 1.42360)).epsilon(1e-5));
  ModelType varying = m;
  varying.variable_shape = true;
  CHECK(to_seconds(step(varying, nvswitch_node(), 8).compute) ==
        Approx(0.3 * (1 + 0.055 * 1.42360)).epsilon(1e-5));
}

TEST_CASE("Staged traffic is exposed in full, with packing and the host's cost") {
  // 100 MB in 4 buckets at 24/8 = 3 GB/s: 1.75 x 0.1 / 3; pack 6 x 0.1 / 900; host 2 ms.
  const StepTime s = step(model(), node(PcieTopology::direct, 8, false), 8);
  CHECK(to_seconds(s.exposed_communication) == Approx(pieces(0.175 / 3, 4) + 0.6 / 900 + 2e-3).epsilon(1e-4));
}

TEST_CASE("Peer traffic hides behind the backward pass, except for its last bucket") {
  // t of 1.75 x 0.1 / 216 in four pieces; a quarter (25 of 100 MB) cannot hide, a tenth of the rest costs
  // compute anyway.
  const double t = pieces(0.175 / 216, 4);
  const StepTime s = step(model(), nvswitch_node(), 8);
  CHECK(to_seconds(s.exposed_communication) ==
        Approx(t * (0.25 + 0.1 * 0.75) + 0.6 / 900 + 2e-3).epsilon(1e-3));
  ModelType late = model();
  late.overlap = false;
  CHECK(to_seconds(step(late, nvswitch_node(), 8).exposed_communication) ==
        Approx(t + 0.6 / 900 + 2e-3).epsilon(1e-3));
}

TEST_CASE("No more hides than the backward pass is long") {
  // 10 GB: window 0.8 x 2/3 x 0.3 = 0.16 s of the exchange's 0.9 s at 21.6 GB/s.
  NodeType slow = nvswitch_node(24.0);
  const double t = pieces(17.5 / 21.6, 400);
  const StepTime s = step(model(10'000), slow, 8);
  CHECK(to_seconds(s.exposed_communication) == Approx(t - 0.9 * 0.16 + 60.0 / 900 + 2e-3).epsilon(1e-3));
}

TEST_CASE("Accumulation exchanges once for many passes") {
  ModelType m = model(1000.0);
  m.overlap = false;
  const StepTime once = step(m, nvswitch_node(), 8);
  m.accumulation_steps = 32;
  const StepTime many = step(m, nvswitch_node(), 8);
  CHECK(many.exposed_communication == once.exposed_communication);
  CHECK(to_seconds(many.compute) == Approx(32 * to_seconds(once.compute)).epsilon(1e-5));
  CHECK(many.efficiency > once.efficiency);
}

TEST_CASE("A fixed global batch leaves fewer passes to more GPUs, and one update to all") {
  // 6400 samples, 100 a pass: 64 passes on one GPU, 8 on eight; the update reads 140 B of 100 million
  // parameters at 900 GB/s each time and is in the measured pass already.
  ModelType m = model(0.0);
  m.parameters.value = 100e6;
  const double update = 140.0 * 100e6 / 900e9;
  const NodeType n = nvswitch_node();
  const auto timed = [&](int gpus) { return step_time(m, {gpus, 0, 6400.0}, alone(n), placement(1, gpus)); };
  CHECK(timed(1).seconds == Approx(64 * (0.3 - update) + update));
  CHECK(to_seconds(timed(8).compute - timed(8).spread) == Approx(8 * (0.3 - update)).epsilon(1e-5));
  CHECK(to_seconds(timed(8).optimiser) == Approx(update).epsilon(1e-4));
  CHECK(timed(8).samples == 800.0);
  // Below one batch a GPU the pass shrinks: 400 samples are 50 on each of eight.
  const StepTime half = step_time(m, {8, 0, 400.0}, alone(n), placement(1, 8));
  CHECK(half.samples == 50.0);
  CHECK(to_seconds(half.compute - half.spread) == Approx((0.3 - update) / 2).epsilon(1e-5));
}

TEST_CASE("As many passes as the model's own cost what was measured") {
  ModelType m = model();
  m.parameters.value = 100e6;
  m.accumulation_steps = 4;
  // 4 x 0.3 s, the update inside
  CHECK(step(m, node(), 1).seconds == Approx(1.2));
  CHECK(step_time(m, {1, 4, 0.0}, alone(node()), placement(1, 1)).seconds == Approx(1.2));
}

TEST_CASE("A mixed set runs at the pace of its slowest GPU") {
  NodeType fast = nvswitch_node(), slow = nvswitch_node();
  slow.name = "slow";
  slow.gpu.name = "slow-card";
  ModelType m = model();
  m.relative_speed["slow-card"].value = 0.5;
  const NodeType* mixed[] = {&fast, &slow};
  const NodeType* both_slow[] = {&slow, &slow};
  const FabricSpec s = spec(FabricShape::single_switch);
  const StepTime a = step_time(m, {16}, Fabric::build(s, mixed), placement(2, 8));
  const StepTime b = step_time(m, {16}, Fabric::build(s, both_slow), placement(2, 8));
  CHECK(a.total == b.total);
}

TEST_CASE("A GPU that holds half the batch exchanges twice as often for the same samples") {
  NodeType n = node(PcieTopology::direct, 8, false);
  ModelType m = model();
  const StepTime whole = step(m, n, 8);
  m.batch_on["card"].value = 50;
  const StepTime halves = step(m, n, 8);
  CHECK(halves.compute == whole.compute);
  CHECK(to_seconds(halves.exposed_communication) ==
        Approx(2 * to_seconds(whole.exposed_communication)).epsilon(1e-6));
}

TEST_CASE("Input that comes too slowly stalls the step") {
  // 8 x 100 samples at 2000 a second take 0.4 s.
  ModelType m = model(0.0);
  m.input_limit.value = 2000;
  const StepTime s = step(m, nvswitch_node(), 8);
  CHECK(to_seconds(s.total) == Approx(0.4).epsilon(1e-5));
  CHECK(s.efficiency == Approx(0.75).epsilon(1e-4));
  CHECK(step(m, nvswitch_node(), 1).efficiency == 1.0);
}

TEST_CASE("A GPU without a measurement runs by the ratio of memory bandwidths, marked") {
  const ModelType m = model();
  GpuType other;
  other.name = "other";
  other.memory_bandwidth.value = BytesPerSecond{1555e9};
  // guide G2: 1555 / 900 = 1.73
  const RelativeSpeed speed = relative_speed(m, other);
  CHECK(speed.value == Approx(1555.0 / 900.0));
  CHECK(speed.estimated);
  CHECK(speed.source.find("estimate") != std::string::npos);
  NodeType n = node();
  n.gpu = other;
  CHECK(step(m, n, 1).estimated_speed);

  GpuType card;
  card.name = "card";
  CHECK(relative_speed(m, card).value == 1.0);
  CHECK_FALSE(relative_speed(m, card).estimated);
}

TEST_CASE("The price of a node is the sum of its parts") {
  NodeType n = node();
  CHECK_FALSE(n.priced());
  n.price_parts = {{"card", 8, {usd(std::int64_t{699}), {}, {}, {}}},
                   {"board", 1, {usd(std::int64_t{5000}), {}, {}, {}}}};
  // 8 x 699 + 5000
  CHECK(n.price() == usd(std::int64_t{10592}));
}

}  // namespace
}  // namespace fleetsim
