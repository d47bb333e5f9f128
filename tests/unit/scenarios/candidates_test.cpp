// Which fleets a scenario stands for: its scale-up pool, what a fabric cannot hold, the candidates of a
// study.
#include <fmt/format.h>

#include "scenarios/loader/fingerprint.hpp"
#include "scenarios/loader/sections.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

TEST_CASE("The scale-up pool is the one of the promoted class, in whatever order the file lists pools") {
  std::string text = lab_text();
  const std::string proto = "  proto: {node: supermicro-8x-rtx3080}\n";
  const std::size_t from = text.find(proto);
  REQUIRE(from != std::string::npos);
  text.erase(from, proto.size());
  const std::size_t split = text.find("  split:");
  text.insert(split, proto);  // now behind scale
  const Scenario swapped = loaded(text).scenario;
  REQUIRE(swapped.pools[0].name == "scale");
  CHECK(scale_pool(swapped) == PoolId{0});
  CHECK(scale_pool(loaded(lab_text()).scenario) == PoolId{1});
  const std::vector<SharingRule> rules = {SharingRule::overflow};
  // 12 fleets, by ascending share of scale: 0 scale nodes first, 0 proto nodes last.
  const auto source = make_candidates(swapped, rules);
  REQUIRE(source->size() == 12);
  CHECK(source->make(0).label == "0+17");
  CHECK(source->make(11).label == "11+0");
}

TEST_CASE("A budget that the fabric cannot spend is told") {
  Diagnostics diagnostics;
  LoadOptions options;
  options.set = {"budget.capital=100000000 USD"};
  const auto result = load_scenario_text("x.yaml", lab_text(), options, diagnostics);
  REQUIRE(result.has_value());
  REQUIRE(!diagnostics.empty());
  CHECK_THAT(diagnostics.sorted().front().message, Catch::Contains("no port for a further node"));
}

TEST_CASE("Candidates: every maximal fleet under every rule, with keys that survive more replications") {
  const std::vector<SharingRule> rules = {SharingRule::strict, SharingRule::one_pool};
  const Scenario base = loaded(lab_text()).scenario;
  const auto source = make_candidates(base, rules);
  const std::size_t fleets = source->size() / 2;
  CHECK(source->size() == 2 * fleets);
  CHECK(fleets == 12);  // of 300 000 USD at these prices
  const Candidate first = source->make(0), last = source->make(source->size() - 1);
  CHECK(first.scenario.scheduler.sharing == SharingRule::strict);
  CHECK(last.scenario.scheduler.sharing == SharingRule::one_pool);
  CHECK(first.label ==
        std::to_string(first.scenario.pools[0].count) + "+" + std::to_string(first.scenario.pools[1].count));
  CHECK(first.key.size() == 64);
  std::set<std::string> keys;
  for (std::size_t i = 0; i < source->size(); ++i) keys.insert(source->make(i).key);
  CHECK(keys.size() == source->size());

  Scenario more = base;
  more.time.replications = 200;
  CHECK(make_candidates(more, rules)->make(3).key == source->make(3).key);
  Scenario other = base;
  other.seed = 3;
  CHECK(make_candidates(other, rules)->make(3).key != source->make(3).key);
  Scenario hotter = base;  // the same names, another catalogue
  hotter.pools[0].node.gpu.board_power.value = Watts{1.0};
  CHECK(make_candidates(hotter, rules)->make(3).key != source->make(3).key);

  Scenario given = base;
  given.study.candidates = CandidateRule::as_given;
  const auto one = make_candidates(given, rules);
  CHECK(one->size() == 2);
  CHECK(one->make(0).label == "13+3");
}
