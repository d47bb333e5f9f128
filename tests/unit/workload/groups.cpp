// Groups of users: who is in which, and that no draw depends on it.
#include "sim/workload/groups.hpp"

#include <memory>

#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/unit/workload/example.hpp"

using namespace fleetsim;

TEST_CASE("Users are numbered group after group, and who is beyond the groups is in none") {
  WorkloadSpec workload;
  workload.users = 6;
  workload.groups = {{"a", 2, {}}, {"b", 3, {}}};
  workload.classes.resize(1);
  CHECK(group_by_user(workload) == std::vector<std::uint16_t>{0, 0, 1, 1, 1, 2});
  CHECK(group_scopes(workload) == std::vector<std::string>{"a", "b", kNoGroupScope});
  workload.users = 5;
  CHECK(group_scopes(workload) == std::vector<std::string>{"a", "b"});
  workload.groups.clear();
  CHECK(group_scopes(workload).empty());
  CHECK(group_by_user(workload) == std::vector<std::uint16_t>(5, 0));
}

TEST_CASE("Recorded jobs go by the ids of the groups, others to none") {
  auto trace = std::make_shared<Trace>();
  trace->jobs.resize(4);
  trace->groups = {7, 3, -1, 8};
  WorkloadSpec workload;
  workload.groups = {{"a", 0, {3}}, {"b", 0, {8, 7}}};
  workload.trace = trace;
  const TraceGroups groups(workload);
  CHECK(groups.of(0) == 1);
  CHECK(groups.of(1) == 0);
  CHECK(groups.of(2) == 2);
  CHECK(groups.of(3) == 1);
  CHECK(groups.of(99) == 2);
}

TEST_CASE("Groups change no draw: the same jobs, each with the group of its user") {
  Scenario scenario = example::lab();
  const Workload without = generate(scenario, 3);
  CHECK(without.requests.group.empty());
  const int first = scenario.workload.users / 3;
  scenario.workload.groups = {{"few", first, {}}, {"rest", scenario.workload.users - first, {}}};
  const Workload with = generate(scenario, 3);
  REQUIRE(with.requests.group.size() == with.requests.size());
  CHECK(with.requests.submit == without.requests.submit);
  CHECK(with.requests.gpus == without.requests.gpus);
  CHECK(with.requests.user == without.requests.user);
  CHECK(with.truth.wall == without.truth.wall);
  CHECK(with.truth.limit_factor == without.truth.limit_factor);
  bool right = true;
  for (std::size_t j = 0; j < with.requests.size(); ++j)
    right = right && with.requests.group[j] == (with.requests.user[j] < first ? 0 : 1);
  CHECK(right);
}
