// What the report says of the least fleet and of the most demand that a fleet carries.
#include <string>

#include "fixture.hpp"
#include "reports/markdown.hpp"
#include "reports/section.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

std::string report_of(const Dossier& dossier) {
  return to_markdown(make_doc(dossier, {"30 November 2026", {}}));
}
bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the report says how much each fleet carries, and what is in the way of more") {
  Dossier d = test::study_dossier();
  CHECK_FALSE(says(report_of(d), "The most demand that a fleet carries"));
  MostDemand most;
  most.path = "workload.users";
  most.name = "users";
  most.values = {"20", "30", "40"};
  most.loads = {0.3, 0.45, 0.6};
  most.limits = {"wait_s_p95(prototype) <= 4 h"};
  FleetDemand fleet;
  fleet.sharing = d.sharing;
  fleet.fleet = "13+3";
  fleet.judged = {
      {Keeps::surely, ""}, {Keeps::open, "p95 perhaps 4.10 h"}, {Keeps::broken, "p95 at least 9 h"}};
  fleet.carried = {1, 1, true};
  FleetDemand none = fleet;
  none.fleet = "4+8";
  none.judged[0] = {Keeps::broken, "p95 at least 5 h"};
  none.judged[1] = none.judged[0];
  none.carried = {0, 3, true};
  most.fleets = {fleet, none};
  d.study.most_demand = most;
  const std::string text = report_of(d);
  CHECK(says(text, "# The most demand that a fleet carries"));
  CHECK(says(text, "13+3 carries most: surely 20 users, surely not 40 users; 30 users is open"));
  CHECK(says(text, "p95 perhaps 4.10 h"));
  CHECK(says(text, "p95 at least 5 h"));
  CHECK(dossier_from_json(to_json(d)).study.most_demand->fleets.size() == 2);
  CHECK(says(report_of(dossier_from_json(to_json(d))), "13+3 carries most: surely 20 users"));
}

TEST_CASE("the report says the least fleet with its interval, and nothing of it for other objectives") {
  Dossier d = test::study_dossier();
  CHECK_FALSE(says(report_of(d), "The least fleet"));
  LeastFleet least;
  least.sharing = d.sharing;
  least.by_mean = {"4+3", usd(std::int64_t{154'434}), {Keeps::open, "p95 perhaps 5.00 h"}};
  least.low = {"4+2", usd(std::int64_t{131'000}), {Keeps::open, "p95 perhaps 9.00 h"}};
  least.high = {"5+3", usd(std::int64_t{170'496}), {Keeps::surely, ""}};
  least.open = 2;
  least.fleets = 30;
  least.smaller = {{"3+3", usd(std::int64_t{138'000}), {Keeps::broken, "surely breaks p95"}}, least.low};
  d.study.least = {least};
  const std::string text = report_of(d);
  CHECK(says(text, "# The least fleet that carries this demand"));
  CHECK(says(text, "4+3 ($154,434)"));
  CHECK(says(text, "5+3 ($170,496)"));
  CHECK(says(text, "2 cheaper than that are open"));
  CHECK(says(text, "surely breaks p95"));
  CHECK(says(report_of(dossier_from_json(to_json(d))), "2 cheaper than that are open"));
}
