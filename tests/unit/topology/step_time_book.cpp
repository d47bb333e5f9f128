#include "topology/step_time_book.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/topology/machines.hpp"
#include "topology/run_time_ratio.hpp"

namespace fleetsim {
namespace {

using namespace test;

NodeType reference_node() {
  NodeType n = nvswitch_node();
  n.name = "reference";
  return n;
}

TEST_CASE("The book wires one fabric for all questions about as many nodes of a type") {
  const NodeType small = node(), large = reference_node();
  StepTimeBook book(spec(FabricShape::leaf_spine));
  for (const int gpus : {1, 2, 3, 4, 8}) {  // one node of each type
    static_cast<void>(book.run_time_ratio(model(), gpus, small, large, false));
    static_cast<void>(book.efficiency(model(), gpus, small));
  }
  CHECK(book.fabrics() == 2);
  static_cast<void>(book.run_time_ratio(model(), 16, small, large, false));
  static_cast<void>(book.run_time_ratio(model(), 12, small, large, false));
  CHECK(book.fabrics() == 4);
}

TEST_CASE("Asked twice, the book says the same, and what a fresh one says") {
  const NodeType small = node(), large = reference_node();
  const FabricSpec fabric = spec(FabricShape::leaf_spine, network(4, 1.0), 1, 3.0);
  StepTimeBook book(fabric);
  for (const int gpus : {1, 8, 16, 24}) {
    for (const bool crosses : {false, true, false, true}) {
      CHECK(book.run_time_ratio(model(), gpus, small, large, crosses) ==
            run_time_ratio(model(), gpus, small, large, fabric, crosses));
    }
  }
}

TEST_CASE("Crossing leaf switches costs time where the uplinks are thin, and nothing on one node") {
  const NodeType n = nvswitch_node();
  // 4 ports, 3 down and 1 up: two nodes on each side share the one uplink.
  StepTimeBook book(spec(FabricShape::leaf_spine, network(4, 1.0), 1, 3.0));
  const ModelType m = model(4000.0);
  CHECK(book.run_time_ratio(m, 8, n, n, true) == book.run_time_ratio(m, 8, n, n, false));
  CHECK(book.run_time_ratio(m, 16, n, n, true) >= book.run_time_ratio(m, 16, n, n, false));
  // A single switch and a ring of torus links have no leaves to cross.
  StepTimeBook one(spec(FabricShape::single_switch));
  CHECK(one.run_time_ratio(m, 16, n, n, true) == one.run_time_ratio(m, 16, n, n, false));
}

TEST_CASE("A job that no fabric joins never ends; a reference that cannot hold it scales perfectly") {
  const NodeType n = node();
  NodeType two = node(PcieTopology::dual_root, 2);
  two.name = "two";
  StepTimeBook book(spec(FabricShape::none));
  CHECK(std::isinf(book.run_time_ratio(model(), 16, n, n, false)));
  // 8 GPUs on one node against 1 GPU on the reference, which has 2.
  const double ratio = book.run_time_ratio(model(), 8, n, two, false);
  CHECK(ratio == Approx(1.0 / book.efficiency(model(), 8, n)).epsilon(1e-5));  // steps in whole us
}

}  // namespace
}  // namespace fleetsim
