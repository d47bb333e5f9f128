#include "sim/study/verdict.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/study/export.hpp"
#include "sim/study/selection.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

struct Fleet {
  double share, hours, swing;
  bool feasible = true;
};

/// One sharing rule after the other, each with these fleets; 20 replications, k = 10.
StudyResult study(const std::vector<std::pair<SharingRule, std::vector<Fleet>>>& rules) {
  StudyResult s;
  s.ks = {10.0};
  s.pool_names = {"proto", "scale"};
  s.scale_pool = "scale";
  s.replications = 20;
  s.demand.load = 0.5;
  s.demand.s = 0.3;
  for (const auto& [rule, fleets] : rules) {
    std::vector<CandidateValues> ranked, all;
    for (const Fleet& f : fleets) {
      std::vector<double> hours;
      for (int r = 0; r < 20; ++r) hours.push_back(f.hours + (r % 2 == 0 ? f.swing : -f.swing));
      CandidateResult c;
      c.label = fmt::format("F{:.0f}", 100.0 * f.share);
      c.sharing = rule;
      c.share = f.share;
      c.counts = {1, 1};
      c.feasible = f.feasible;
      c.keeps = f.feasible ? Keeps::surely : Keeps::broken;
      if (!f.feasible) c.reasons = {"saturated, \"really\""};
      c.results_per_week = 10.0 * f.share;
      c.objective = {{10.0, summarise(hours, "h")}};
      all.push_back({static_cast<int>(s.candidates.size()), hours});
      if (f.feasible) ranked.push_back({static_cast<int>(s.candidates.size()), hours});
      s.candidates.push_back(c);
    }
    s.best_sets.push_back(select_best(rule, 10.0, ranked, 0.02));
    s.best_sets.back().band = judge_band_of(s, rule, all);
  }
  conclude(made_up::scenario(4, 2), s);  // its own rule is overflow, its k is 10
  return s;
}

constexpr auto kOwn = SharingRule::overflow;

}  // namespace

TEST_CASE("the rule holds when a fleet in the band is in the best set") {
  const StudyResult s = study({{kOwn, {{0.10, 90, 0}, {0.27, 61, 0}, {0.37, 60.5, 0}, {0.9, 80, 0}}}});
  CHECK(s.rule_status == "holds");
  CHECK(s.s_low == 0.20);
  CHECK(s.s_high == 0.34);
  // 61 / 60.5 - 1 = 0.826 %
  CHECK(s.loss_percent.mean == Approx(0.8264).epsilon(1e-3));
  CHECK_THAT(s.verdict,
             Catch::Contains("66-80 / 20-33 holds while scale-up is between 20 and 34 % of the demand's "
                             "money (s), at these prices") &&
                 Catch::Contains("not yet simulated") && Catch::Contains("s = 30 %") &&
                 Catch::Contains("load 0.50") && Catch::Contains("overflow") && Catch::Contains("k = 10") &&
                 Catch::Contains("the rule holds") && Catch::Contains("27-37 % of node money on scale") &&
                 Catch::Contains("F27"));
}

TEST_CASE("the rule is refuted when every fleet in the band is surely and practically worse") {
  const StudyResult s = study({{kOwn, {{0.22, 90, 1}, {0.27, 71, 1}, {0.55, 60, 0}, {0.9, 60.1, 0}}}});
  CHECK(s.rule_status == "refuted");
  // the better of the two in the band: 71 / 60 - 1 = 18.33 %
  CHECK(s.loss_percent.mean == Approx(18.333).epsilon(1e-3));
  CHECK(s.loss_percent.ci95_low < s.loss_percent.mean);
  CHECK_THAT(s.verdict,
             Catch::Contains("refuted") && Catch::Contains("18.3 % longer") && Catch::Contains("55-90 %"));
}

TEST_CASE("the rule is refuted when every fleet in the band breaks a constraint") {
  const StudyResult s = study({{kOwn, {{0.27, 50, 0, false}, {0.55, 60, 0}}}});
  CHECK(s.rule_status == "refuted");
  CHECK(std::isnan(s.loss_percent.mean));
  CHECK_THAT(s.verdict, Catch::Contains("breaks a constraint"));
}

TEST_CASE("the rule is undecided when the interval is too wide or the band is empty") {
  const StudyResult wide = study({{kOwn, {{0.27, 61, 30}, {0.55, 60, 0}}}});
  CHECK(wide.rule_status == "undecided");
  CHECK_THAT(wide.verdict, Catch::Contains("undecided"));
  const StudyResult none = study({{kOwn, {{0.10, 61, 0}, {0.55, 60, 0}}}});
  CHECK(none.rule_status == "undecided");
  CHECK_THAT(none.verdict, Catch::Contains("no fleet under this budget lies in the band"));
}

TEST_CASE("a fleet outside the band that may be far better keeps the rule open, and is named") {
  // F27 is surely as good as F37, but F55 lies anywhere about 61 h.
  const StudyResult s = study({{kOwn, {{0.27, 60, 0.1}, {0.37, 60.2, 0}, {0.55, 61, 30}}}});
  CHECK(s.best_sets[0].best == 0);
  CHECK(s.rule_status == "undecided");
  CHECK(s.rule_open == std::vector<std::string>{"F27 overflow", "F55 overflow"});
  CHECK_THAT(s.verdict, Catch::Contains("the rule is kept open by F27, F55"));
  const auto json = nlohmann::json::parse(study_json(made_up::scenario(4, 2), s, {"0.1.0", "abc", "{}"}));
  CHECK(json.at("rule").at("open") == nlohmann::json({"F27 overflow", "F55 overflow"}));
  CHECK(json.at("candidates").at(0).at("constraints") == "kept");
}

TEST_CASE("a fleet in the band that breaks a constraint by its mean alone does not refute the rule") {
  StudyResult s = study({{kOwn, {{0.27, 50, 0, false}, {0.55, 60, 0}}}});
  std::vector<CandidateValues> all{{0, std::vector<double>(20, 50.0)}, {1, std::vector<double>(20, 60.0)}};
  s.candidates[0].keeps = Keeps::open;
  s.best_sets[0].band = judge_band_of(s, kOwn, all);
  conclude(made_up::scenario(4, 2), s);
  CHECK(s.rule_status == "undecided");
  CHECK_THAT(s.verdict, Catch::Contains("breaks a constraint by its mean, not all of them surely"));
  // Slower than the best by more than the zone it does not matter.
  all[0].values.assign(20, 70.0);
  s.best_sets[0].band = judge_band_of(s, kOwn, all);
  conclude(made_up::scenario(4, 2), s);
  CHECK(s.rule_status == "refuted");
}

TEST_CASE("a fleet in the band that is compared with none outside it proves nothing") {
  const StudyResult s = study({{SharingRule::overflow, {{0.27, 100.0, 1.0}}}});
  CHECK(judge_rule(s, s.best_sets[0]).status == "undecided");
}

TEST_CASE("one replication leaves the rule undecided") {
  StudyResult s = study({{kOwn, {{0.27, 50, 0, false}, {0.55, 60, 0}}}});
  s.replications = 1;
  CHECK(judge_rule(s, s.best_sets[0]).status == "undecided");
}

TEST_CASE("without a feasible fleet nothing is ranked on time; most results a week is recommended") {
  const StudyResult s = study({{kOwn, {{0.10, 61, 0, false}, {0.55, 60, 0, false}}}});
  CHECK(s.rule_status == "undecided");
  CHECK(s.best_sets[0].best == -1);
  const Recommendation r = recommend(made_up::scenario(4, 2), s);
  CHECK_FALSE(r.feasible);
  CHECK(r.candidate == 1);
  CHECK_THAT(s.verdict, Catch::Contains("none is ranked on time") && Catch::Contains("F55"));
}

TEST_CASE("the verdict says what changes with other sharing rules") {
  const StudyResult s = study({{SharingRule::strict, {{0.27, 60, 0}, {0.55, 70, 0}}},
                               {kOwn, {{0.27, 70, 0}, {0.55, 60, 0}}},
                               {SharingRule::one_pool, {{0.27, 50, 0, false}, {0.55, 60, 0, false}}}});
  CHECK(s.rule_status == "refuted");
  CHECK_THAT(s.verdict, Catch::Contains("With strict the rule holds") &&
                            Catch::Contains("with one-pool no fleet is feasible"));
  CHECK(recommend(made_up::scenario(4, 2), s).candidate == 3);
  CHECK(full_label(s.candidates[3]) == "F55 overflow");
}

TEST_CASE("study.json holds what is promised, and null for what is not defined") {
  StudyResult s = study({{kOwn, {{0.27, 61, 0}, {0.37, 60.5, 0}, {0.9, 80, 0, false}}}});
  s.candidates[0].metrics["x"] = summarise({std::numeric_limits<double>::quiet_NaN()}, "h");
  const auto json =
      nlohmann::json::parse(study_json(made_up::scenario(4, 2), s, {"0.1.0", "abc", R"({"kind": "study"})"}));
  CHECK(json.at("best") == nlohmann::json({"F27 overflow", "F37 overflow"}));
  CHECK(json.at("scenario").at("sha256") == "abc");
  CHECK(json.at("verdict") == s.verdict);
  CHECK(json.at("rule").at("status") == "holds");
  CHECK(json.at("rule").at("band") == nlohmann::json({0.20, 0.34}));
  CHECK(json.at("rule").at("best_share") == nlohmann::json({0.27, 0.37}));
  CHECK(json.at("rule").at("holds_for").at("axis") == "s");
  CHECK(json.at("candidates").size() == 3);
  CHECK(json.at("candidates").at(0).at("metrics").at("x").at("mean").is_null());
  CHECK(json.at("candidates").at(2).at("feasible") == false);
  CHECK(json.at("dossier").at("kind") == "study");
  CHECK(json.at("replications") == 20);
}

TEST_CASE("with three pools the rule is not judged") {
  StudyResult s = study({{kOwn, {{0.10, 90, 0}, {0.27, 61, 0}}}});
  s.pool_names = {"proto", "other", "scale"};
  conclude(made_up::scenario(4, 2), s);
  CHECK(s.rule_status == "undecided");
  CHECK(std::isnan(s.loss_percent.mean));
  CHECK_THAT(s.verdict, Catch::Contains("this scenario has 3, so it is not judged") &&
                            !Catch::Contains("the rule") &&
                            Catch::Contains("27 % of node money on scale is best"));
}

TEST_CASE("candidates.csv has as many cells in each row as in its header") {
  StudyResult s = study({{kOwn, {{0.27, 61, 0}, {0.9, 80, 0}}}});
  s.candidates[0].metrics["x"] = summarise({1.0, 2.0}, "h");
  const std::string text = candidates_csv(made_up::scenario(4, 2), s);
  std::vector<std::size_t> commas(1, 0);
  for (const char c : text) {
    if (c == '\n') commas.push_back(0);
    if (c == ',') ++commas.back();
  }
  REQUIRE(commas.size() == 4);
  CHECK(commas[1] == commas[0]);
  CHECK(commas[2] == commas[0]);
  CHECK_THAT(text, Catch::StartsWith("label,fleet,sharing,nodes_proto,nodes_scale,share,feasible"));
  CHECK_THAT(text, Catch::Contains("x_ci95_low"));
}

TEST_CASE("where no fleet delivers a result, none is said to deliver most") {
  StudyResult s = study({{kOwn, {{0.20, 60, 0, false}, {0.30, 61, 0, false}}}});
  CHECK_THAT(s.verdict, Catch::Contains("delivers most results a week (3.00)"));
  for (CandidateResult& c : s.candidates) c.results_per_week = 0.0;
  conclude(made_up::scenario(4, 2), s);
  CHECK_THAT(s.verdict, Catch::Contains("none delivers a result") && !Catch::Contains("most results"));
  for (CandidateResult& c : s.candidates) c.results_per_week = 0.002;
  conclude(made_up::scenario(4, 2), s);
  CHECK_THAT(s.verdict, Catch::Contains("(0.002)"));
}

TEST_CASE("without a budget a fleet has no unspent money") {
  Scenario s = made_up::scenario(4, 2);
  s.budget = Money{};
  const CandidateResult c = summarise_candidate(s, {made_up::run(3.0, 20.0)}, {10.0});
  CHECK_FALSE(c.unspent.has_value());
  CHECK(c.capex > Money{});
}

TEST_CASE("a given fleet outside the band is not blamed on a budget") {
  StudyResult s = study({{kOwn, {{0.50, 60, 0}}}});
  CHECK_THAT(s.verdict, Catch::Contains("no fleet under this budget lies in the band"));
  Scenario given = made_up::scenario(4, 2);
  given.budget = Money{};
  given.study.candidates = CandidateRule::as_given;
  conclude(given, s);
  CHECK_THAT(s.verdict, Catch::Contains("the fleet is outside the band") && !Catch::Contains("budget"));
}
