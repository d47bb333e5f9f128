// Nodes that the lab owns: pools behind those that are bought, with a place in a partition.
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

Outcome with_existing(const std::string& existing, const std::vector<Edit>& also = {}) {
  std::vector<Edit> edits = also;
  edits.push_back(
      {"  # existing: [{node: supermicro-8x-rtx2080ti, count: 2, bought: 2018-11, retires: 2022-11}]",
       "  existing: " + existing});
  Outcome outcome = load_text(edited(edits).text);
  for (const std::string& message : outcome.messages) UNSCOPED_INFO(message);
  return outcome;
}

}  // namespace

TEST_CASE("Existing nodes are pools behind the bought ones and serve the default partition last") {
  const Outcome o =
      with_existing("[{node: supermicro-8x-rtx2080ti, count: 2, bought: 2018-11, retires: 2022-11}]");
  REQUIRE(o.loaded);
  const Scenario& s = o.loaded->scenario;
  REQUIRE(s.pools.size() == 3);
  CHECK(bought_pools(s) == 2);
  CHECK(s.pools[2].name == "existing");
  CHECK(s.pools[2].count == 2);
  CHECK(s.pools[2].bought == "2018-11");
  CHECK(s.pools[2].retires == "2022-11");
  // the budget buys what it bought before
  CHECK(s.pools[0].count == 13);
  CHECK(s.pools[1].count == 3);
  CHECK(s.scheduler.partitions[0].pools == std::vector<PoolId>{PoolId{0}, PoolId{2}});
  CHECK(s.scheduler.partitions[1].pools == std::vector<PoolId>{PoolId{1}});
  for (const NotEvaluated& key : s.not_evaluated) CHECK(key.path != "fleet.existing");
  CHECK(fleet_label(s) == "13+3");
}

TEST_CASE("Groups without a name are existing, existing-2; a partition may name them") {
  const Outcome o = with_existing(
      "[{node: supermicro-8x-rtx2080ti, count: 2}, {node: desktop-4x-rtx3090, count: 1}, "
      "{node: desktop-2x-rtx3090, count: 1, name: old}]",
      {{"scale: {nodes: scale,", "scale: {nodes: [old, scale],"}});
  REQUIRE(o.loaded);
  const Scenario& s = o.loaded->scenario;
  CHECK(s.pools[2].name == "existing");
  CHECK(s.pools[3].name == "existing-2");
  CHECK(s.pools[4].name == "old");
  CHECK(s.scheduler.partitions[0].pools == std::vector<PoolId>{PoolId{0}, PoolId{2}, PoolId{3}});
  CHECK(s.scheduler.partitions[1].pools == std::vector<PoolId>{PoolId{4}, PoolId{1}});
  CHECK(s.pools[index(scale_pool(s))].name == "scale");
}

TEST_CASE("The canonical text of existing nodes reads back as the same scenario") {
  const Outcome o =
      with_existing("[{node: supermicro-8x-rtx2080ti, count: 2, bought: 2018-11, resale: 2500 USD}]");
  REQUIRE(o.loaded);
  const Outcome again = load_text(o.loaded->canonical);
  REQUIRE(again.loaded);
  CHECK(again.loaded->canonical == o.loaded->canonical);
  CHECK(again.loaded->scenario.pools[2].resale == usd(std::int64_t{2500}));
}

TEST_CASE("A fleet of nothing but existing nodes needs neither budget nor counts") {
  const Outcome o = load_text(
      "name: small\n"
      "fleet: {existing: [{node: desktop-4x-rtx3090, count: 2}]}\n"
      "workload: {classes: {job: {arrivals: {per_user: 3 /day}, gpus: 1, wall_time: {fixed: 2 h}}}}\n");
  for (const std::string& message : o.messages) UNSCOPED_INFO(message);
  REQUIRE(o.loaded);
  CHECK(bought_pools(o.loaded->scenario) == 0);
  CHECK(o.loaded->scenario.pools[0].count == 2);
  CHECK(load_text(o.loaded->canonical).loaded);
}

TEST_CASE("Existing nodes are refused in words where they make no sense") {
  const auto says = [](const Outcome& o, const std::string& what) {
    CHECK_FALSE(o.loaded);
    REQUIRE_FALSE(o.messages.empty());
    CHECK(o.messages.front().find(what) != std::string::npos);
  };
  says(with_existing("[{node: supermicro-8x-rtx2080ti, count: 2, name: proto}]"),
       "a pool 'proto' is there already");
  says(with_existing("[{node: supermicro-8x-rtx2080ti, count: 2, name: split}]"),
       "no pool can be called 'split'");
  says(with_existing("[{node: aws-p4d, count: 2}]"), "nobody owns it");
  says(with_existing("[{node: supermicro-8x-rtx2080ti, count: 2, resale: -1 USD}]"), "0 USD");
  says(with_existing("[{node: supermicro-8x-rtx2080ti, count: 2}]", {{", default: true}", "}"}}),
       "no partition has the existing nodes 'existing'");
}
