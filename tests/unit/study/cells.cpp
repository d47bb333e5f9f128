// Cells of a map: their studies, the shards and the text that says where the rule holds.
#include "sim/study/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/study/constraints.hpp"
#include "sim/study/export.hpp"
#include "sim/study/map_grid.hpp"
#include "sim/study/map_json.hpp"
#include "sim/study/map_of_cells.hpp"
#include "sim/study/merge.hpp"
#include "sim/study/shard_state.hpp"
#include "sim/study/store.hpp"
#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// Two fleets under one rule, the number of users given.
class TwoFleets final : public CandidateSource {
 public:
  explicit TwoFleets(int users) : users_(users) {}
  [[nodiscard]] std::size_t size() const override { return 2; }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    Candidate c;
    c.scenario = i == 0 ? made_up::scenario(8, 1) : made_up::scenario(4, 3);
    c.scenario.workload.users = users_;
    c.label = i == 0 ? "8+1" : "4+3";
    c.key = fmt::format("key-{}-{}", users_, i);
    return c;
  }

 private:
  int users_;
};

class UserCells final : public CellSource {
 public:
  [[nodiscard]] const std::vector<MapAxis>& axes() const override { return axes_; }
  [[nodiscard]] std::size_t size() const override { return 2; }
  [[nodiscard]] std::vector<std::size_t> at(std::size_t i) const override { return {i}; }
  [[nodiscard]] Cell make(std::size_t i) const override {
    const int users = i == 0 ? 3 : 6;
    Cell cell;
    cell.scenario = made_up::scenario(8, 1);
    cell.scenario.workload.users = users;
    cell.candidates = std::make_unique<TwoFleets>(users);
    cell.text = fmt::format("users: {}", users);
    cell.text_sha256 = fmt::format("{:064}", users);
    return cell;
  }

 private:
  std::vector<MapAxis> axes_ = {{"workload.users", "users", {"3", "6"}}};
};

StudyOptions cells_options(const std::string& store, int threads = 1) {
  StudyOptions o;
  o.store = store;
  o.threads = threads;
  o.engine = "1";
  return o;
}

/// A map over s at one load, with the given statuses under overflow and k = 30.
StudyMap map_of(const std::vector<std::pair<double, std::vector<std::string>>>& rows) {
  StudyMap map;
  map.axes = {{"workload.demand.load", "load", {}}, {"workload.demand.scale_share", "s", {}}};
  for (std::size_t y = 0; y < rows.size(); ++y) {
    map.axes[0].values.push_back(fmt::format("{}", rows[y].first));
    for (std::size_t x = 0; x < rows[y].second.size(); ++x) {
      if (y == 0) map.axes[1].values.push_back(fmt::format("{} %", 10 * (x + 1)));
      MapCell cell;
      cell.at = {y, x};
      cell.load = rows[y].first;
      cell.s = 0.1 * static_cast<double>(x + 1);
      MapAnswer answer;
      answer.sharing = SharingRule::overflow;
      answer.best = "13+3";
      answer.best_share = 0.27;
      answer.status = rows[y].second[x];
      cell.answers = {answer};
      cell.meets = {{SharingRule::overflow, {"13+3"}, {0.27}, {3}}};
      map.cells.push_back(cell);
    }
  }
  return map;
}

}  // namespace

TEST_CASE("a map has the answer of every cell's own study, whatever the threads") {
  const made_up::Folder folder;
  Scenario base = made_up::scenario(8, 1);
  const TwoFleets fleets(5);
  const UserCells cells;
  const auto one = run_with_cells(base, fleets, &cells, cells_options(folder.file("one.db")));
  const auto two = run_with_cells(base, fleets, &cells, cells_options(folder.file("two.db"), 2));
  REQUIRE(one);
  REQUIRE(two);
  REQUIRE(one->map);
  REQUIRE(one->map->cells.size() == 2);
  CHECK(map_json(*one->map) == map_json(*two->map));
  CHECK(study_json(base, *one, {"1", "sha", ""}) == study_json(base, *two, {"1", "sha", ""}));
  for (std::size_t i = 0; i < 2; ++i) {
    const Cell cell = cells.make(i);
    const auto own = run_study(cell.scenario, *cell.candidates, cells_options(""));
    REQUIRE(own);
    const MapCell& c = one->map->cells[i];
    CHECK(c.load == own->demand.load);
    REQUIRE(c.answers.size() == own->best_sets.size());
    for (std::size_t a = 0; a < c.answers.size(); ++a) {
      const BestSet& set = own->best_sets[a];
      CHECK(c.answers[a].k == set.k);
      CHECK(c.answers[a].best ==
            (set.best < 0 ? "" : own->candidates[static_cast<std::size_t>(set.best)].label));
      CHECK(c.answers[a].members.size() == set.members.size());
    }
  }
  // The base's own study does not change by its cells.
  const auto alone = run_study(base, fleets, cells_options(""));
  REQUIRE(alone);
  CHECK(candidates_csv(base, *alone) == candidates_csv(base, *one));
  CHECK(alone->verdict == one->verdict);  // s is no axis
}

TEST_CASE("a shard of a map is whole when its part of every cell is there") {
  const made_up::Folder folder;
  const Scenario base = made_up::scenario(8, 1);
  const TwoFleets fleets(5);
  const UserCells cells;
  StudyOptions o = cells_options(folder.file("1.db"));
  o.shard = {1, 3};
  const auto state = [&] { return shard_state(base, fleets, &cells, o, 1, {}); };
  REQUIRE(run_shard(base, fleets, o));  // the base's part alone
  CHECK(state().kind == ShardState::Kind::incomplete);
  REQUIRE(run_shard_with_cells(base, fleets, &cells, o));
  CHECK(state().kind == ShardState::Kind::whole);
  CHECK(state().stored == state().wanted);
  ResultStore(o.store, "1").erase("key-6-0", 0);
  ResultStore(o.store, "1").erase("key-6-1", 0);
  ResultStore(o.store, "1").erase("key-6-0", 3);
  ResultStore(o.store, "1").erase("key-6-1", 3);  // one of these is the shard's
  CHECK(state().kind == ShardState::Kind::incomplete);
}

TEST_CASE("shards of a map have even parts, also when a cell has fewer runs than there are shards") {
  const Scenario base = made_up::scenario(8, 1);
  const TwoFleets fleets(5);
  const UserCells cells;
  std::vector<std::int64_t> runs;
  for (int k = 1; k <= 16; ++k) {
    StudyOptions o = cells_options("");
    o.shard = {k, 16};
    std::int64_t& own = runs.emplace_back(0);
    for (const StudyPlan& plan : plan_parts(base, fleets, &cells, o))
      for (const StudyPlan::Row& row : plan.rows) own += row.wanted;
  }
  // 3 lists of 8 runs over 16 shards: 24 / 16 = 1.5
  CHECK(*std::min_element(runs.begin(), runs.end()) == 1);
  CHECK(*std::max_element(runs.begin(), runs.end()) == 2);
  CHECK(std::accumulate(runs.begin(), runs.end(), std::int64_t{0}) == 24);
}

TEST_CASE("shards of a map know all cells from the start and merge to the same store") {
  const made_up::Folder folder;
  const Scenario base = made_up::scenario(8, 1);
  const TwoFleets fleets(5);
  const UserCells cells;
  std::vector<std::string> stores;
  std::int64_t simulated = 0;
  for (int k = 1; k <= 3; ++k) {
    StudyOptions o = cells_options(folder.file(fmt::format("{}.db", k)));
    o.shard = {k, 3};
    const auto result = run_shard_with_cells(base, fleets, &cells, o);
    REQUIRE(result);
    CHECK(result->simulated == result->wanted);
    simulated += result->simulated;
    stores.push_back(o.store);
  }
  // (base + 2 cells) x 2 candidates x 4 replications
  CHECK(simulated == 3 * 2 * 4);
  const MergeResult merged = merge_stores({stores[2], stores[0], stores[1]}, folder.file("all.db"));
  REQUIRE(merged.studies.size() == 3);
  for (const auto& study : merged.studies) CHECK(study.missing_runs == 0);
  const CellsPlan plan = plan_cells(cells, cells_options(folder.file("all.db")));
  CHECK(plan.runs() == 2 * 2 * 4);
  CHECK(plan.stored() == plan.runs());

  // Stopped before the first cell: the merge still says what is missing in all of them.
  const std::atomic<bool> stop{true};
  StudyOptions stopped = cells_options(folder.file("stopped.db"));
  stopped.stop = &stop;
  CHECK_FALSE(run_shard_with_cells(base, fleets, &cells, stopped));
  CHECK(ResultStore(stopped.store, "1", ResultStore::Mode::read_only).studies().size() >= 2);
}

TEST_CASE("the rule holds for the longest run of s in the row nearest to the scenario's load") {
  const StudyMap map = map_of({{0.35, {"holds", "refuted", "refuted", "refuted", "refuted"}},
                               {0.65, {"holds", "refuted", "holds", "holds", "undecided"}}});
  const auto near = holds_along_s(map, SharingRule::overflow, 30.0, 0.6);
  REQUIRE(near);
  CHECK(near->load == Approx(0.65));
  CHECK(*near->low == Approx(0.3));
  CHECK(*near->high == Approx(0.4));
  CHECK_THAT(near->sentence,
             Catch::StartsWith(
                 "By 10 simulated cells, with overflow sharing and k = 30, 66-80 / 20-33 holds while s is "
                 "between 30 and 40 % at load 0.65 (s, the scale-up share of the demand's money, "
                 "simulated at 10, 20, 30, 40, 50 %)"));
  CHECK_THAT(near->sentence, Catch::Contains("; load 0.35: at 10") &&
                                 Catch::Contains("; load 0.65: at 10 and from 30 to 40 (1 of 5 undecided)"));
  const auto far = holds_along_s(map, SharingRule::overflow, 30.0, 0.1);
  CHECK(*far->low == Approx(0.1));
  CHECK(*far->high == Approx(0.1));
  CHECK_THAT(far->sentence, Catch::Contains("holds at s = 10 %"));
  // A rule that the map has no answer for is undecided everywhere.
  const auto none = holds_along_s(map, SharingRule::strict, 30.0, 0.6);
  REQUIRE(none);
  CHECK_FALSE(none->low);
  CHECK_THAT(none->sentence, Catch::Contains("holds at none of the simulated s"));
}

TEST_CASE("the map's sentence takes the first-order line's place in the verdict") {
  const Scenario base = made_up::scenario(8, 1);
  StudyResult study;
  study.pool_names = {"proto", "scale"};
  study.s_low = 0.2;
  study.s_high = 0.34;
  study.demand.load = 0.65;
  study.verdict = first_order_sentence(study) + " Simulated: more.";
  add_map(base, map_of({{0.65, {"refuted", "holds"}}}), study);
  // The made-up scenario has k = 10, of which the map has no answer.
  CHECK_THAT(study.verdict,
             Catch::StartsWith("By 2 simulated cells") && Catch::EndsWith(" Simulated: more."));
  CHECK_THAT(study.verdict,
             Catch::Contains("The first-order line (share of node money = s) says 20 to 34 %."));
  CHECK_THAT(study.verdict, !Catch::Contains("not yet simulated"));
}

TEST_CASE("a map survives JSON, and its grids put s across and load up") {
  StudyMap map = map_of({{0.35, {"holds", "refuted"}}, {0.65, {"undecided", "refuted"}}});
  map.holds = holds_along_s(map, SharingRule::overflow, 30.0, 0.6);
  map.limits = {"wait_s_p95(prototype) <= 4 h"};
  map.cells[3].answers[0] = MapAnswer{};
  map.cells[3].answers[0].sharing = SharingRule::overflow;
  map.cells[3].answers[0].status = "undecided";
  const StudyMap again = map_from_json(nlohmann::json::parse(map_json(map).dump()));
  CHECK(map_json(again) == map_json(map));
  CHECK(map_csv(again) == map_csv(map));
  const auto grids = grids_of(map);
  REQUIRE(grids.size() == 1);
  CHECK(grids[0].x == 1);
  CHECK(grids[0].y == 0);
  CHECK(grids[0].rows[1][0]->answers[0].status == "undecided");
  nlohmann::json broken = map_json(map);
  broken["cells"][0]["at"] = {7, 0};
  CHECK_THROWS_WITH(map_from_json(broken), Catch::Contains("lies on none of its axes' values"));
  nlohmann::json holed = map_json(map);
  holed["cells"].erase(0);
  CHECK_THROWS_WITH(map_from_json(holed), Catch::Contains("3 cells where its axes have 4 points"));
  broken.erase("axes");
  CHECK_THROWS_WITH(map_from_json(broken), Catch::StartsWith("not a map of a study: "));
}

TEST_CASE(
    "limits rank nothing: a fleet that breaks a constraint may keep them, one that breaks a built-in does "
    "not") {
  StudySpec study;
  study.constraints = {{"wait_s_p95", ClassId{0}, true, 3600.0, "wait_s_p95(prototype) <= 1 h"}};
  Scenario scenario = made_up::scenario(4, 3);
  scenario.study = study;
  CandidateResult waits =
      summarise_candidate(scenario, {made_up::run(2.0, 20.0), made_up::run(2.0, 20.0)}, {1.0});
  REQUIRE(waits.feasible);  // its prototypes wait 600 s
  scenario.study.constraints.front().bound = 60.0;
  CandidateResult slow =
      summarise_candidate(scenario, {made_up::run(2.0, 20.0), made_up::run(2.0, 20.0)}, {1.0});
  REQUIRE_FALSE(slow.feasible);
  CHECK(keeps_limits(scenario.study, slow) == slow.feasible);  // no limits: the constraints
  scenario.study.limits = {{"wait_s_p95", ClassId{0}, true, 3600.0, "wait_s_p95(prototype) <= 1 h"},
                           {"wait_s_p95", ClassId{1}, true, 10800.0, "wait_s_p95(result) <= 3 h"}};
  CHECK(keeps_limits(scenario.study, slow));  // results wait 7200 s
  scenario.study.limits.back().bound = 3600.0;
  CHECK_FALSE(keeps_limits(scenario.study, slow));
  scenario.study.limits.back().bound = 10800.0;
  slow.reasons.push_back("saturated: the backlog grows");
  CHECK_FALSE(keeps_limits(scenario.study, slow));
}

TEST_CASE("shares of fleets that keep the limits are a range where none between breaks them") {
  const MapMeets meets{SharingRule::strict, {"a", "b", "c", "d"}, {0.19, 0.37, 0.47, 0.55}, {2, 4, 5, 6}};
  CHECK(shares_text(meets) == "19, 37-55");
  CHECK(shares_text(MapMeets{}).empty());
}
