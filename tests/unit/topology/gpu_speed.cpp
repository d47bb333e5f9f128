#include "topology/gpu_speed.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

GpuType card(const char* name, const char* architecture, int sms, double gb_per_s) {
  GpuType g;
  g.name = name;
  g.architecture = architecture;
  g.streaming_multiprocessors.value = sms;
  g.memory_bandwidth.value = BytesPerSecond{gb_per_s * 1e9};
  return g;
}

/// A model measured on `reference` alone; add_measured() adds cards.
ModelType measured_on(const GpuType& reference) {
  ModelType m = model();
  m.reference_gpu = reference.name;
  m.reference_bandwidth = reference.memory_bandwidth;
  m.measured_cards[reference.name] = speed_sheet(reference);
  return m;
}
void add_measured(ModelType& m, const GpuType& gpu, double speed) {
  m.relative_speed[gpu.name].value = speed;
  m.measured_cards[gpu.name] = speed_sheet(gpu);
}

const GpuType v100 = card("v100", "Volta", 80, 900);
const GpuType a100 = card("a100", "Ampere", 108, 1555);

TEST_CASE("A listed GPU runs at its measured speed, without a range") {
  ModelType m = measured_on(v100);
  add_measured(m, a100, 1.46);
  const RelativeSpeed speed = relative_speed(m, a100);
  CHECK(speed.value == 1.46);
  CHECK(speed.low == 1.46);
  CHECK(speed.high == 1.46);
  CHECK(speed.method == SpeedMethod::measured);
  CHECK_FALSE(speed.estimated);
}

TEST_CASE("A listed speed that is an estimate keeps its range and its mark") {
  ModelType m = measured_on(v100);
  add_measured(m, a100, 1.5);
  m.relative_speed["a100"] = {1.5, 1.4, 1.7, {"estimate", "2020", true, ""}};
  const RelativeSpeed speed = relative_speed(m, a100);
  CHECK(speed.low == 1.4);
  CHECK(speed.high == 1.7);
  CHECK(speed.estimated);
}

TEST_CASE("G2: bandwidth predicts the A100 at 1.73 times the V100, 1.78 to 1.87 with Ampere's gains") {
  // 1555 / 900 = 1.728; x 1.02 x 1.01 = 1.780; x 1.05 x 1.03 = 1.869
  const RelativeSpeed speed = relative_speed(measured_on(v100), a100);
  CHECK(1555.0 / 900.0 == Approx(1.728).epsilon(1e-3));
  CHECK(speed.low == Approx(1.780).epsilon(1e-3));
  CHECK(speed.high == Approx(1.869).epsilon(1e-3));
  CHECK(speed.value > speed.low);
  CHECK(speed.value < speed.high);
  CHECK(speed.method == SpeedMethod::bandwidth);
  CHECK(speed.estimated);
  CHECK(speed.source.starts_with("estimate:"));
  CHECK(speed.source.find("1555 over 900 (v100) GB/s") != std::string::npos);
  CHECK(speed.source.find("Ampere") != std::string::npos);
  // The other way round the range turns over.
  const RelativeSpeed back = relative_speed(measured_on(a100), v100);
  CHECK(back.low == Approx(1.0 / speed.high));
  CHECK(back.high == Approx(1.0 / speed.low));
}

TEST_CASE("Two GPUs since Ampere, or two before it, differ by their bandwidth alone") {
  const RelativeSpeed later = relative_speed(measured_on(a100), card("h100", "Hopper", 132, 3350));
  CHECK(later.value == Approx(3350.0 / 1555.0));
  CHECK(later.low == later.high);
  const RelativeSpeed before = relative_speed(measured_on(v100), card("2080ti", "Turing", 68, 616));
  CHECK(before.value == Approx(616.0 / 900.0));
}

TEST_CASE("G8: one measured sibling is scaled by the geometric mean of SMs and bandwidth") {
  // RTX 3090 (82 SMs, 936 GB/s) -> RTX 3070 (46, 448): sqrt(46/82 x 448/936) = 0.518, between 0.479 and 0.561
  const RelativeSpeed speed =
      relative_speed(measured_on(card("3090", "Ampere", 82, 936)), card("3070", "Ampere", 46, 448));
  CHECK(speed.value == Approx(std::sqrt(46.0 / 82.0 * 448.0 / 936.0)));
  CHECK(speed.low == Approx(448.0 / 936.0));
  CHECK(speed.high == Approx(46.0 / 82.0));
  CHECK(speed.method == SpeedMethod::interpolated);
  CHECK(speed.estimated);
  CHECK(speed.source.find("interpolated within Ampere from 3090") != std::string::npos);
}

TEST_CASE("G8: several measured siblings fit how much SMs and bandwidth weigh") {
  // Made so that speed = (SM/100)^0.3 (B/1000)^0.7 exactly; so is the estimate.
  const auto law = [](double sms, double gb) {
    return std::pow(sms / 100.0, 0.3) * std::pow(gb / 1000.0, 0.7);
  };
  ModelType m = measured_on(card("one", "Ampere", 100, 1000));
  add_measured(m, card("two", "Ampere", 60, 400), law(60, 400));
  add_measured(m, card("three", "Ampere", 80, 1200), law(80, 1200));
  const RelativeSpeed speed = relative_speed(m, card("new", "Ampere", 50, 700));
  CHECK(speed.value == Approx(law(50, 700)).epsilon(1e-9));
  CHECK(speed.low == Approx(speed.high).epsilon(1e-9));
  CHECK(speed.source.find("SMs^0.30 x memory bandwidth^0.70") != std::string::npos);
}

TEST_CASE("The fitted weight stays between bandwidth alone and SMs alone") {
  // Speed falls with more SMs at equal bandwidth: a negative weight means nothing, so bandwidth decides.
  ModelType m = measured_on(card("one", "Ampere", 50, 1000));
  add_measured(m, card("two", "Ampere", 100, 1000), 0.8);
  const RelativeSpeed speed = relative_speed(m, card("new", "Ampere", 75, 2000));
  // from one: 2.0, from two: 1.6; geometric mean sqrt(3.2)
  CHECK(speed.value == Approx(std::sqrt(3.2)));
  CHECK(speed.low == Approx(1.6));
  CHECK(speed.high == Approx(2.0));
}

TEST_CASE("Siblings count before closer bandwidths of other architectures") {
  ModelType m = measured_on(v100);
  add_measured(m, card("2080ti", "Turing", 68, 616), 0.7);
  const RelativeSpeed speed = relative_speed(m, card("2080", "Turing", 46, 448));
  CHECK(speed.method == SpeedMethod::interpolated);
  CHECK(speed.value == Approx(0.7 * std::sqrt(46.0 / 68.0 * 448.0 / 616.0)));
}

TEST_CASE("A card without tensor cores is never faster than its bandwidth") {
  // GTX 1080 320 GB/s over V100 900 GB/s = 0.356; x 221/392 = 0.200; at least half of that.
  const GpuType gtx1080 = card("gtx1080", "Pascal", 20, 320);
  const RelativeSpeed speed = relative_speed(measured_on(v100), gtx1080);
  CHECK(speed.method == SpeedMethod::bandwidth_across_tensor);
  CHECK(speed.high == Approx(320.0 / 900.0));
  CHECK(speed.value == Approx(320.0 / 900.0 * 221.0 / 392.0));
  CHECK(speed.low == Approx(speed.value / 2.0));
  CHECK(speed.source.find("tensor cores") != std::string::npos);
  // Measured without tensor cores, a card with them is at least as fast as its bandwidth.
  CHECK(relative_speed(measured_on(gtx1080), v100).low == Approx(900.0 / 320.0));
}

TEST_CASE("Cards without tensor cores are compared with each other where one is measured") {
  const GpuType gtx1080 = card("gtx1080", "Pascal", 20, 320);
  ModelType m = measured_on(v100);
  add_measured(m, gtx1080, 0.2);
  const RelativeSpeed maxwell = relative_speed(m, card("980ti", "Maxwell", 22, 336));
  CHECK(maxwell.value == Approx(0.2 * 336.0 / 320.0));
  CHECK(maxwell.method == SpeedMethod::bandwidth);
  // A GTX 16 card is no sibling of an RTX 20 card.
  add_measured(m, card("2080ti", "Turing", 68, 616), 0.7);
  GpuType gtx1650 = card("1650s", "Turing", 20, 192);
  gtx1650.tensor_cores = false;
  const RelativeSpeed gtx16 = relative_speed(m, gtx1650);
  CHECK(gtx16.value == Approx(0.2 * 192.0 / 320.0));
}

TEST_CASE("Without any data sheet a GPU is taken as fast as the reference, and says so") {
  const RelativeSpeed speed = relative_speed(measured_on(v100), card("x", "", 0, 0));
  CHECK(speed.value == 1.0);
  CHECK(speed.method == SpeedMethod::unknown);
  CHECK(speed.estimated);
  CHECK(speed.source.find("no bandwidth is known") != std::string::npos);
}

TEST_CASE("Every estimate lies within its range") {
  ModelType m = measured_on(card("3090", "Ampere", 82, 936));
  add_measured(m, card("2080ti", "Turing", 68, 616), 0.656);
  add_measured(m, card("3080", "Ampere", 68, 760), 0.812);
  add_measured(m, a100, 1.51);
  for (const GpuType& gpu : {card("3070", "Ampere", 46, 448), v100, card("h100", "Hopper", 132, 3350),
                             card("p100", "Pascal", 56, 732), card("2080", "Turing", 46, 448),
                             card("x", "", 0, 500), card("y", "", 0, 0)}) {
    const RelativeSpeed speed = relative_speed(m, gpu);
    INFO(gpu.name);
    CHECK(speed.low > 0.0);
    CHECK(speed.low <= speed.value);
    CHECK(speed.value <= speed.high);
    CHECK(speed.estimated);
  }
}

}  // namespace
}  // namespace fleetsim
