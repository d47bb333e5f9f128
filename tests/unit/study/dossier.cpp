// The dossier: its figures, its assumptions, and JSON both ways.
#include "sim/study/dossier.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;

namespace {

Summary fixed(double value, const std::string& unit) {
  return {value, value - 0.01, value + 0.01, 20, unit};
}

/// A study of one simulated fleet, 13 + 3, half of each pool allocated at scaling efficiency 0.8.
StudyResult one_fleet() {
  StudyResult study;
  study.ks = {1.0, 30.0, 303.03};
  study.pool_names = {"proto", "scale"};
  study.replications = 20;
  CandidateResult fleet;
  fleet.label = "13+3";
  fleet.sharing = SharingRule::overflow;
  fleet.counts = {13, 3};
  fleet.share = 0.2724;
  fleet.metrics["scaling_efficiency"] = fixed(0.8, "ratio");
  fleet.metrics["wait_s"] = {5.0, -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::infinity(), 1, "s"};
  fleet.metrics["bounded_slowdown"] = {std::nan(""), std::nan(""), std::nan(""), 0, "ratio"};
  fleet.classes = {{"prototype", {{"wait_s", fixed(60.0, "s")}}}};
  fleet.pool_utilisation = {fixed(0.5, "ratio"), fixed(0.5, "ratio")};
  fleet.objective = {{30.0, fixed(150.0, "h")}};
  fleet.capex = usd(298992L);
  fleet.utilisation_by_hour = std::vector<double>(168, 0.25);
  fleet.states = {{"completed", 9'000'000'000}};
  fleet.replay_hash = 0xFEDCBA9876543210ULL;
  fleet.reasons = {"says \"no\" to \xC3\xA9"};
  study.candidates = {fleet};
  study.best_sets = {{SharingRule::overflow, 30.0, 0, {0}, {}, {{0, 0.0, -1.5, 1.5}}}};
  study.demand.fleet_load = 0.5;
  study.demand.trace = ClassDemand{};
  study.verdict = "holds";
  return study;
}

}  // namespace

TEST_CASE("a dossier prices its fleet, its energy and its useful GPU-hours") {
  const Dossier d = make_dossier(fixture::lab(), one_fleet(), 0);
  CHECK(d.kind == "run");
  CHECK(d.recommended == "13+3");
  CHECK(d.replay_hash == "fedcba9876543210");
  CHECK(d.bill.total == usd(298992L));
  CHECK(d.unspent == usd(1008L));
  // (13 x (554.8 + 3110) / 2 + 3 x (574 + 3350) / 2) W x 1.5 x 8760 h / 1000
  CHECK(d.energy_kwh_per_year == Approx((13 * 1832.4 + 3 * 1962.0) * 1.5 * 8.76));
  CHECK(d.peak_power_at_meter.count() == Approx(75720.0));
  // 128 GPUs x 0.5 x 8760 h x 0.8
  CHECK(d.gpu_hours_useful_per_year == Approx(448512.0));
  CHECK(to_usd(d.cost_per_useful_gpu_hour) == Approx(to_usd(d.cost.total) / (3 * 448512.0)).epsilon(1e-5));
  CHECK(d.fabric_counts.leaf_switches == 1);
  CHECK(d.fabric_counts.adapters == 16);
  CHECK_FALSE(d.fabric_dot.empty());
  CHECK_FALSE(d.node_dot.empty());
  CHECK_FALSE(d.limitations.empty());
}

TEST_CASE("a dossier's assumptions are complete, sourced and listed once") {
  const Dossier d = make_dossier(fixture::lab(), one_fleet(), 0);
  std::set<std::string> seen;
  std::set<std::string> purposes;
  for (const Assumption& a : d.assumptions) {
    INFO(a.what);
    CHECK(seen.insert(a.what).second);
    CHECK_FALSE(a.value.empty());
    CHECK_FALSE(a.source.empty());
    CHECK((a.low.empty() == a.high.empty()));
    if (!a.low.empty()) CHECK(a.estimate);
    purposes.insert(a.used_for);
  }
  CHECK(purposes == std::set<std::string>{"price", "power", "speed", "workload"});
  for (const char* what :
       {"two CPUs, price", "InfiniBand EDR switch, price", "rtx3080, board power", "electricity, price",
        "PUE (meter over IT power)", "resnet50, speed of rtx3080 over rtx3090",
        "k, prototypes run in sequence for each result", "prototype, requested limit over run time"}) {
    INFO(what);
    CHECK(seen.count(what) == 1);
  }
}

TEST_CASE("figures of one name that differ are told apart by their node") {
  Scenario scenario = fixture::lab();
  scenario.pools[1].node.price_parts[2].unit_price.value = usd(2500L);
  const Dossier d = make_dossier(scenario, one_fleet(), 0);
  int cpus = 0;
  for (const Assumption& a : d.assumptions) cpus += a.what.starts_with("two CPUs, price");
  CHECK(cpus == 2);
}

namespace {

/// Sizes of each series of a dossier's scaling.
std::map<std::string, std::vector<int>> scaling_sizes(const Scenario& scenario) {
  std::map<std::string, std::vector<int>> sizes;
  for (const ScalingPoint& point : make_dossier(scenario, one_fleet(), 0).scaling) {
    CHECK(point.efficiency > 0.0);
    CHECK(point.efficiency <= 1.0 + 1e-9);
    if (point.gpus == 1) CHECK(point.efficiency == Approx(1.0));
    sizes[point.series].push_back(point.gpus);
  }
  return sizes;
}

}  // namespace

TEST_CASE("scaling curves stand for jobs that fit the memory and end at the largest job of their class") {
  // bert-large needs 22 GB and does not run on the 10 GB of an RTX 3080; prototypes ask up to 4 GPUs.
  const auto sizes = scaling_sizes(fixture::lab());
  CHECK(sizes == std::map<std::string, std::vector<int>>{{"resnet50 on 8x rtx3080", {1, 2, 4}},
                                                         {"resnet50 on 8x rtx3090", {1, 2, 4}},
                                                         {"bert-large on 8x rtx3090", {1, 2, 4, 8, 16}}});
}

TEST_CASE("scaling curves hold the sizes of the jobs themselves, as far as the fleet reaches") {
  Scenario scenario = fixture::lab();
  scenario.workload.classes[1].gpus = {{12, 0.5}, {64, 0.3}, {256, 0.2}};
  scenario.pools[1].count = 16;  // 128 GPUs
  CHECK(scaling_sizes(scenario).at("bert-large on 8x rtx3090") ==
        std::vector<int>{1, 2, 4, 8, 12, 16, 32, 64, 128});
  scenario.fabric.shape = FabricShape::none;
  CHECK(scaling_sizes(scenario).at("bert-large on 8x rtx3090") == std::vector<int>{1, 2, 4, 8});
  scenario.pools[1].count = 0;
  CHECK(scaling_sizes(scenario).size() == 1);
}

TEST_CASE("two classes of one model share a scaling curve") {
  Scenario scenario = fixture::lab();
  scenario.workload.classes[1].model = scenario.workload.classes[0].model;
  const auto sizes = scaling_sizes(scenario);
  CHECK(sizes.at("resnet50 on 8x rtx3080") == std::vector<int>{1, 2, 4});
  CHECK(sizes.at("resnet50 on 8x rtx3090") == std::vector<int>{1, 2, 4, 8, 16});
}

TEST_CASE("a dossier without a feasible candidate prices the scenario's fleet at its load") {
  const Dossier d = make_dossier(fixture::lab(), one_fleet(), -1);
  CHECK(d.recommended.empty());
  CHECK(d.recommended_index == -1);
  CHECK(d.energy_kwh_per_year == Approx((13 * 1832.4 + 3 * 1962.0) * 1.5 * 8.76));
  const Dossier empty = make_dossier(fixture::with_counts(fixture::lab(), {0, 0}), one_fleet(), -1);
  CHECK(empty.bill.total == Money{});
  CHECK(empty.cost_per_useful_gpu_hour == Money{});
}

TEST_CASE("JSON of a dossier reads back to the same JSON, and to the same values") {
  Dossier d = make_dossier(fixture::lab(), one_fleet(), 0);
  d.seed = std::numeric_limits<std::uint64_t>::max();
  d.canonical_scenario = "name: \"lab\"\n";
  const std::string text = to_json(d);
  const Dossier back = dossier_from_json(text);
  CHECK(to_json(back) == text);
  CHECK(back.seed == d.seed);
  CHECK(back.canonical_scenario == d.canonical_scenario);
  CHECK(back.cost.total == d.cost.total);
  CHECK(back.bill.lines.size() == d.bill.lines.size());
  CHECK(back.bill.lines[1].unit_price.high == usd(7000L));
  const CandidateResult& fleet = back.study.candidates.at(0);
  CHECK(fleet.replay_hash == 0xFEDCBA9876543210ULL);
  CHECK(fleet.states.at("completed") == 9'000'000'000);
  CHECK(fleet.reasons == d.study.candidates[0].reasons);
  CHECK(std::isnan(fleet.metrics.at("bounded_slowdown").mean));
  // one replication: the interval is open at both ends
  CHECK(fleet.metrics.at("wait_s").ci95_low == -std::numeric_limits<double>::infinity());
  CHECK(fleet.metrics.at("wait_s").ci95_high == std::numeric_limits<double>::infinity());
  CHECK(back.study.demand.trace.has_value());
}

TEST_CASE("keys of a dossier's JSON are sorted") {
  const std::string text = to_json(make_dossier(fixture::lab(), one_fleet(), 0));
  CHECK(text.find("\"assumptions\"") < text.find("\n \"bill\""));
  CHECK(text.find("\n \"bill\"") < text.find("\n \"scaling\""));
  CHECK(text.find("\n \"scaling\"") < text.find("\n \"study\""));
}

TEST_CASE("what is no dossier is refused with the place that is wrong") {
  CHECK_THROWS_WITH(dossier_from_json("{"), Catch::Matchers::Contains("not a fleetsim dossier"));
  CHECK_THROWS_WITH(dossier_from_json("[]"), "not a fleetsim dossier: dossier is not an object");
  CHECK_THROWS_WITH(dossier_from_json("{\"kind\": 3}"), "not a fleetsim dossier: dossier.kind is not a text");
  std::string text = to_json(make_dossier(fixture::lab(), one_fleet(), 0));
  const std::string key = "\"replications\": 20";
  const auto at = text.rfind(key);
  REQUIRE(at != std::string::npos);
  text.replace(at, key.size(), "\"replications\": 2e99");
  CHECK_THROWS_AS(dossier_from_json(text), std::runtime_error);
}

TEST_CASE("a dossier says whether its fleet leaves room for a further node") {
  // 13 + 3 leaves 1,008 USD, a node costs 16,062; with 12 + 3 there is money for the thirteenth.
  CHECK(make_dossier(fixture::lab(), one_fleet(), 0).maximal_fleet);
  const Dossier smaller = make_dossier(fixture::with_counts(fixture::lab(), {12, 3}), one_fleet(), 0);
  CHECK_FALSE(smaller.maximal_fleet);
  CHECK(smaller.unspent == usd(1008L + 16062L));
  Scenario free = fixture::lab();
  free.budget = Money{};
  const Dossier none = make_dossier(free, one_fleet(), 0);
  CHECK_FALSE(none.unspent.has_value());
  CHECK_FALSE(none.maximal_fleet);
  CHECK_FALSE(dossier_from_json(to_json(none)).unspent.has_value());
  // 20 + 3: 7 further nodes of 16,062 USD, of which 1,008 are there
  CHECK(make_dossier(fixture::with_counts(fixture::lab(), {20, 3}), one_fleet(), 0).unspent < Money{});
}
