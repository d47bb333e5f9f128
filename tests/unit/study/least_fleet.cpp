// The least fleet of a study that ranks by price, from hand-made candidates.
#include "sim/study/least_fleet.hpp"

#include <nlohmann/json.hpp>

#include "sim/study/inverse_json.hpp"
#include "sim/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

Scenario base() {
  Scenario s = made_up::scenario(4, 2);
  s.study.objective = "capex";
  s.study.constraints = {{"wait_s_p95", ClassId{0}, true, 600.0, "wait_s_p95(prototype) <= 10 min"}};
  return s;
}

/// A fleet whose p95 wait of prototypes is mean +- spread over four replications.
CandidateResult fleet(int proto, int scale, double mean_s, double spread_s) {
  Scenario s = made_up::scenario(proto, scale);
  s.study = base().study;
  std::vector<RunResult> runs;
  for (int r = 0; r < 8; ++r) {
    runs.push_back(made_up::run(2.0, 20.0));
    for (Metric& m : runs.back().metrics.classes[0].values)
      if (m.name == "wait_s_p95") m.value = mean_s + (r % 2 == 0 ? spread_s : -spread_s);
  }
  return summarise_candidate(s, runs, objective_ks(s));
}

LeastFleet least(std::vector<CandidateResult> fleets) {
  StudyResult study;
  study.objective = "capex";
  study.candidates = std::move(fleets);
  const std::vector<LeastFleet> all = least_fleets(base(), study);
  REQUIRE(all.size() == 1);
  CHECK(least_fleets_json(least_fleets_from_json(least_fleets_json(all))) == least_fleets_json(all));
  return all.front();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the least fleet is decided when it surely keeps its limits and all cheaper ones surely do not") {
  // 10 000 USD a cheap node, 20 000 USD a dear one; in no order.
  const LeastFleet found = least({fleet(5, 2, 100.0, 1.0), fleet(3, 2, 900.0, 1.0), fleet(4, 2, 300.0, 1.0),
                                  fleet(4, 1, 800.0, 1.0), fleet(2, 1, 5000.0, 1.0)});
  CHECK(found.by_mean.fleet == "4+2");
  CHECK(found.by_mean.price == usd(std::int64_t{80'000}));
  CHECK(found.low.fleet == "4+2");
  CHECK(found.high.fleet == "4+2");
  CHECK(found.open == 0);
  CHECK(found.fleets == 5);
  REQUIRE(found.smaller.size() == 2);  // 4+1 for 60 000, 3+2 for 70 000
  CHECK(found.smaller[0].fleet == "4+1");
  CHECK(found.smaller[1].fleet == "3+2");
  CHECK(found.smaller[1].judged.keeps == Keeps::broken);
  const std::string text = least_fleet_text(found);
  CHECK(
      has(text,
          "the least fleet that carries this demand within its limits is 4+2 (80,000 USD), surely (95 %)."));
  CHECK(
      has(text,
          "One node less: 4+1 (60,000 USD) surely breaks wait_s_p95(prototype) <= 10 min (at least 0.22 h); "
          "3+2 (70,000 USD) surely breaks"));
}

TEST_CASE("the least fleet is an interval of prices while cheaper ones are open") {
  const LeastFleet found = least({fleet(3, 1, 900.0, 1.0), fleet(3, 2, 650.0, 100.0),
                                  fleet(4, 2, 550.0, 100.0), fleet(5, 2, 200.0, 1.0)});
  CHECK(found.by_mean.fleet == "4+2");
  CHECK(found.low.fleet == "3+2");
  CHECK(found.high.fleet == "5+2");
  CHECK(found.open == 2);
  const std::string text = least_fleet_text(found);
  CHECK(has(text, "is 4+2 (80,000 USD), by its means."));
  CHECK(
      has(text,
          "Surely (95 %) it costs from 3+2 (70,000 USD) to 5+2 (90,000 USD); 2 cheaper than that are open."));
  CHECK(
      has(text,
          "One node less: 3+2 (70,000 USD) is open: wait_s_p95(prototype) <= 10 min: mean 0.18 h, perhaps"));
}

TEST_CASE("none is said when every fleet surely breaks a limit, undecided when none surely keeps all") {
  const LeastFleet none = least({fleet(3, 1, 900.0, 1.0), fleet(3, 2, 800.0, 1.0)});
  CHECK(none.low.fleet.empty());
  CHECK(has(least_fleet_text(none), "none of 2 fleets carries this demand within its limits"));
  const LeastFleet open = least({fleet(3, 1, 900.0, 1.0), fleet(3, 2, 650.0, 100.0)});
  CHECK(open.by_mean.fleet.empty());
  CHECK(open.low.fleet == "3+2");
  CHECK(open.high.fleet.empty());
  CHECK(has(least_fleet_text(open),
            "no fleet carries this demand within its limits by its means. Undecided: no "
            "fleet surely keeps them, and the cheapest of 1 that may is 3+2"));
}

TEST_CASE("a fleet is called surely good at an error that all fleets share") {
  // Eight replications 600 - 200 +- 100 s: standard error 37.8 s. Alone t(0.975, 7) = 2.365: at most 489 s,
  // kept; among 100 fleets t(0.99975, 7) = 6.08 leaves 630 s, open.
  CHECK(least({fleet(4, 2, 400.0, 100.0)}).high.fleet == "4+2");
  std::vector<CandidateResult> many{fleet(4, 2, 400.0, 100.0)};
  for (int i = 0; i < 99; ++i) many.push_back(fleet(1, 1, 5000.0, 1.0));
  CHECK(least(many).high.fleet.empty());
  CHECK(least(many).low.fleet == "4+2");
}

TEST_CASE("other objectives have no least fleet") {
  StudyResult study;
  study.candidates = {fleet(4, 2, 300.0, 1.0)};
  study.objective = "time_to_result";
  CHECK(least_fleets(base(), study).empty());
}
