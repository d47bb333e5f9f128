#include "sim/study/interconnect_value.hpp"

#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"

namespace fleetsim {
namespace {

using namespace test;

TEST_CASE("A gain is the ratio of the two step times less one, per cent") {
  const Park with(nvswitch_node(), {}, 8), without(without_gpu_links(nvswitch_node()), {}, 8);
  const ModelType m = model(400.0);
  for (const int gpus : {2, 4, 8}) {
    // 100 (t_without / t_with - 1), both from step_time on a node of their own
    const double t_with = to_seconds(step_time(m, {gpus}, alone(nvswitch_node()), placement(1, gpus)).total);
    const double t_without = to_seconds(step_time(m, {gpus}, alone(node()), placement(1, gpus)).total);
    CHECK(gain_percent(m, gpus, with, without) == Approx(100.0 * (t_without / t_with - 1.0)));
    CHECK(gain_percent(m, gpus, with, without) > 0.0);
  }
}

TEST_CASE("One GPU gains nothing from any interconnect") {
  const Park with(nvswitch_node(), {}, 8), without(node(), {}, 8);
  CHECK(gain_percent(model(), 1, with, without) == 0.0);
  CHECK(with.speedup(model(), 1) == 1.0);
}

TEST_CASE("A mix of jobs gains the mean of its sizes' gains") {
  const FabricSpec fast = spine_fabric(network(36, 12.5), 1), slow = spine_fabric(network(36, 3.0), 1);
  const Park with(node(), fast, 32), without(node(), slow, 32);
  const ModelType m = model(400.0);
  // Sizes 1, 2, 4, 8 lie inside a node and gain nothing; 16 and 32 do: (g16 + g32) / 6.
  CHECK(mix_gain_percent(m, 8, with, without) == 0.0);
  CHECK(mix_gain_percent(m, 32, with, without) ==
        Approx((gain_percent(m, 16, with, without) + gain_percent(m, 32, with, without)) / 6.0));
}

TEST_CASE("A job larger than a node needs a fabric") {
  CHECK_THROWS_AS(Park(node(), {}, 9), std::invalid_argument);
  CHECK_NOTHROW(Park(node(), {}, 8));
}

TEST_CASE("Variants have names of their own, since equal names are one type to a fabric") {
  const NodeType n = nvswitch_node();
  const LinkType slot = link("slow-slot", LinkKind::pcie, 5.0),
                 bridge = link("bridge", LinkKind::nvlink, 50.0);
  CHECK(with_slot(n, slot).name != n.name);
  CHECK(without_gpu_links(n).name != n.name);
  CHECK(with_bridges(n, bridge).name != n.name);
  CHECK(with_slot(n, slot).pcie.name == "slow-slot");
  CHECK_FALSE(without_gpu_links(n).gpu_link.has_value());
  CHECK(with_bridges(n, bridge).gpu_links == GpuLinkTopology::bridge_pairs);
}

TEST_CASE("A narrower slot never makes a job faster") {
  const ModelType m = model(400.0);
  double last = 0.0;
  for (const double gb : {40.0, 20.0, 10.0, 5.0}) {
    const Park park(with_slot(node(), link("slot", LinkKind::pcie, gb)), {}, 8);
    const double step = park.step_s(m, 8);
    CHECK(step >= last);
    last = step;
  }
}

TEST_CASE("A curve has a point for every doubling from first to largest") {
  const FabricSpec f = spine_fabric(network(), 1);
  const Park with(node(), f, 64), without(node(), f, 64);
  const ValueCurve curve = value_curve("X", "same", model(), with, without, 2, 64);
  std::vector<int> sizes;
  for (const auto& point : curve.points) {
    sizes.push_back(point.gpus);
    CHECK(point.gain_percent == 0.0);  // the same machine
  }
  CHECK(sizes == std::vector<int>{2, 4, 8, 16, 32, 64});
}

}  // namespace
}  // namespace fleetsim
