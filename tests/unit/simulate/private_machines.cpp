#include "tests/catch.hpp"
#include "tests/unit/simulate/example.hpp"

using namespace fleetsim;

namespace {

/// Three users, each with a node of 4 GPUs; a job takes 2.
Scenario three_desktops() {
  Scenario s = example::two_pools(SharingRule::private_machines, 3, 0);
  s.pools.pop_back();
  s.scheduler.partitions.pop_back();
  s.workload.classes.pop_back();
  s.workload.classes[0].promotes_to.reset();
  return s;
}

Workload jobs_of(const Scenario& s, const std::vector<example::Asked>& jobs, const std::vector<int>& users) {
  Workload w = example::workload_of(s, jobs);
  w.requests.user.assign(users.begin(), users.end());
  return w;
}

}  // namespace

TEST_CASE("on private machines a user waits for the own jobs only, while others' machines stand idle") {
  const Scenario s = three_desktops();
  EngineResult out;
  // Two jobs fill a desktop; the third of user 0 waits, the one of user 2 does not.
  const Workload w = jobs_of(s, {{0, 0, 60}, {0, 0, 60}, {0, 5, 30}, {0, 5, 30}}, {0, 0, 0, 2});
  const RunResult run = simulate(s, w, &out);
  CHECK(out.jobs.start[2] == kStart + kHour);
  CHECK(out.jobs.start[3] == kStart + std::chrono::minutes(5));
  // User 0 has the first node, user 2 the third; both belong to the one pool.
  CHECK(out.jobs.slices[out.jobs.first_slice[2]].node == NodeId{0});
  CHECK(out.jobs.slices[out.jobs.first_slice[3]].node == NodeId{2});
  CHECK(out.jobs.pool[3] == PoolId{0});
  CHECK(run.metrics.broken_laws.empty());
}

TEST_CASE("private machines are measured and charged as the one pool they are") {
  const Scenario s = three_desktops();
  const Workload w = jobs_of(s, {{0, 0, 60}, {0, 0, 60}, {0, 5, 30}}, {0, 1, 2});
  const RunResult apart = simulate(s, w);
  REQUIRE(apart.metrics.pools.size() == 1);
  // 2 GPUs for 2.5 h of 12 GPUs for a week.
  CHECK(apart.metrics.pools[0].utilisation_allocated == Approx(5.0 / (12.0 * 168.0)));
  // Nobody waits, so a pool of all three does the same work for the same energy.
  Scenario together = s;
  together.scheduler.sharing = SharingRule::one_pool;
  const RunResult shared = simulate(together, w);
  CHECK(apart.metrics.all.value("energy_kwh") == Approx(shared.metrics.all.value("energy_kwh")));
  CHECK(apart.metrics.classes[0].value("energy_kwh") == shared.metrics.classes[0].value("energy_kwh"));
}

TEST_CASE("private machines need one for every user") {
  Scenario s = three_desktops();
  CHECK(private_problem(s).empty());
  s.pools[0].count = 2;
  CHECK(private_problem(s) == "each of 3 users has a private machine, but proto has 2 nodes");
  CHECK_THROWS_AS(simulate(s, 0), std::invalid_argument);
}
