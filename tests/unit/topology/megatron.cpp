#include "topology/megatron.hpp"

#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/memory.hpp"

namespace fleetsim {
namespace {

using namespace test;

TransformerShape shape() {
  TransformerShape s;
  s.layers = 10;
  s.hidden = 1000;
  s.sequence = 1000;
  s.vocabulary = 16000;
  return s;
}

NodeType tensor_node() {
  NodeType n = nvswitch_node();
  n.gpu.tensor_flops.value = 300e12;
  return n;
}

TEST_CASE("FLOPs of a transformer step follow the published formula") {
  // 96 B s L h^2 (1 + s/6h + V/16Lh) = 96 x 2 x 1000 x 10 x 10^6 x (1 + 1/6 + 0.1)
  CHECK(transformer_flops(shape(), 2.0, true) == Approx(96.0 * 2 * 1e3 * 10 * 1e6 * (1 + 1.0 / 6 + 0.1)));
  CHECK(transformer_flops(shape(), 2.0, false) == Approx(0.75 * transformer_flops(shape(), 2.0, true)));
}

TEST_CASE("One GPU has no bubble and sends nothing; more stages have longer bubbles") {
  const Fabric one = alone(tensor_node());
  const MegatronStep alone_step = megatron_step(shape(), 1e8, {1, 1, 1, 1.0, 8.0, true}, one);
  CHECK(alone_step.bubble_s == 0.0);
  CHECK(alone_step.tensor_s == 0.0);
  CHECK(alone_step.data_s == 0.0);
  CHECK(alone_step.share_of_peak > 0.0);
  CHECK(alone_step.share_of_peak < 0.75);  // the share that matrix products reach alone
  const Fabric two = fabric(tensor_node(), 2, spec(FabricShape::single_switch, network(), 8));
  const MegatronStep few = megatron_step(shape(), 1e8, {8, 2, 1, 1.0, 8.0, true}, two);
  const MegatronStep many = megatron_step(shape(), 1e8, {8, 2, 1, 1.0, 64.0, true}, two);
  CHECK(few.tensor_s > 0.0);
  CHECK(few.bubble_s == Approx(many.bubble_s));
  CHECK(many.share_of_peak > few.share_of_peak);  // the bubble is spread over more micro-batches
}

TEST_CASE("Layouts that cannot be are refused with a sentence") {
  const Fabric one = alone(tensor_node());
  CHECK_THROWS_AS(megatron_step(shape(), 1e8, {16, 1, 1, 1.0, 8.0, true}, one), std::invalid_argument);
  CHECK_THROWS_AS(megatron_step(TransformerShape{}, 1e8, {1, 1, 1, 1.0, 8.0, true}, one),
                  std::invalid_argument);
  CHECK_THROWS_AS(megatron_step(shape(), 1e8, {1, 1, 1, 1.0, 8.0, true}, alone(node())),
                  std::invalid_argument);
}

TEST_CASE("A model that does not fit names need and have") {
  ModelType m = model();
  m.parameters.value = 1e9;
  const GpuType card = node().gpu;               // 24 GB
  CHECK(memory_obstacle(m, card, 100).empty());  // nothing is known
  m.state_per_parameter.value = 16;
  m.activations_per_sample.value = Bytes{50'000'000};
  // 16 x 1 GB + 100 x 50 MB = 21 GB; 200 samples: 26 GB
  CHECK(memory_need(m, 100) == Bytes{21'000'000'000});
  CHECK(memory_obstacle(m, card, 100).empty());
  CHECK(memory_obstacle(m, card, 200) ==
        "model needs 26.0 GB of each GPU at a batch of 200, and card has 24 GB");
  m.batch_on["card"].value = 200;  // measured, so it fitted
  CHECK(memory_obstacle(m, card, 200).empty());
  m.batch_on.clear();
  m.batch_per_gpu.value = 200;
  CHECK_FALSE(step_time(m, {1}, alone(node()), placement(1, 1)).obstacle.empty());
}

}  // namespace
}  // namespace fleetsim
