#include "sim/study/constraints.hpp"

#include <limits>

#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

std::vector<RunResult> runs(int n) {
  std::vector<RunResult> all;
  for (int r = 0; r < n; ++r) all.push_back(made_up::run(2.0, 20.0 + r));
  return all;
}

void set_metric(std::vector<RunResult>& all, const std::string& name, double value) {
  for (RunResult& r : all) {
    for (Metric& m : r.metrics.all.values) {
      if (m.name == name) m.value = value;
    }
  }
}

CandidateResult judged(const Scenario& scenario, const std::vector<RunResult>& all) {
  return summarise_candidate(scenario, all, objective_ks(scenario));
}

}  // namespace

TEST_CASE("a fleet that serves everything is feasible") {
  const CandidateResult c = judged(made_up::scenario(4, 2), runs(4));
  CHECK(c.feasible);
  CHECK(c.reasons.empty());
  CHECK_FALSE(c.saturated);
  CHECK_FALSE(c.end_point);
}

TEST_CASE("unserved work and unfinished jobs above 1 % break built-in constraints") {
  std::vector<RunResult> all = runs(4);
  set_metric(all, "unserved_share", 0.01);
  CHECK(judged(made_up::scenario(4, 2), all).feasible);
  set_metric(all, "unserved_share", 0.0101);
  CHECK_FALSE(judged(made_up::scenario(4, 2), all).feasible);
  all = runs(4);
  set_metric(all, "unfinished_tagged_share", 0.5);
  const CandidateResult c = judged(made_up::scenario(4, 2), all);
  CHECK_FALSE(c.feasible);
  REQUIRE(c.reasons.size() == 1);
  CHECK_THAT(c.reasons[0], Catch::Contains("50.0 %"));
}

TEST_CASE("a metric that is nowhere defined breaks its constraint") {
  std::vector<RunResult> all = runs(4);
  set_metric(all, "unserved_share", std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(judged(made_up::scenario(4, 2), all).feasible);
}

TEST_CASE("a pool whose backlog surely grows makes the fleet saturated") {
  std::vector<RunResult> all = runs(4);
  // 3, 4, 5, 6 %: mean 4.5 %, sd 1.29, half = 3.182 * 1.29 / 2 = 2.05: surely above 1 %
  for (std::size_t r = 0; r < 4; ++r)
    all[r].metrics.pools[0].backlog_growth = 0.03 + 0.01 * static_cast<double>(r);
  CandidateResult c = judged(made_up::scenario(4, 2), all);
  CHECK(c.saturated);
  CHECK_FALSE(c.feasible);
  REQUIRE(c.reasons.size() == 1);
  CHECK_THAT(c.reasons[0], Catch::Contains("pool proto") && Catch::Contains("4.5 %"));
  // -20, 30, -20, 30 %: mean 5 %, but the interval holds 0
  for (std::size_t r = 0; r < 4; ++r) all[r].metrics.pools[0].backlog_growth = r % 2 == 0 ? -0.2 : 0.3;
  CHECK_FALSE(judged(made_up::scenario(4, 2), all).saturated);
  // always 0.9 %: sure, but below the limit
  // Surely above zero, not surely above the limit of 1 %: 1.1 % +- 0.5 %, the rest of a warm-up.
  for (std::size_t r = 0; r < 4; ++r) all[r].metrics.pools[0].backlog_growth = r % 2 == 0 ? 0.008 : 0.014;
  CHECK_FALSE(judged(made_up::scenario(4, 2), all).saturated);
  for (RunResult& r : all) r.metrics.pools[0].backlog_growth = 0.009;
  CHECK_FALSE(judged(made_up::scenario(4, 2), all).saturated);
  // one replication has no interval: its value decides
  all.resize(1);
  all[0].metrics.pools[0].backlog_growth = 0.03;
  CHECK(judged(made_up::scenario(4, 2), all).saturated);
}

TEST_CASE("strict sharing with an empty pool is an end point, overflow rescues prototypes only") {
  Scenario s = made_up::scenario(4, 0);
  s.scheduler.sharing = SharingRule::strict;
  CHECK(homeless_classes(s) == std::vector<ClassId>{ClassId{1}});
  const CandidateResult c = judged(s, runs(4));
  CHECK(c.end_point);
  CHECK_FALSE(c.feasible);
  CHECK_THAT(c.reasons[0], Catch::Contains("result") && Catch::Contains("partition scale"));

  s = made_up::scenario(0, 4);
  s.scheduler.sharing = SharingRule::strict;
  CHECK(homeless_classes(s) == std::vector<ClassId>{ClassId{0}});
  s.scheduler.sharing = SharingRule::overflow;
  CHECK(homeless_classes(s).empty());
  s.scheduler.sharing = SharingRule::one_pool;
  CHECK(homeless_classes(s).empty());
  s = made_up::scenario(4, 0);
  s.scheduler.sharing = SharingRule::overflow;
  CHECK(homeless_classes(s) == std::vector<ClassId>{ClassId{1}});
}

TEST_CASE("the scenario's own constraints compare the mean over replications with their bound") {
  Scenario s = made_up::scenario(4, 2);
  // wait_s_p95(result) = 7200 s = 2 h in each replication
  s.study.constraints = {{"wait_s_p95", ClassId{1}, true, 7200.0, "wait_s_p95(result) <= 2 h"}};
  CHECK(judged(s, runs(4)).feasible);
  s.study.constraints[0].bound = 7199.0;
  const CandidateResult c = judged(s, runs(4));
  CHECK_FALSE(c.feasible);
  CHECK(c.reasons == std::vector<std::string>{"wait_s_p95(result) <= 2 h: mean 2.00 h"});
  s.study.constraints = {{"results_per_week", std::nullopt, false, 6.0, "results_per_week >= 6"}};
  CHECK_FALSE(judged(s, runs(4)).feasible);
  s.study.constraints = {{"no_such", std::nullopt, true, 6.0, "no_such <= 6"}};
  CHECK_THAT(judged(s, runs(4)).reasons.at(0), Catch::Contains("not defined"));
}

TEST_CASE("constraints are kept or broken only where an interval leaves no doubt") {
  Scenario s = made_up::scenario(4, 2);
  // Nothing is unserved, unfinished or left behind in any replication: 2^(1 - n) <= 0.01 needs eight.
  CHECK(keeps_constraints(s, judged(s, runs(7))) == Keeps::open);
  CHECK(keeps_constraints(s, judged(s, runs(8))) == Keeps::surely);
  std::vector<RunResult> all = runs(10);
  const auto unserved = [&](double even, double odd) {
    for (std::size_t r = 0; r < all.size(); ++r)
      for (Metric& m : all[r].metrics.all.values)
        if (m.name == "unserved_share") m.value = r % 2 == 0 ? even : odd;
    return keeps_constraints(s, judged(s, all));
  };
  // sd of a +- d is d sqrt(10 / 9), that of the mean d / 3. Kept at 0.01: t(0.99, 9) = 2.821, half 0.940 d;
  // broken at 0.01 over four bounds (two pools): t(0.9975, 9) = 3.690, half 1.230 d
  CHECK(unserved(0.0082, 0.0102) == Keeps::open);    // 0.92 % + 0.094 %: upper end 1.014 %
  CHECK(unserved(0.0080, 0.0100) == Keeps::surely);  // 0.90 % + 0.094 %: 0.994 %
  CHECK(unserved(0.0105, 0.0125) == Keeps::broken);  // 1.15 % - 0.123 %: 1.03 %
  CHECK(unserved(0.0100, 0.0120) == Keeps::open);    // 1.10 % - 0.123 %: 0.98 %
  CHECK(unserved(0.0, 0.0) == Keeps::surely);
  // A class that can run nowhere is a fact.
  s = made_up::scenario(4, 0);
  s.scheduler.sharing = SharingRule::strict;
  CHECK(keeps_constraints(s, judged(s, runs(2))) == Keeps::broken);
}

TEST_CASE("no result in a few replications is a chance, in many it is sure") {
  const Scenario s = made_up::scenario(4, 2);
  const auto without = [&](int n) {
    std::vector<RunResult> all = runs(n);
    for (RunResult& r : all) r.metrics.classes[1].values[0].value = std::numeric_limits<double>::quiet_NaN();
    return keeps_constraints(s, judged(s, all));
  };
  CHECK(without(7) == Keeps::open);  // 2^-6 = 1.6 %
  CHECK(without(8) == Keeps::broken);
}

TEST_CASE("a cap of a year is kept only when it is at the most that the pools may be used") {
  Scenario s = made_up::scenario(4, 2);
  std::vector<RunResult> all = runs(10);
  for (std::size_t r = 0; r < all.size(); ++r)
    all[r].metrics.pools[0].utilisation_allocated = r % 2 == 0 ? 0.2 : 0.8;
  const CandidateResult c = judged(s, all);
  const auto first_year = [&](double busy) {
    const std::vector<double> use{busy, c.pool_utilisation[1].mean};
    return cost_by_year(s, bill_of_materials(s), {mean_power(s, use), 0.0}).total_by_year.at(0);
  };
  const Money low = first_year(c.pool_utilisation[0].ci95_low),
              high = first_year(c.pool_utilisation[0].ci95_high);
  REQUIRE(low < high);
  s.economics.budget_by_year = {high};
  CHECK(keeps_constraints(s, c) == Keeps::surely);
  s.economics.budget_by_year = {high - usd(std::int64_t{1})};
  CHECK(keeps_constraints(s, c) == Keeps::open);
  s.economics.budget_by_year = {low - usd(std::int64_t{1})};
  CHECK(keeps_constraints(s, c) == Keeps::broken);
}

TEST_CASE("a fleet without a single result is not ranked") {
  std::vector<RunResult> all = runs(3);
  for (RunResult& r : all) r.metrics.classes[1].values[0].value = std::numeric_limits<double>::quiet_NaN();
  const CandidateResult c = judged(made_up::scenario(4, 2), all);
  CHECK_FALSE(c.feasible);
  CHECK(c.objective[0].hours.n == 0);
}

TEST_CASE("the objective is k prototype turnarounds plus one result turnaround, in hours") {
  const Scenario s = made_up::scenario(4, 2);
  // k: 1, 10 (the scenario's), 1 / 0.05 = 20
  CHECK(objective_ks(s) == std::vector<double>{1.0, 10.0, 20.0});
  std::vector<RunResult> all = runs(3);
  // k = 10: 10 * 2 + (20, 21, 22) = 40, 41, 42
  CHECK(times_to_result(s, all, 10.0)[2] == Approx(42.0));
  const CandidateResult c = judged(s, all);
  CHECK(c.label == "4+2");
  CHECK(c.objective[1].k == 10.0);
  CHECK(c.objective[1].hours.mean == Approx(41.0));
  CHECK(c.metrics.at("time_to_result_s").mean == Approx(41.0 * 3600.0));
  CHECK(c.states.at("completed") == 300);
  CHECK(c.states.count("dormant") == 0);
  CHECK(c.pool_utilisation[1].mean == Approx(0.25));
  CHECK(c.metrics.at("utilisation_allocated(scale)").mean == Approx(0.25));
  CHECK(c.results_per_week == Approx(5.0));
  // node money: 4 * 10 000 + 2 * 20 000; share of the last pool 40 000 / 80 000
  CHECK(c.share == Approx(0.5));
  CHECK(c.capex + c.unspent.value() == s.budget);
  // a replication without a result is left out and counted
  all[0].metrics.classes[1].values[0].value = std::numeric_limits<double>::quiet_NaN();
  CHECK(judged(s, all).objective[1].hours.n == 2);
}

TEST_CASE("k values are ascending without repeats, and need a class that promotes") {
  Scenario s = made_up::scenario(4, 2);
  s.study.prototypes_per_result = 20.0;
  CHECK(objective_ks(s) == std::vector<double>{1.0, 20.0});
  s.workload.classes[0].promotes_to.reset();
  CHECK(objective_ks(s).empty());
}
