// When nodes come and go, as a scenario says it.
#include "sim/economics/presence.hpp"
#include "sim/simulate.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

struct Fleet {
  Scenario scenario;
  std::vector<EnginePool> pools;
  void pool(int nodes, const std::string& retires = {}) {
    NodePool made;
    made.name = "pool";
    made.count = nodes;
    made.node.gpus = 8;
    made.retires = retires;
    std::int32_t first = 0;
    for (const EnginePool& p : pools) first += p.nodes;
    scenario.pools.push_back(made);
    pools.push_back({"pool", nodes, 8, first});
  }
  [[nodiscard]] std::string events(Instant stop = kStart + 1000 * kDay) const {
    std::string out;
    for (const NodeEvent& e : draw_node_events(scenario, pools, 0, stop))
      out += std::to_string(index(e.node)) + ":" + to_string(e.cause) + "@" +
             std::to_string(static_cast<int>(to_hours(e.at.time_since_epoch()))) + " ";
    return out;
  }
};

}  // namespace

TEST_CASE("Days between two dates; a month stands for its first day") {
  CHECK(days_from_start("2020-10", "2020-10-01") == 0);
  CHECK(days_from_start("2020-10", "2021-10") == 365);
  CHECK(days_from_start("2019-10", "2020-10") == 366);  // February 2020 has 29 days
  CHECK(days_from_start("2020-10-15", "2020-10") == -14);
  CHECK(!days_from_start("", "2020-10"));
  CHECK(!days_from_start("2020-10", ""));
}

TEST_CASE("A fleet without failures, deliveries and dates has no events") {
  Fleet fleet;
  fleet.pool(3, "2022-11");  // no date of t = 0: nothing can be told
  CHECK(fleet.events().empty());
}

TEST_CASE("The last nodes of a pool are delivered, the latest delivery last") {
  Fleet fleet;
  fleet.pool(2);
  fleet.pool(4);
  fleet.scenario.availability.deliveries = {{1, 1, 50 * kHour}, {1, 2, 20 * kHour}};
  CHECK(fleet.events() == "3:delivery@20 4:delivery@20 5:delivery@50 ");
}

TEST_CASE("A pool with fewer nodes than are delivered has none before") {
  Fleet fleet;
  fleet.pool(2);
  fleet.scenario.availability.deliveries = {{0, 1, 20 * kHour}, {0, 4, 50 * kHour}};
  CHECK(fleet.events() == "0:delivery@50 1:delivery@50 ");
}

TEST_CASE("Nodes retire on their date, at the start when it has passed, and not behind the end") {
  Fleet fleet;
  fleet.pool(1, "2020-10-03");
  fleet.pool(1, "2020-01");
  fleet.pool(1, "2030-01");
  fleet.pool(1);
  fleet.scenario.availability.starts = "2020-10";
  CHECK(fleet.events() == "1:retirement@0 0:retirement@48 ");
}

TEST_CASE("A node fails only between its delivery and its retirement") {
  Fleet fleet;
  fleet.pool(60, "2020-11");
  fleet.scenario.availability.starts = "2020-10";
  fleet.scenario.availability.deliveries = {{0, 60, 10 * kDay}};
  FailureSpec failures;
  failures.node_mtbf = 100 * kHour;
  failures.repair = 30 * kHour;
  fleet.scenario.availability.failures = failures;
  int failed = 0;
  std::vector<Instant> last(60, kStart);
  std::vector<NodeCause> cause(60, NodeCause::retirement);
  for (const NodeEvent& e : draw_node_events(fleet.scenario, fleet.pools, 0, kStart + 100 * kDay)) {
    CHECK((e.at >= kStart + 10 * kDay && e.at <= kStart + 31 * kDay));
    CHECK(e.at >= last[index(e.node)]);
    if (e.cause == NodeCause::failure) CHECK(cause[index(e.node)] != NodeCause::failure);
    if (e.cause == NodeCause::repair) CHECK(cause[index(e.node)] == NodeCause::failure);
    last[index(e.node)] = e.at;
    cause[index(e.node)] = e.cause;
    failed += e.cause == NodeCause::failure ? 1 : 0;
  }
  // 60 nodes x 21 days of 24 h / (100 + 30) h = 233 failures.
  CHECK(failed > 170);
  CHECK(failed < 300);
  for (const NodeCause one : cause) CHECK(one == NodeCause::retirement);
}
