// Which nodes a job gets.
#include "sim/cluster/cluster.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

std::string text(const std::vector<NodeSlice>& slices) {
  std::string out;
  for (const NodeSlice& s : slices) {
    out += (out.empty() ? "" : " ") + std::to_string(index(s.node)) + ":" + std::to_string(s.gpus);
  }
  return out;
}

/// `free` GPUs on each node of a pool of 8-GPU nodes.
FreeMap with_free(const std::vector<std::int32_t>& free, std::int32_t first_node = 0,
                  std::int32_t per_leaf = 1000) {
  FreeMap map({static_cast<std::int32_t>(free.size()), 8, first_node, per_leaf});
  map.assign(free);
  return map;
}

std::string chosen(const FreeMap& map, std::int32_t gpus, bool crosses = false) {
  std::vector<NodeSlice> out;
  CHECK(map.choose(gpus, out) == crosses);
  return text(out);
}

}  // namespace

TEST_CASE("A job that fits a node takes the fullest node that has room, the lowest among equals") {
  const FreeMap map = with_free({8, 3, 5, 3, 2});
  CHECK(chosen(map, 1) == "4:1");
  CHECK(chosen(map, 3) == "1:3");
  CHECK(chosen(map, 4) == "2:4");
  CHECK(chosen(map, 8) == "0:8");
}

TEST_CASE("A job that fits a node is never split") {
  const FreeMap map = with_free({5, 5, 5});
  CHECK(map.max_fit() == 5);
  CHECK_FALSE(map.fits(6));
}

TEST_CASE("A larger job takes whole nodes and a part of the best fitting other one") {
  const FreeMap map = with_free({8, 3, 8, 5, 8});
  CHECK(chosen(map, 16) == "0:8 2:8");
  CHECK(chosen(map, 20) == "0:8 2:8 3:4");
  CHECK(chosen(map, 22) == "0:8 2:8 4:6");
  // 3 whole nodes and 5 GPUs of another one: 3 * 8 + 5
  CHECK(map.max_fit() == 29);
  CHECK_FALSE(map.fits(30));
}

TEST_CASE("A gang stays on the first leaf that can hold all of it") {
  //                       leaf 0      leaf 1      leaf 2
  const FreeMap map = with_free({8, 1, 1, 8, 8, 4, 8, 8, 8}, 0, 3);
  CHECK(chosen(map, 16) == "3:8 4:8");
  CHECK(chosen(map, 20) == "3:8 4:8 5:4");
  CHECK(chosen(map, 24) == "6:8 7:8 8:8");
}

TEST_CASE("A gang that no leaf can hold takes those with the most whole nodes") {
  const FreeMap map = with_free({8, 1, 1, 8, 8, 4, 8, 8, 8}, 0, 3);
  CHECK(chosen(map, 40, true) == "6:8 7:8 8:8 3:8 4:8");
  CHECK(chosen(map, 36, true) == "6:8 7:8 8:8 3:8 5:4");
}

TEST_CASE("Leaves are counted from the first node of the fleet") {
  // Nodes 2..5 with three a leaf: node 2 is alone on leaf 0, nodes 3 to 5 are leaf 1.
  const FreeMap map = with_free({8, 8, 8, 8}, 2, 3);
  CHECK(chosen(map, 16) == "3:8 4:8");
}

TEST_CASE("A gang takes as few leaves as can hold it") {
  //                       leaf 0   leaf 1   leaf 2
  const FreeMap map = with_free({8, 8, 8, 1, 8, 4}, 0, 2);
  // 16 + 8 + 4: leaf 0 has two whole nodes, leaf 1 a third but no part; leaf 2 has a third and the part.
  CHECK(chosen(map, 28, true) == "0:8 1:8 4:8 5:4");
  CHECK(map.fits(28, 2));
  // 5 more than a whole node fit beside two whole ones only on the third leaf's last whole node.
  CHECK(chosen(map, 29, true) == "0:8 1:8 2:8 4:5");
  CHECK_FALSE(map.fits(29, 2));
  CHECK(map.fits(29, 3));
}

TEST_CASE("On a given number of leaves fits what the fullest of them hold") {
  const FreeMap map = with_free({8, 8, 8, 1, 8, 4}, 0, 2);
  // one leaf: 2 x 8; two: 3 x 8 + 4; three: 4 x 8 + 4
  CHECK(map.max_fit(1) == 16);
  CHECK(map.max_fit(2) == 28);
  CHECK(map.max_fit(3) == 36);
  CHECK(map.max_fit(kAnyLeaves) == map.max_fit());
}

TEST_CASE("Spread puts a job on the emptiest node, the lowest among equals, and gangs where pack does") {
  FreeMap map({5, 8, 0, 1000, PlacementRule::spread});
  map.assign(std::vector<std::int32_t>{5, 8, 3, 8, 6});
  CHECK(chosen(map, 1) == "1:1");
  CHECK(chosen(map, 16) == "1:8 3:8");
  CHECK(chosen(map, 20) == "1:8 3:8 4:4");
}

TEST_CASE("A pool without nodes holds nothing") {
  const FreeMap map(PoolShape{0, 8, 0, 1000});
  CHECK(map.max_fit() == 0);
  CHECK(map.total() == 0);
}

TEST_CASE("Running jobs stand sorted by estimated end, the latest first") {
  const PoolShape shape{1, 8, 0, 1000};
  Cluster cluster({&shape, 1}, 3, true);
  const auto at = [](int s) { return Instant(std::chrono::seconds(s)); };
  const NodeSlice two{NodeId{0}, 2};
  cluster.start(JobId{0}, PoolId{0}, {&two, 1}, at(20));
  cluster.start(JobId{1}, PoolId{0}, {&two, 1}, at(30));
  cluster.start(JobId{2}, PoolId{0}, {&two, 1}, at(20));
  std::string order;
  for (const Release& r : cluster.releases(PoolId{0})) order += std::to_string(index(r.job));
  CHECK(order == "120");
  CHECK(cluster.free(PoolId{0}).total() == 2);
  cluster.finish(JobId{2}, PoolId{0}, at(20));
  CHECK(cluster.free(PoolId{0}).total() == 4);
  CHECK(cluster.releases(PoolId{0}).back().job == JobId{0});
}
