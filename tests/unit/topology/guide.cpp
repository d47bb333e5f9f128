// The guide's own arithmetic, and where it can be set beside the models here.
#include "topology/guide.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/gpu_speed.hpp"

namespace fleetsim {
namespace {

using namespace test;

TEST_CASE("G1: a 32x32 product takes 392 cycles without tensor cores and 221 with them") {
  // 200 + 8 x 20 + 8 x 4 = 392; 200 + 20 + 1 = 221
  CHECK(guide::matrix_product_cycles(false) == 392);
  CHECK(guide::matrix_product_cycles(true) == 221);
}

TEST_CASE("G1: tensor cores cut the multiply-adds alone from 128 cycles to 8") {
  CHECK(guide::arithmetic_cycles(false) == 128);
  CHECK(guide::arithmetic_cycles(true) == 8);
}

TEST_CASE("G1: faster arithmetic hardly helps a GPU that waits for memory") {
  guide::Latencies instant;
  instant.tensor_multiply = 0;
  // 220 / 221: half a per cent
  CHECK(guide::matrix_product_cycles(true, instant) > 0.99 * guide::matrix_product_cycles(true));
  // The estimate for cards without tensor cores is this model's ratio.
  CHECK(kWithoutTensorCores.value ==
        static_cast<double>(guide::matrix_product_cycles(true)) / guide::matrix_product_cycles(false));
}

TEST_CASE("G4, G5: debiasing takes out a batch that was twice as large") {
  // Made up: twice as fast at twice the batch is 2 / 1.136 = 1.761 at the same batch.
  CHECK(guide::debiased({2.0, 512, 256}, guide::kBatchDoublingCnn) == Approx(2.0 / 1.136));
  CHECK(guide::debiased({2.0, 512, 256}, guide::kBatchDoublingTransformer) == Approx(2.0 / 1.135));
  // A quarter of the batch: two doublings the other way.
  CHECK(guide::debiased({1.2, 64, 256}, guide::kBatchDoublingCnn) == Approx(1.2 * 1.136 * 1.136));
  CHECK(guide::debiased({1.45, 256, 256}, guide::kBatchDoublingCnn) == 1.45);
}

TEST_CASE("G4, G5: debiasing takes out the number of GPUs") {
  // Made up, with the guide's speed-ups of 8 GPUs: 7.00 for the A100, 6.67 for the V100. A single A100 that
  // is 1.45 times a V100 would be published as 1.45 x 7.00 / 6.67 = 1.522 for 8 over 8.
  CHECK(guide::debiased({1.45 * 7.00 / 6.67, 256, 256, 7.00, 6.67}, 1.136) == Approx(1.45));
  // One GPU over eight.
  CHECK(guide::debiased({0.25, 256, 256, 1.0, 6.67}, 1.136) == Approx(0.25 * 6.67));
}

TEST_CASE("G4, G5: debiasing finds the ratio that made-up measurements were made from") {
  // throughput = speed x growth^log2(batch) x speed-up, for any batches and counts
  for (const double growth : {guide::kBatchDoublingCnn, guide::kBatchDoublingTransformer}) {
    for (const double batch : {8.0, 96.0, 256.0, 1280.0}) {
      const double a = 1.7 * std::pow(growth, std::log2(batch)) * 7.0;
      const double b = 1.0 * std::pow(growth, std::log2(256.0)) * 6.67;
      CHECK(guide::debiased({a / b, batch, 256, 7.0, 6.67}, growth) == Approx(1.7).epsilon(1e-9));
    }
  }
}

TEST_CASE("G20: three RTX 3070 and one RTX 3090 train no faster than four RTX 3070") {
  NodeType small = node(PcieTopology::dual_root, 4, false), large = small;
  small.name = "4x3070";
  small.gpu.name = "3070";
  large.name = "4x3090";
  large.gpu.name = "3090";
  ModelType m = model();
  m.reference_gpu = "3090";
  m.relative_speed["3070"].value = 0.5;
  const NodeType* mixed[] = {&small, &large};
  const NodeType* same[] = {&small, &small};
  const NodeType* fast[] = {&large, &large};
  const FabricSpec s = spec(FabricShape::single_switch);
  const Placement three_and_one{{NodeId{0}, 3}, {NodeId{1}, 1}};
  const StepTime a = step_time(m, {4}, Fabric::build(s, mixed), three_and_one);
  const StepTime b = step_time(m, {4}, Fabric::build(s, same), three_and_one);
  CHECK(a.total == b.total);
  CHECK(a.compute == b.compute);
  CHECK(a.total > step_time(m, {4}, Fabric::build(s, fast), three_and_one).total);
}

}  // namespace
}  // namespace fleetsim
