#include "sim/advice/parting.hpp"

#include "tests/catch.hpp"
#include "tests/unit/advice/made_up.hpp"

namespace fleetsim {
namespace {

using namespace test;

/// Two pools, 8 GPUs a node; the best fleets spend `low` to `high` of the money on the dear cards.
SimulatedBest best(double low, double high, int gpus = 10) {
  SimulatedBest b;
  b.from = "study.json";
  b.label = "9+1 overflow";
  b.replications = 4;
  b.gpus = gpus;
  b.pools = {{"proto", "8x-cheap", "8x cheap", "cheap", 8, 9, 1.0 - high, 1.0 - low},
             {"scale", "8x-dear", "8x dear", "dear", 8, 1, low, high}};
  b.as_good = {{1.0 - low, low}, {1.0 - high, high}};
  b.scale_pool = "scale";
  b.first_order_share = 0.5 * (low + high);
  return b;
}

Parting parting_of(const SimulatedBest& b, int gpus = 10) {
  const Advice a = advise(tree(), facts(gpus));
  return compare(tree(), a, b, {});
}

TEST_CASE("They agree when a best fleet's share lies in the text's band, and part when it does not") {
  // The text gives 20 to 34 % to the dear cards; half a per cent is within one node.
  CHECK(parting_of(best(0.10, 0.20)).agreement == Agreement::agree);
  CHECK(parting_of(best(0.344, 0.5)).agreement == Agreement::agree);
  CHECK(parting_of(best(0.05, 0.19)).agreement == Agreement::part);
  CHECK(parting_of(best(0.36, 0.5)).agreement == Agreement::part);
  // Fleets on both sides of the band and none within: no fleet follows the text.
  CHECK(parting_of(best(0.10, 0.50)).agreement == Agreement::part);
}

TEST_CASE("A fleet within the band that may or may not be as good leaves it undecided") {
  SimulatedBest b = best(0.36, 0.5);
  b.undecided = {{0.73, 0.27}};
  CHECK(parting_of(b).agreement == Agreement::undecided);
  b.undecided = {{0.9, 0.1}};
  CHECK(parting_of(b).agreement == Agreement::part);
}

TEST_CASE("What no simulated fleet could hold is untested, not a contradiction") {
  // At 2000 GPUs the text wants giants; the study had cheap and dear nodes only. The habit of labs still
  // counts.
  const Parting p = parting_of(best(0.05, 0.10, 2000), 2000);
  REQUIRE(p.compared.size() == 2);
  CHECK(p.compared[0].agreement == Agreement::untested);
  CHECK(p.compared[1].agreement == Agreement::part);
  CHECK(p.agreement == Agreement::part);
}

TEST_CASE("The size of the best fleet is compared too when it lies in another band") {
  AdviceFacts f = facts(99);
  f.gpus_least = 40;
  f.gpus_most = 120;
  SimulatedBest all_dear = best(1.0, 1.0, 104);  // 13 nodes of dear cards, as "large" wants them
  const Parting p = compare(tree(), advise(tree(), f), all_dear, {});
  CHECK(p.agreement == Agreement::agree);
  CHECK(p.compared[0].agreement == Agreement::part);   // small, by the first part
  CHECK(p.compared[1].agreement == Agreement::agree);  // large
}

TEST_CASE("One replication or no fleet at all is no ground for a verdict") {
  SimulatedBest once = best(0.05, 0.10);
  once.replications = 1;
  CHECK(parting_of(once).agreement == Agreement::undecided);
  SimulatedBest none = best(0.05, 0.10);
  none.label.clear();
  CHECK(parting_of(none).agreement == Agreement::undecided);
}

}  // namespace
}  // namespace fleetsim
