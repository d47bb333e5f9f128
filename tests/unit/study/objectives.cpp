// What fleets are ranked by.
#include "sim/study/objectives/objective.hpp"

#include <nlohmann/json.hpp>

#include "sim/study/export.hpp"
#include "sim/study/selection.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

CandidateResult fleet(double share, double per_week, int n = 20) {
  CandidateResult c;
  c.label = fmt::format("F{:.0f}", 100.0 * share);
  c.sharing = SharingRule::overflow;
  c.share = share;
  c.keeps = Keeps::surely;
  c.counts = {1, 1};
  c.results_per_week = per_week;
  c.metrics["results_per_week"] =
      summarise(std::vector<double>(static_cast<std::size_t>(n), per_week), "1/week");
  return c;
}

/// Fleets that are ranked by results a week, each the same in all replications.
StudyResult by_results(const std::vector<std::pair<double, double>>& fleets, Scenario& base) {
  base = made_up::scenario(4, 2);
  base.scheduler.sharing = SharingRule::overflow;
  base.study.objective = "results_per_week";
  StudyResult s;
  s.objective = base.study.objective;
  s.pool_names = {"proto", "scale"};
  s.scale_pool = "scale";
  s.replications = 20;
  std::vector<CandidateValues> ranked;
  for (const auto& [share, rate] : fleets) {
    std::vector<double> scores;
    for (int r = 0; r < 20; ++r) scores.push_back(-(rate + (r % 2 == 0 ? 0.01 : -0.01)));
    ranked.push_back({static_cast<int>(s.candidates.size()), scores});
    s.candidates.push_back(fleet(share, rate));
  }
  s.best_sets.push_back(select_best(SharingRule::overflow, base.study.prototypes_per_result, ranked, 0.02));
  s.best_sets.back().band = judge_band_of(s, SharingRule::overflow, ranked);
  conclude(base, s);
  return s;
}

}  // namespace

TEST_CASE("every objective has a name of its own, and no other name is one") {
  for (const Objective* one : objectives()) CHECK(find_objective(one->name) == one);
  CHECK(find_objective("time_to_result") == &kTimeToResult);
  CHECK(find_objective("results_per_week") == &kResultsPerWeek);
  CHECK(find_objective("results") == nullptr);
  CHECK(std::string(StudySpec{}.objective) == kTimeToResult.name);
}

TEST_CASE("results a week are scored below 0, so that more is better") {
  RunResult run = made_up::run(1.0, 2.0);  // 5 results a week
  const Scenario s = made_up::scenario(1, 1);
  CHECK(kResultsPerWeek.scores(CandidateResult{}, s, {run}, 10.0) == std::vector<double>{-5.0});
  // k T_prototype + T_result = 10 x 1 h + 2 h
  CHECK(kTimeToResult.scores(CandidateResult{}, s, {run}, 10.0)[0] == Approx(12.0));
}

TEST_CASE("a score below 0 is worse by the part of the best that is missing") {
  // 4 of 5 results a week: 20 % fewer; -4 against -5 as times would be -20 %.
  const std::vector<double> four(6, -4.0), five(6, -5.0);
  const RelativeDifference d = paired_difference(four, five, 0.95);
  CHECK(d.percent == Approx(20.0));
  CHECK(d.low == Approx(20.0));
  CHECK(paired_difference({4.0, 4.0}, {5.0, 5.0}, 0.95).percent == Approx(-20.0));
}

TEST_CASE("the fleet with most results a week is best, and the verdict says what is ranked") {
  Scenario base;
  const StudyResult s = by_results({{0.10, 4.0}, {0.27, 4.9}, {0.47, 5.0}, {0.80, 3.0}}, base);
  const BestSet& set = s.best_sets[0];
  CHECK(s.candidates[static_cast<std::size_t>(set.best)].label == "F47");
  REQUIRE(set.differences.size() == 4);
  CHECK(set.differences[0].percent == Approx(20.0));
  CHECK(set.differences[3].percent == Approx(40.0));
  CHECK(set.members == std::vector<int>{2});  // 2 % fewer is not surely within 2 %
  CHECK(recommend(base, s).candidate == 2);
  CHECK(s.verdict.find("ranked by results a week") != std::string::npos);
  CHECK(s.verdict.find("5.00 results a week") != std::string::npos);
  CHECK(s.verdict.find("delivers 2.0 % fewer results") != std::string::npos);
  CHECK(s.verdict.find("k = ") == std::string::npos);
  const auto j = nlohmann::json::parse(study_json(base, s, {"test", "0", ""}));
  CHECK(j["objective"]["name"] == "results_per_week");
  CHECK(j["objective"]["k"].is_null());
  CHECK(j["objective"]["larger_is_better"] == true);
  CHECK(j["best_sets"][0]["k"].is_null());
  CHECK(candidates_csv(base, s).find(",standing_results_per_week,") != std::string::npos);
}

TEST_CASE("without a fleet in the band that keeps up the rule is refuted by results too") {
  Scenario base;
  CHECK(by_results({{0.10, 4.0}, {0.27, 4.0}, {0.47, 5.0}}, base).rule_status == "refuted");
  CHECK(by_results({{0.10, 4.0}, {0.27, 5.0}, {0.47, 4.0}}, base).rule_status == "holds");
}

TEST_CASE("the purchase is the same in every replication, so the dearer fleet is surely worse") {
  Scenario base = made_up::scenario(4, 2);
  base.study.objective = "capex";
  StudyResult s;
  s.objective = "capex";
  s.pool_names = {"proto", "scale"};
  s.scale_pool = "scale";
  s.replications = 2;
  std::vector<CandidateValues> ranked;
  const std::vector<RunResult> runs(2, made_up::run(1.0, 2.0));
  for (const auto& [share, price] : {std::pair{0.27, 50'500.0}, {0.47, 50'000.0}, {0.60, 60'000.0}}) {
    CandidateResult c = fleet(share, 5.0);
    c.capex = usd(price);
    ranked.push_back({static_cast<int>(s.candidates.size()), kCapex.scores(c, base, runs, 10.0)});
    s.candidates.push_back(c);
  }
  s.best_sets.push_back(
      select_best(SharingRule::overflow, base.study.prototypes_per_result, ranked, 0.02, 0.0, true));
  s.best_sets.back().band = judge_band_of(s, SharingRule::overflow, ranked);
  conclude(base, s);
  CHECK(s.best_sets[0].best == 1);
  CHECK(s.best_sets[0].members == std::vector<int>{0, 1});  // 1 % dearer is practically the same
  CHECK(s.best_sets[0].undecided.empty());
  CHECK(s.best_sets[0].differences[2].percent == Approx(20.0));
  CHECK(s.rule_status == "holds");
  CHECK(s.verdict.find("F47: 50,000 USD") != std::string::npos);
  CHECK(s.verdict.find("costs 1.0 % more") != std::string::npos);
}
