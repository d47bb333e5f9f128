// Shadow time and extra GPUs.
#include "sim/policies/reservation.hpp"

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

Instant at(int s) {
  return Instant(std::chrono::seconds(s));
}
constexpr PoolId kPool{0};

struct Machine {
  PoolShape shape;
  Cluster cluster;
  std::uint32_t next = 0;
  Machine(std::int32_t nodes, std::int32_t gpus)
      : shape{nodes, gpus, 0, 1000}, cluster({&shape, 1}, 100, true) {}
  JobId run(std::uint32_t node, std::int32_t gpus, int until) {
    const NodeSlice slice{NodeId{node}, gpus};
    cluster.start(JobId{next}, kPool, {&slice, 1}, at(until));
    return JobId{next++};
  }
};

}  // namespace

TEST_CASE("The shadow is the first estimated end at which enough processors are free") {
  Machine m(1, 10);
  m.run(0, 4, 30);
  m.run(0, 3, 20);
  m.run(0, 2, 20);
  // 1 free now, 1 + 3 + 2 = 6 at 20 (equal ends together), 10 at 30
  Reservation r(m.shape);
  r.compute(m.cluster, kPool, {4}, at(5));
  CHECK(r.shadow() == at(20));
  // extra = 6 - 4 = 2 at the shadow, of which 1 is free now
  CHECK(r.spare(m.cluster, kPool).max_fit() == 1);
  r.compute(m.cluster, kPool, {7}, at(5));
  CHECK(r.shadow() == at(30));
}

TEST_CASE("An estimate that has passed counts as now") {
  Machine m(1, 4);
  m.run(0, 4, 10);
  Reservation r(m.shape);
  r.compute(m.cluster, kPool, {4}, at(25));
  CHECK(r.shadow() == at(25));
}

TEST_CASE("Extra GPUs are counted node by node") {
  Machine m(3, 8);
  m.run(0, 6, 50);
  m.run(1, 8, 40);
  m.run(2, 3, 90);
  // A job of 8 fits node 1 at 40. Node 0 has 2 free now and extra, node 2 has 5; node 1 has nothing.
  Reservation r(m.shape);
  r.compute(m.cluster, kPool, {8}, at(0));
  CHECK(r.shadow() == at(40));
  const auto spare = r.spare(m.cluster, kPool).free();
  CHECK(std::vector<std::int32_t>(spare.begin(), spare.end()) == std::vector<std::int32_t>{2, 0, 5});
  // A job of 5 takes the fuller of the nodes that have room at its shadow, node 2 now.
  r.compute(m.cluster, kPool, {5}, at(0));
  CHECK(r.shadow() == at(0));
}

TEST_CASE("Jobs that outlast the shadow use up extra GPUs, others do not") {
  Machine m(1, 10);
  m.run(0, 6, 20);
  Reservation r(m.shape);
  r.compute(m.cluster, kPool, {7}, at(0));  // extra = 10 - 7 = 3, free now 4
  CHECK(r.spare(m.cluster, kPool).max_fit() == 3);
  const NodeSlice one{NodeId{0}, 1};
  m.run(0, 1, 15);
  r.started(m.cluster, kPool, {&one, 1}, false);
  CHECK(r.spare(m.cluster, kPool).max_fit() == 3);
  m.run(0, 1, 99);
  r.started(m.cluster, kPool, {&one, 1}, true);
  CHECK(r.spare(m.cluster, kPool).max_fit() == 2);
  CHECK(r.holds(m.cluster, kPool, {7}, at(20)));
  CHECK_FALSE(r.holds(m.cluster, kPool, {7}, at(21)));
}

TEST_CASE("A gang's shadow is when enough nodes are whole") {
  Machine m(3, 4);
  m.run(0, 1, 10);
  m.run(1, 4, 20);
  m.run(2, 2, 30);
  // 6 GPUs: one whole node and 2 of another one; node 0 is whole at 10, node 2 has 2 already
  Reservation r(m.shape);
  r.compute(m.cluster, kPool, {6}, at(0));
  CHECK(r.shadow() == at(10));
  r.compute(m.cluster, kPool, {8}, at(0));  // two whole nodes: 0 and 1
  CHECK(r.shadow() == at(20));
  const auto spare = r.spare(m.cluster, kPool).free();
  CHECK(std::vector<std::int32_t>(spare.begin(), spare.end()) == std::vector<std::int32_t>{0, 0, 2});
}
