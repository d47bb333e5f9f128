// The most demand that a fleet carries, from hand-made cells.
#include "sim/study/carried_demand.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/study/inverse_json.hpp"
#include "sim/study/judge_keeping.hpp"
#include "sim/study/study.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

/// "KK?B": kept, kept, open, broken, by ascending demand.
std::vector<Keeps> pattern(const std::string& text) {
  std::vector<Keeps> all;
  for (const char c : text) all.push_back(c == 'K' ? Keeps::surely : c == 'B' ? Keeps::broken : Keeps::open);
  return all;
}

/// A map along users 10, 20, ... whose cells judge one fleet as the pattern says; the values stand in the
/// file in descending order. `rows` patterns: a second axis, of prices, which the load does not depend on.
struct Made {
  StudyMap map;
  std::vector<CellJudgement> cells;
};
Made made(const std::vector<std::string>& rows, const std::string& path = "workload.users") {
  Made m;
  const std::size_t n = rows.front().size();
  m.map.limits = {"wait_s <= 4 h"};
  m.map.axes = {{path, path.substr(path.rfind('.') + 1), {}}, {"site.pue", "pue", {}}};
  for (std::size_t i = 0; i < n; ++i) m.map.axes[0].values.push_back(fmt::format("{}", 10 * (n - i)));
  for (std::size_t r = 0; r < rows.size(); ++r) m.map.axes[1].values.push_back(fmt::format("1.{}", r));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      MapCell cell;
      cell.at = {i, r};
      cell.load = 0.1 * static_cast<double>(n - i);
      m.map.cells.push_back(cell);
      const Keeps keeping = pattern(rows[r])[n - 1 - i];
      m.cells.push_back({{{SharingRule::overflow, "7+3", {keeping, keeping == Keeps::surely ? "" : "why"}}}});
    }
  }
  return m;
}

std::string answer(const std::string& row) {
  const Made m = made({row});
  const auto most = most_demand(m.map, m.cells);
  REQUIRE(most);
  REQUIRE(most->fleets.size() == 1);
  return carried_text(*most, most->fleets.front());
}

}  // namespace

TEST_CASE("what is carried and what is too much are runs without a gap from either end") {
  const auto check = [](const std::string& row, std::size_t kept, std::size_t broken, bool monotone) {
    INFO(row);
    const CarriedDemand c = carried_demand(pattern(row));
    CHECK(c.kept == kept);
    CHECK(c.broken == broken);
    CHECK(c.monotone == monotone);
  };
  check("KKBB", 2, 2, true);
  check("KK??BB", 2, 2, true);
  check("KKKK", 4, 0, true);
  check("BBB", 0, 3, true);
  check("??", 0, 0, true);
  check("K?KB", 1, 1, true);  // the kept one above an open one is not claimed
  check("KB?B", 1, 1, true);  // nor is the broken one below it
  check("KBKB", 1, 1, false);
  check("BK", 0, 0, false);
  check("", 0, 0, true);
}

TEST_CASE("the answer is an interval in words, by ascending demand however the axis is written") {
  CHECK(answer("KKBB") == "surely 20 users, surely not 30 users");
  CHECK(answer("KK?B") == "surely 20 users, surely not 40 users; 30 users is open");
  CHECK(answer("K??B") == "surely 10 users, surely not 40 users; 20 users to 30 are open");
  CHECK(answer("KKK") == "at least 30 users, the most that was tried");
  CHECK(answer("BBB") == "surely less than 10 users, the least that was tried");
  CHECK(answer("K??") == "surely 10 users; all above is open");
  CHECK(answer("??B") == "surely not 30 users; all below is open");
  CHECK(answer("???") == "open at every demand that was tried");
  CHECK(answer("KBKB") ==
        "surely 10 users, surely not 40 users; 20 users to 30 are open; not monotone: it keeps its limits "
        "above "
        "a demand at which it does not");
}

TEST_CASE("every point of the other axes has an answer of its own") {
  const Made m = made({"KKB", "KBB"});
  const auto most = most_demand(m.map, m.cells);
  REQUIRE(most);
  CHECK(most->values == std::vector<std::string>{"10", "20", "30"});
  CHECK(most->loads.front() == Approx(0.1));
  REQUIRE(most->fleets.size() == 2);
  CHECK(most->fleets[0].place == "pue=1.0");
  CHECK(most->fleets[0].carried.kept == 2);
  CHECK(most->fleets[1].place == "pue=1.1");
  CHECK(most->fleets[1].carried.kept == 1);
  const std::vector<std::string> said = most_demand_sentences(*most, SharingRule::overflow);
  REQUIRE(said.size() == 2);
  CHECK(said[0] == "With overflow sharing at pue=1.0, 7+3 carries: surely 20 users, surely not 30 users.");
  CHECK(most_demand_sentences(*most, SharingRule::strict).empty());
}

TEST_CASE("the fleets that surely carry most are named together") {
  Made m = made({"KKBB"});
  for (std::size_t i = 0; i < m.cells.size(); ++i) {  // cells by descending demand: 40, 30, 20, 10 users
    m.cells[i].fleets.push_back({SharingRule::overflow, "8+3", m.cells[i].fleets.front().judged});
    m.cells[i].fleets.push_back(
        {SharingRule::overflow, "4+3", {i == 3 ? Keeps::surely : Keeps::open, "why"}});
  }
  const auto most = most_demand(m.map, m.cells);
  REQUIRE(most);
  CHECK(most_demand_sentences(*most, SharingRule::overflow).front() ==
        "With overflow sharing, 7+3, 8+3 carry most: surely 20 users, surely not 30 users.");
}

TEST_CASE("a fleet that is no candidate at some demand is open there") {
  Made m = made({"KKK"});
  m.cells[0].fleets.clear();  // 30 users
  m.cells[0].fleets.push_back({SharingRule::strict, "7+3", {Keeps::surely, ""}});
  const auto most = most_demand(m.map, m.cells);
  REQUIRE(most);
  CHECK(most->fleets[0].judged[2].keeps == Keeps::open);
  CHECK(most->fleets[0].judged[2].reason == "no candidate at this demand");
  CHECK(most->fleets[0].carried.kept == 2);
}

TEST_CASE("only an axis of the workload that orders the load asks how much is carried, and not beside s") {
  CHECK(demand_axis(made({"KB"}).map) == 0);
  CHECK(demand_axis(made({"KB"}, "budget.capital").map) == -1);
  CHECK(demand_axis(made({"K"}).map) == -1);  // one value
  Made same = made({"KB"});
  for (MapCell& cell : same.map.cells) cell.load = 0.5;
  CHECK(demand_axis(same.map) == -1);
  Made turned = made({"KB", "KB"});  // at pue 1.1 the other way round
  std::swap(turned.map.cells[1].load, turned.map.cells[3].load);
  CHECK(demand_axis(turned.map) == -1);
  Made beside = made({"KB", "KB"});
  beside.map.axes[1].path = "workload.demand.scale_share";
  CHECK(demand_axis(beside.map) == 0);
  CHECK_FALSE(most_demand(beside.map, beside.cells));
  Made two = made({"KB", "KB"});  // the load varies along both
  two.map.axes[1].path = "workload.demand.load";
  for (MapCell& cell : two.map.cells) cell.load += static_cast<double>(cell.at[1]);
  CHECK(demand_axis(two.map) == 1);
}

TEST_CASE("the most demand reads back from JSON as it was written") {
  const Made m = made({"K?BB", "KBKB"});
  const auto most = most_demand(m.map, m.cells);
  REQUIRE(most);
  const nlohmann::json json = most_demand_json(*most);
  CHECK(json["fleets"][0]["surely_carried"] == "10");
  CHECK(json["fleets"][0]["surely_too_much"] == "30");
  CHECK(json["fleets"][1]["monotone"] == false);
  CHECK(most_demand_json(most_demand_from_json(json)) == json);
  nlohmann::json wrong = json;
  wrong["fleets"][0]["judged"][0]["limits"] = "perhaps";
  CHECK_THROWS_WITH(most_demand_from_json(wrong), Catch::Contains("perhaps"));
  wrong = json;
  wrong["values"].push_back("50");
  CHECK_THROWS_WITH(most_demand_from_json(wrong), Catch::Contains("differ in number"));
  CHECK_THROWS_AS(most_demand_from_json(nlohmann::json::object()), std::runtime_error);
}

TEST_CASE("a cell's fleets are judged by their limits, or by the constraints without any") {
  Scenario s = made_up::scenario(4, 2);
  const auto bound = [](double hours) {
    return Constraint{"wait_s_p95", ClassId{0}, true, hours * 3600.0, "wait_s_p95(prototype) <= x"};
  };
  std::vector<RunResult> runs;  // p95 waits of prototypes: 600 s, give or take 60
  for (int r = 0; r < 8; ++r) {
    runs.push_back(made_up::run(2.0, 20.0));
    for (Metric& m : runs.back().metrics.classes[0].values)
      if (m.name == "wait_s_p95") m.value += r % 2 == 0 ? 60.0 : -60.0;
  }
  const auto judged = [&](double constraint_h, double limit_h) {
    s.study.constraints = {bound(constraint_h)};
    s.study.limits.clear();
    if (limit_h > 0.0) s.study.limits = {bound(limit_h)};
    StudyResult study;
    study.candidates = {summarise_candidate(s, runs, objective_ks(s))};
    return judge_cell(s, study).fleets.at(0).judged.keeps;
  };
  // Standard error 60 s / sqrt(7) = 22.68 s. t(0.975, 7) = 2.365: surely at most 653.6 s; the error of
  // "broken" is shared by five limits, t(0.995, 7) = 3.499: surely at least 520.6 s.
  CHECK(judged(654.5 / 3600.0, 0.0) == Keeps::surely);
  CHECK(judged(653.0 / 3600.0, 0.0) == Keeps::open);
  CHECK(judged(521.5 / 3600.0, 0.0) == Keeps::open);
  CHECK(judged(520.0 / 3600.0, 0.0) == Keeps::broken);
  CHECK(judged(520.0 / 3600.0, 4.0) == Keeps::surely);
}
