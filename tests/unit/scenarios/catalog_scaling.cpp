// The catalogue's hardware through the scaling model, beside what was measured on such machines.
#include <cmath>

#include "scenarios/loader/catalog.hpp"
#include "tests/catch.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {
namespace {

double speed_up(const char* node, const char* model, int gpus, const char* link = "infiniband-edr",
                int adapters = 1) {
  const Catalog& c = Catalog::builtin();
  const NodeType& type = *c.node(node);
  FabricSpec spec;
  spec.shape = FabricShape::single_switch;
  spec.link = *c.link(link);
  spec.adapters_per_node = adapters;
  const std::vector<const NodeType*> nodes(static_cast<std::size_t>((gpus + type.gpus - 1) / type.gpus),
                                           &type);
  Placement placement;
  for (int left = gpus; left > 0; left -= type.gpus)
    placement.push_back({NodeId{static_cast<unsigned>(placement.size())}, std::min(left, type.gpus)});
  return gpus * step_time(*c.model(model), {gpus}, Fabric::build(spec, nodes), placement).efficiency;
}

TEST_CASE("Eight RTX 3090 without P2P train ResNet-50 as fast as two measured runs") {
  // Measured on GIGABYTE MZ52-G40: 6.95 and 7.69; four GPUs: 3.76 and 3.86.
  CHECK(speed_up("supermicro-8x-rtx3090", "resnet50", 8) > 6.9);
  CHECK(speed_up("supermicro-8x-rtx3090", "resnet50", 8) < 7.7);
  CHECK(speed_up("supermicro-8x-rtx3090", "resnet50", 4) == Approx(3.81).epsilon(0.03));
}

TEST_CASE("Two GeForce cards lose what host staging costs them") {
  // Measured: 2x RTX 3090 GNMT 1.69, ResNet-50 1.95; 2x RTX 3080 GNMT 1.50, ResNet-50 1.94.
  CHECK(speed_up("desktop-4x-rtx3090", "gnmt", 2) == Approx(1.691).epsilon(0.04));
  CHECK(speed_up("desktop-4x-rtx3090", "resnet50", 2) == Approx(1.948).epsilon(0.04));
  CHECK(speed_up("supermicro-8x-rtx3080", "gnmt", 2) == Approx(1.498).epsilon(0.13));
  CHECK(speed_up("supermicro-8x-rtx3080", "resnet50", 2) == Approx(1.943).epsilon(0.04));
}

TEST_CASE("Eight RTX 2080 Ti on two roots lose a third on GNMT") {
  // Measured: 1.43, 2.78, 5.35 at 2, 4, 8.
  CHECK(speed_up("supermicro-8x-rtx2080ti", "gnmt", 2) == Approx(1.426).epsilon(0.10));
  CHECK(speed_up("supermicro-8x-rtx2080ti", "gnmt", 4) == Approx(2.775).epsilon(0.10));
  CHECK(speed_up("supermicro-8x-rtx2080ti", "gnmt", 8) == Approx(5.346).epsilon(0.10));
}

TEST_CASE("GNMT on eight RTX 3090 collapses, though not as far as the one measured run") {
  // Measured 2.18. That run moved 0.7 GB/s a GPU where ResNet-50 on the same server moved 3.6-7.9, so the
  // model, which grants 3.4, cannot and should not reach it; it must still show the loss against the same
  // machine's ResNet-50.
  const double gnmt = speed_up("supermicro-8x-rtx3090", "gnmt", 8);
  CHECK(gnmt > 2.18);
  CHECK(gnmt < 0.7 * speed_up("supermicro-8x-rtx3090", "resnet50", 8));
}

TEST_CASE("Eight A100 lose little, with NVSwitch less than over PCIe") {
  // Measured NVSwitch: ResNet-50 7.76, GNMT 7.59-7.62; PCIe: ResNet-50 7.44, GNMT 7.23.
  CHECK(speed_up("dgx-a100", "resnet50", 8) > 7.5);
  CHECK(speed_up("dgx-a100", "resnet50", 8) == Approx(7.755).epsilon(0.05));
  CHECK(speed_up("dgx-a100", "gnmt", 8) == Approx(7.6).epsilon(0.05));
  CHECK(speed_up("supermicro-8x-a100", "resnet50", 8) == Approx(7.443).epsilon(0.06));
  CHECK(speed_up("supermicro-8x-a100", "gnmt", 8) == Approx(7.228).epsilon(0.05));
  CHECK(speed_up("dgx-a100", "gnmt", 8) > speed_up("supermicro-8x-a100", "gnmt", 8));
}

TEST_CASE("Eight HDR ports make two DGX A100 nearly one machine") {
  CHECK(speed_up("dgx-a100", "resnet50", 16, "infiniband-hdr", 8) > 15.0);
  CHECK(speed_up("dgx-a100", "gnmt", 16, "infiniband-hdr", 8) >
        speed_up("dgx-a100", "gnmt", 16, "infiniband-edr", 1));
}

TEST_CASE("BERT-large on a GeForce card runs by an estimate, marked") {
  const Catalog& c = Catalog::builtin();
  const RelativeSpeed speed = relative_speed(*c.model("bert-large"), c.node("supermicro-8x-rtx3090")->gpu);
  CHECK(speed.estimated);
  // From the A100, of the same architecture: between the ratios of bandwidths and of SMs.
  CHECK(speed.low == Approx(935.8 / 2039.0));
  CHECK(speed.high == Approx(82.0 / 108.0));
  CHECK(speed.value == Approx(std::sqrt(speed.low * speed.high)));
  CHECK_FALSE(relative_speed(*c.model("resnet50"), *c.gpu("rtx3080")).estimated);
  CHECK(relative_speed(*c.model("resnet50"), *c.gpu("rtx3080")).value == 0.812);
  CHECK(relative_speed(*c.model("gnmt"), *c.gpu("rtx3080")).value == 0.632);
}

TEST_CASE("A step of centuries is refused in words, not by the clock") {
  const Catalog& c = Catalog::builtin();
  const NodeType& node = *c.node("supermicro-8x-rtx3090");
  const std::vector<const NodeType*> nodes{&node};
  const Fabric fabric = Fabric::build({}, nodes);
  const Placement all{{NodeId{0}, 8}};
  ModelType model = *c.model("gnmt");
  CHECK_NOTHROW(step_time(model, {8}, fabric, all));
  CHECK_THROWS_AS(step_time(model, {8, 0, 1e18}, fabric, all), std::invalid_argument);
  // 8 samples over a limit of 1e-12 samples/s are more than 1e9 s
  model.input_limit.value = 1e-12;
  CHECK_THROWS_AS(step_time(model, {8}, fabric, all), std::invalid_argument);
}

}  // namespace
}  // namespace fleetsim
