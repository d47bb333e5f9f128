// The Pareto front of a study: figures, directions, who is left out, files.
#include "sim/study/front.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/study/export.hpp"
#include "sim/study/front_figures.hpp"
#include "sim/study/front_json.hpp"
#include "sim/study/front_judgement.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// Fleets by capex, and their p95 wait in seconds by replication.
struct MadeFront {
  Scenario base;
  StudyResult study;
  std::vector<FrontSample> samples;
};

MadeFront by_wait_and_price(const std::vector<std::pair<double, std::vector<double>>>& fleets) {
  MadeFront made;
  made.base = made_up::scenario(4, 2);
  made.base.study.front = {{"wait_s_p95", ClassId{0}, {}, "wait_s_p95(prototype)"},
                           {"capex", {}, {}, "capex"}};
  made.study.objective = "capex";
  made.study.pool_names = {"proto", "scale"};
  made.study.scale_pool = "scale";
  for (const auto& [price, waits] : fleets) {
    CandidateResult c;
    c.label = fmt::format("F{}", made.study.candidates.size());
    c.counts = {1, 1};
    c.capex = usd(price);
    c.classes = {{"prototype", {{"wait_s_p95", summarise(waits, "s")}}}};
    made.study.candidates.push_back(c);
    made.samples.push_back({waits, std::vector<double>(waits.size(), price)});
  }
  return made;
}

FrontStanding standing(const Front& front, int candidate) {
  return find_on_front(front, candidate)->standing;
}

}  // namespace

TEST_CASE(
    "A dearer fleet is on the front when it surely waits less, and dominated when it surely waits longer") {
  const MadeFront made =
      by_wait_and_price({{100.0, {50.0, 60.0, 55.0, 53.0}},
                         {200.0, {10.0, 20.0, 15.1, 13.0}},    // about 40 s less
                         {300.0, {20.0, 30.0, 25.3, 23.0}}});  // about 10 s more than the second
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  REQUIRE(front.rules.size() == 1);
  CHECK(standing(front, 0) == FrontStanding::on_front);  // nobody is as cheap
  CHECK(standing(front, 1) == FrontStanding::on_front);
  CHECK(standing(front, 2) == FrontStanding::dominated);
  CHECK(find_on_front(front, 2)->by == full_label(made.study.candidates[1]));
  CHECK(find_on_front(front, 2)->rivals == 1);
  // 3 pairs, one figure that needs an interval: 0.05 / 3.
  CHECK(front.rules[0].comparison_error == Approx(0.05 / 3.0));
  CHECK(front.axes[1].exact);
  CHECK(front.axes[0].unit == "s");
}

TEST_CASE(
    "A difference that may be nothing leaves the dearer fleet undecided, with the one that may dominate it") {
  const MadeFront made = by_wait_and_price({{100.0, {50.0, 60.0, 55.0}}, {200.0, {49.0, 61.0, 54.0}}});
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  CHECK(standing(front, 0) == FrontStanding::on_front);
  CHECK(standing(front, 1) == FrontStanding::undecided);
  CHECK(find_on_front(front, 1)->by == full_label(made.study.candidates[0]));
}

TEST_CASE(
    "Equal in both figures: neither dominates the other; equal in one and worse in the other: dominated") {
  // 6 pairs at 0.05 / 6: eight equal differences prove it, 2^-7 = 0.0078; seven do not.
  const auto made_of = [](std::size_t n) {
    std::vector<double> waits, longer;
    for (std::size_t r = 0; r < n; ++r) waits.push_back(5.0 + static_cast<double>(r % 2));
    for (const double wait : waits) longer.push_back(wait + 2.0);
    return by_wait_and_price({{100.0, waits}, {100.0, waits}, {120.0, waits}, {100.0, longer}});
  };
  const MadeFront few = made_of(7);
  for (int f = 0; f < 4; ++f)
    CHECK(standing(lay_out_front(few.base, few.study, few.samples, 1), f) == FrontStanding::undecided);
  const MadeFront made = made_of(8);
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  CHECK(standing(front, 0) == FrontStanding::on_front);
  CHECK(standing(front, 1) == FrontStanding::on_front);
  CHECK(standing(front, 2) == FrontStanding::dominated);
  CHECK(standing(front, 3) == FrontStanding::dominated);
}

TEST_CASE("One replication decides nothing but what is exact") {
  const MadeFront made = by_wait_and_price({{100.0, {50.0}}, {200.0, {10.0}}});
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  CHECK(standing(front, 0) == FrontStanding::on_front);
  CHECK(standing(front, 1) == FrontStanding::undecided);
}

TEST_CASE(
    "Fleets without a figure, with an infinite one or with a broken constraint are left out with the "
    "reason") {
  MadeFront made = by_wait_and_price(
      {{100.0, {kNan, kNan}}, {90.0, {5.0, kInfinity}}, {80.0, {1.0, 1.0}}, {200.0, {50.0, kNan, 51.0}}});
  made.study.candidates[2].feasible = false;
  made.study.candidates[2].reasons = {"saturated: the backlog grows"};
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  CHECK(find_on_front(front, 0)->reason == "wait_s_p95(prototype) is not defined in any replication");
  CHECK(find_on_front(front, 1)->reason == "wait_s_p95(prototype) is infinite in a replication");
  CHECK(find_on_front(front, 2)->reason == "saturated: the backlog grows");
  CHECK(standing(front, 3) == FrontStanding::on_front);  // alone
  CHECK(find_on_front(front, 3)->values[0].n == 2);
}

TEST_CASE("Of a figure of which more is better the larger one is on the front") {
  MadeFront made = by_wait_and_price({{100.0, {1.0, 1.1}}, {100.0, {2.0, 2.11}}});
  made.base.study.front[0] = {"results_per_week", {}, {}, "results_per_week"};
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  CHECK(front.axes[0].larger_is_better);
  CHECK(standing(front, 0) == FrontStanding::dominated);
  CHECK(standing(front, 1) == FrontStanding::on_front);
  CHECK(find_on_front(front, 1)->values[0].mean == Approx(2.055));  // shown as it is
}

TEST_CASE("Fleets are compared over the replications that both have, and looks widen every interval") {
  // Over the two replications that they share the second is about 1 behind; its later ones do not count.
  const std::vector<FrontScores> fleets = {
      {std::vector<double>{1.0, 5.0}, std::vector<double>{1.0, 5.0}},
      {std::vector<double>{2.0, 6.1, 0.0}, std::vector<double>{2.0, 6.1, 0.0}}};
  const auto judged = judge_front(fleets, {false, false}, 0.05);
  CHECK(judged[0].standing == FrontStanding::on_front);
  CHECK(judged[1].standing == FrontStanding::dominated);
  // 0.05 / (pairs x figures x looks)
  CHECK(front_error(2, {false, false}, 1, 0.95) == Approx(0.05 / 2.0));
  CHECK(front_error(5, {false, true}, 4, 0.95) == Approx(0.05 / 40.0));
  CHECK(front_error(5, {true, true}, 4, 0.95) == 0.0);
  CHECK(front_error(1, {false, false}, 1, 0.95) == 0.0);
}

TEST_CASE("Sharing rules have fronts of their own") {
  MadeFront made = by_wait_and_price({{100.0, {50.0, 51.0}}, {200.0, {50.0, 51.0}}});
  made.study.candidates[1].sharing = SharingRule::one_pool;
  const Front front = lay_out_front(made.base, made.study, made.samples, 1);
  REQUIRE(front.rules.size() == 2);
  CHECK(standing(front, 0) == FrontStanding::on_front);
  CHECK(standing(front, 1) == FrontStanding::on_front);
}

TEST_CASE("A front survives its JSON, and candidates.csv has its column only where a front is asked for") {
  MadeFront made = by_wait_and_price({{100.0, {50.0, 60.0, 55.0}}, {200.0, {49.0, 61.0, 54.0}}});
  const auto head = [&] {
    const std::string csv = candidates_csv(made.base, made.study);
    return csv.substr(0, csv.find('\n'));
  };
  CHECK(head().find(",front") == std::string::npos);
  made.study.front = lay_out_front(made.base, made.study, made.samples, 3);
  CHECK(head().find(",unpriced_items,front,") != std::string::npos);
  CHECK(candidates_csv(made.base, made.study).find(",on the front,") != std::string::npos);
  const auto json = front_json(*made.study.front);
  CHECK(front_json(front_from_json(json)) == json);
  CHECK_THROWS_AS(front_from_json({{"axes", 1}}), std::runtime_error);
}

TEST_CASE("The cost of a year, averaged over replications, is the study's cost over its years") {
  const Scenario scenario = made_up::scenario(4, 2);
  std::vector<RunResult> runs = {made_up::run(2.0, 10.0), made_up::run(2.0, 10.0)};
  runs[1].metrics.pools[0].utilisation_allocated = 0.9;
  const CandidateResult fleet = summarise_candidate(scenario, runs, {10.0});
  const auto costs = front_values({kCostPerYear, {}, {}, kCostPerYear}, fleet, scenario, runs);
  REQUIRE(costs.size() == 2);
  CHECK(costs[1] > costs[0]);  // a busier pool draws more
  CHECK((costs[0] + costs[1]) / 2.0 ==
        Approx(to_usd(fleet.three_year_cost) / scenario.economics.years).margin(0.02));
}

TEST_CASE("The rent of jobs that burst is in the cost of a year") {
  Scenario scenario = made_up::scenario(4, 2);
  std::vector<RunResult> runs = {made_up::run(2.0, 10.0)};
  const auto cost = [&] {
    const CandidateResult fleet = summarise_candidate(scenario, runs, {10.0});
    const double year = front_values({kCostPerYear, {}, {}, kCostPerYear}, fleet, scenario, runs).at(0);
    CHECK(year == Approx(to_usd(fleet.three_year_cost) / scenario.economics.years).margin(0.02));
    return year;
  };
  const double without = cost();
  BurstSpec burst;
  burst.rate.value = usd(std::int64_t{3});
  scenario.scheduler.burst = burst;
  runs[0].metrics.all.values.push_back({"burst_gpu_hours", "GPU h", 100.0});
  // 100 GPU-hours of the window, 8760 h a year over those of the window, 3 USD each
  const double rent = 100.0 * 8760.0 / to_hours(scenario.time.measure) * 3.0;
  CHECK(cost() == Approx(without + rent).margin(0.02));
}

TEST_CASE("Every objective and every metric of a run can be laid out, in its own direction") {
  const Scenario scenario = made_up::scenario(4, 2);
  const std::vector<RunResult> runs = {made_up::run(2.0, 10.0)};
  const CandidateResult fleet = summarise_candidate(scenario, runs, {10.0});
  const auto one = [&](const char* name, std::optional<ClassId> job_class = {}) {
    return front_values({name, job_class, {}, name}, fleet, scenario, runs).at(0);
  };
  CHECK(one("time_to_result") == Approx(30.0));  // 10 x 2 h + 10 h
  CHECK(one("time_to_result_s") == Approx(30.0 * 3600.0));
  CHECK(one("results_per_week") == 5.0);  // as it is, not as a score
  CHECK(one("capex") == to_usd(fleet.capex));
  CHECK(one("wait_s_p95", ClassId{1}) == 7200.0);
  CHECK(std::isnan(one("no_such_metric")));
  CHECK(front_axis({"results_per_week", {}, {}, ""}, {fleet}).larger_is_better);
  CHECK_FALSE(front_axis({"wait_s_p95", ClassId{1}, {}, ""}, {fleet}).larger_is_better);
  CHECK(front_axis({"wait_s_p95", ClassId{1}, {}, ""}, {fleet}).unit == "s");
  CHECK(front_axis({"time_to_result", {}, {}, ""}, {fleet}).unit == "h");
}
