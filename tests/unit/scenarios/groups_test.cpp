// workload.groups: what it takes, what it refuses and where; metrics by group.
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

Marked with_groups(const std::string& groups, const std::string& study = "  search: exhaustive") {
  return edited({{"  users: 30", "  users: 30\n  " + groups}, {"  search: exhaustive", study}});
}

}  // namespace

TEST_CASE("Groups split the users, and constraints and fronts speak of them") {
  const LoadedScenario read = loaded(
      with_groups("groups: {vision: 20, nlp: 10}",
                  "  limits: [wait_s_p95(group nlp) <= 4 h]\n  front: [wait_s(group vision), group_fairness]")
          .text);
  const Scenario& s = read.scenario;
  REQUIRE(s.workload.groups.size() == 2);
  CHECK(s.workload.groups[0].name == "vision");
  CHECK(s.workload.groups[0].users == 20);
  REQUIRE(s.study.limits.size() == 1);
  CHECK(s.study.limits[0].group == std::size_t{1});
  CHECK_FALSE(s.study.limits[0].job_class.has_value());
  CHECK(s.study.front.at(0).group == std::size_t{0});
  // and the canonical text is read back
  const Scenario again = loaded(read.canonical).scenario;
  REQUIRE(again.workload.groups.size() == 2);
  CHECK(again.workload.groups[1].users == 10);
  CHECK(loaded(lab_text()).canonical.find("groups") == std::string::npos);
}

TEST_CASE("Groups that do not add up, unknown ones and names with brackets are refused") {
  refuses(with_groups("@groups: {vision: 20, nlp: 5}"),
          "the groups have 25 users in all, and workload.users is 30 (set users to 25");
  refuses(with_groups("groups: {vision: @0, nlp: 30}"), "must");
  refuses(with_groups("groups: {@a(b): 30}"), "holds a bracket");
  refuses(with_groups("groups: {@no group: 30}"), "is what users of no group go by");
  const std::string both = "groups: {vision: 20, nlp: 10}";
  refuses(with_groups(both, "  limits: [wait_s(group @visio) <= 4 h]"),
          "unknown group: 'visio' (did you mean 'vision'?)");
  refuses(with_groups(both, "  limits: [wait_s(@vision) <= 4 h]"),
          "unknown class: 'vision' (a group of users is written 'group vision')");
  refuses(with_groups(both, "  limits: [@energy_kwh(group nlp) <= 4]"),
          "energy_kwh is not counted by class or group (leave the group out)");
  refuses(edited({{"  search: exhaustive", "  limits: [@group_fairness >= 0.9]"}}),
          "there are no groups of users");
}
