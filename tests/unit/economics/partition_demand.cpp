// Demand of classes that their partition ties to dear nodes, and work that a partition cuts off.
#include <cmath>

#include "fixture.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;
using namespace fleetsim::fixture;

namespace {

/// The lab whose large runs would fit the cheap cards too.
Scenario light(SharingRule sharing) {
  Scenario scenario = with_counts(lab(), {13, 3});
  scenario.workload.classes[1].gpu_memory = Bytes{8'000'000'000};
  scenario.scheduler.sharing = sharing;
  return scenario;
}

}  // namespace

TEST_CASE("a class makes its demand on the nodes of its own partition, however cheap others are") {
  CHECK(offered_load(light(SharingRule::strict)).classes[1].cheapest_node == "scale");
  CHECK(offered_load(light(SharingRule::overflow)).classes[1].cheapest_node == "scale");
  // (1.66617 x 26062) / (6.2754 x 16062 + 1.66617 x 26062), as with 22 GB
  CHECK(offered_load(light(SharingRule::strict)).s == Approx(0.30110).epsilon(1e-3));
  // one queue over all nodes: the cheap ones do
  CHECK(offered_load(light(SharingRule::one_pool)).classes[1].cheapest_node == "proto");
}

TEST_CASE("where no own node could run a class, its demand falls on the nodes that are lent") {
  Scenario scenario = lab();
  scenario.scheduler.sharing = SharingRule::overflow;
  scenario.workload.classes[0].gpu_memory = Bytes{22'000'000'000};
  CHECK(offered_load(scenario).classes[0].cheapest_node == "scale");
  scenario.scheduler.sharing = SharingRule::strict;
  CHECK(offered_load(scenario).classes[0].cheapest_node.empty());
}

TEST_CASE("under strict sharing each partition's load is that of its own classes") {
  const OfferedLoad load = offered_load(light(SharingRule::strict));
  REQUIRE(load.partition_load.size() == 2);
  // busy nodes over nodes: 6.2754 of 13, 1.66617 of 3
  CHECK(load.partition_load[0] == Approx(6.2754 / 13.0).epsilon(1e-4));
  CHECK(load.partition_load[1] == Approx(1.66617 / 3.0).epsilon(1e-4));
  CHECK(offered_load(light(SharingRule::overflow)).partition_load.empty());
}

TEST_CASE("jobs longer than their partition's limit are counted as cut off") {
  Scenario scenario = lab();
  CHECK(offered_load(scenario).classes[1].cut_off_share == Approx(0.0).margin(1e-12));
  // The median of a large run is 27 h after the cut: half of the jobs run longer than that.
  scenario.scheduler.partitions[1].max_time = 27 * kHour;
  CHECK(offered_load(scenario).classes[1].cut_off_share == Approx(0.5).epsilon(1e-6));
  scenario.scheduler.kill_at_limit = false;
  CHECK(offered_load(scenario).classes[1].cut_off_share == 0.0);
  // P(X > t) = exp(-t / mean)
  scenario.scheduler.kill_at_limit = true;
  scenario.workload.classes[1].wall_time.law = ExponentialSpec{27 * kHour};
  CHECK(offered_load(scenario).classes[1].cut_off_share == Approx(std::exp(-1.0)));
}
