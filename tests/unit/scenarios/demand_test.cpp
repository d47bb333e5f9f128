// workload.demand: arrivals and promotion for a wished load and scale-up share.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

/// The lab with `demand: ...` under workload; an '@' marks the place of a fault.
Marked with_demand(const std::string& demand) {
  return edited({{"  users: 30\n", "  users: 30\n  demand: " + demand + "\n"}});
}

OfferedLoad load_of(const std::string& demand) {
  return offered_load(loaded(with_demand(demand).text).scenario);
}

/// The only fault, as `message (hint)`; its place is the mark's.
std::string fault_of(const Marked& text) {
  const Outcome outcome = load_text(text.text);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.places == text.places);
  return outcome.messages.front();
}

}  // namespace

TEST_CASE("A wished load and scale-up share are what the loaded scenario offers") {
  for (const double load : {0.05, 0.35, 0.5, 0.95, 1.4}) {
    for (const double s : {0.0, 0.1, 0.3, 0.6, 0.9}) {
      // load = (D_A + D_B) / node budget, s = D_B / (D_A + D_B)
      const OfferedLoad made = load_of(fmt::format("{{load: {}, scale_share: {} %}}", load, 100.0 * s));
      CHECK_THAT(made.load, Catch::WithinAbs(load, 1e-9));
      CHECK_THAT(made.s, Catch::WithinAbs(s, 1e-9));
    }
  }
}

TEST_CASE("A wish for one of the two leaves the figures of the other as they are") {
  const Scenario lab = loaded(lab_text()).scenario;
  const Scenario by_load = loaded(with_demand("{load: 0.8}").text).scenario;
  CHECK_THAT(offered_load(by_load).load, Catch::WithinAbs(0.8, 1e-9));
  CHECK_THAT(offered_load(by_load).s, Catch::WithinAbs(offered_load(lab).s, 1e-9));
  CHECK(by_load.workload.classes[0].promotes_to->probability ==
        lab.workload.classes[0].promotes_to->probability);
  const Scenario by_share = loaded(with_demand("{scale_share: 55 %}").text).scenario;
  CHECK_THAT(offered_load(by_share).s, Catch::WithinAbs(0.55, 1e-9));
  CHECK(by_share.workload.classes[0].arrivals->per_user == lab.workload.classes[0].arrivals->per_user);
}

TEST_CASE("All classes that arrive are scaled by one factor") {
  const std::string second =
      "    night:\n      arrivals: {per_user: 2 /day}\n      gpus: 1\n      wall_time: {fixed: 1 h}\n"
      "    scale_up:\n";
  const Scenario before = loaded(edited({{"    scale_up:\n", second}}).text).scenario;
  const Scenario after =
      loaded(edited({{"    scale_up:\n", second}, {"  users: 30\n", "  users: 30\n  demand: {load: 0.9}\n"}})
                 .text)
          .scenario;
  const auto ratio = [&](std::size_t c) {
    return after.workload.classes[c].arrivals->per_user.count() /
           before.workload.classes[c].arrivals->per_user.count();
  };
  CHECK(ratio(0) != Approx(1.0));
  CHECK_THAT(ratio(1), Catch::WithinRel(ratio(0), 1e-12));
  CHECK_THAT(offered_load(after).load, Catch::WithinAbs(0.9, 1e-9));
}

TEST_CASE("The wish is resolved: the canonical text holds plain figures and loads to the same") {
  const LoadedScenario first = loaded(with_demand("{load: 0.7, scale_share: 20 %}").text);
  CHECK_THAT(first.canonical, !Catch::Contains("demand"));
  const LoadedScenario again = loaded(first.canonical);
  CHECK(again.canonical == first.canonical);
  CHECK(again.scenario.workload.classes[0].arrivals->per_user ==
        first.scenario.workload.classes[0].arrivals->per_user);
  CHECK(again.demand_set.empty());
  REQUIRE(first.demand_set.size() == 2);
  CHECK_THAT(first.demand_set[0],
             Catch::StartsWith("prototype: ") && Catch::Contains("times the 8.5 of the file"));
  CHECK_THAT(first.demand_set[1],
             Catch::Contains("prototype -> scale_up") && Catch::Contains("instead of 0.33 %"));
}

TEST_CASE("A share that no probability reaches names what can be reached") {
  // The largest s: p = 1. With 39.6 h of one to two 3090 nodes behind every prototype s is nearly 1, so a
  // prototype that is as large as its result makes the bound plain: s = D_B / (D_A + D_B).
  Marked text =
      edited({{"      gpus: {1: 0.70, 2: 0.20, 4: 0.10}\n      wall_time: {lognormal: {median: 1.36 h, mean: "
               "3.15 h, max: 24 h}, reference: supermicro-8x-rtx3080}",
               "      gpus: 8\n      wall_time: {fixed: 24 h}"},
              {"  users: 30\n", "  users: 30\n  demand: {scale_share: @90 %}\n"}});
  const std::string fault = fault_of(text);
  CHECK_THAT(fault,
             Catch::StartsWith("a scale-up share of 90 % cannot be reached with these sizes and run times: "
                               "the probability of promotion would lie above 1 (reachable: 0 % to "));
  // What the hint names can be had, and a little more cannot.
  const double most = std::stod(fault.substr(fault.find("0 % to ") + 7));
  REQUIRE(most > 50.0);
  REQUIRE(most < 90.0);
  const auto at = [&](double percent) {
    std::string changed = text.text;
    changed.replace(changed.find("90 %"), 4, fmt::format("{} %", percent));
    return load_text(changed).loaded.has_value();
  };
  CHECK(at(most - 0.1));
  CHECK_FALSE(at(most + 0.1));
}

TEST_CASE("A wish that means nothing is a fault at its place") {
  CHECK_THAT(fault_of(edited({{"  users: 30\n", "  users: 30\n  @demand: {}\n"}})),
             Catch::StartsWith("'demand' names neither 'load' nor 'scale_share'"));
  CHECK_THAT(fault_of(with_demand("{load: @-1}")), Catch::Contains("-1"));
  CHECK_THAT(fault_of(with_demand("{load: @0}")), Catch::Contains("0"));
  CHECK_THAT(fault_of(with_demand("{load: 0.5, @s: 0.3}")), Catch::Contains("unknown key 's'"));
  Marked alone =
      edited({{"      promotes_to: {class: scale_up, probability: 0.33 %, pause: 12 h}", "      # promotes"},
              {"    scale_up:\n", "    scale_up:\n      arrivals: {per_user: 0.01 /day}\n"},
              {"  users: 30\n", "  users: 30\n  demand: {scale_share: @30 %}\n"}});
  CHECK_THAT(fault_of(alone), Catch::StartsWith("no class promotes to another"));
  const Outcome loop = load_text(edited({{"arrivals: {per_user: 8.5 /day, profile: office-hours}",
                                          "arrivals: {closed_loop: {think_time: 8 h}}"},
                                         {"  users: 30\n", "  users: 30\n  demand: {load: 0.5}\n"}})
                                     .text);
  CHECK_FALSE(loop.loaded);
  CHECK(std::any_of(loop.messages.begin(), loop.messages.end(), [](const std::string& message) {
    return message.find("a class whose arrivals are a closed loop has no rate") != std::string::npos;
  }));
  // 255 jobs a day at load 0.5 are 510 000 a day at load 1000, over 38 weeks: 1.4e8 jobs.
  CHECK_THAT(fault_of(edited(
                 {{"\nworkload:\n  users: 30\n", "\n@workload:\n  users: 30\n  demand: {load: 1000}\n"}})),
             Catch::Contains("jobs would arrive in one replication"));
  CHECK_THAT(
      fault_of(edited({{"  users: 30\n", "  users: 1\n  demand: {load: @900}\n"}, {"26 weeks", "1 weeks"}})),
      Catch::StartsWith("a load of 900 needs more than one job a second of every user (reachable: up to "));
}

TEST_CASE("Beside a trace the classes make what the trace leaves of the load") {
  const TemporaryFolder folder;
  // One job of 8 GPUs for 1000 h in the 30 weeks before the end of the window, and a last one at the end.
  std::ofstream(folder.path / "x.swf")
      << "; MaxProcs: 8\n1 0 -1 3600000 8 -1 -1 8 3600000 -1 1 1 1 1 1 -1 -1 -1\n"
         "2 18000000 -1 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\n";
  const auto load = [&](const std::string& demand) {
    Diagnostics diagnostics;
    const std::string text =
        edited({{"  users: 30\n", "  users: 30\n  demand: " + demand + "\n"},
                {"  # trace: {file: jobs.swf}", "  trace: {file: x.swf, partition: proto}  #"}})
            .text;
    auto made = load_scenario_text((folder.path / "x.yaml").string(), text, {}, diagnostics);
    std::string said;
    for (const Diagnostic& d : diagnostics.sorted())
      if (d.severity == Severity::error) said += d.message + " (" + d.hint + ")";
    return std::pair(std::move(made), said);
  };
  const auto [made, said] = load("{load: 0.5, scale_share: 30 %}");
  INFO(said);
  REQUIRE(made);
  const OfferedLoad demand = offered_load(made->scenario);
  REQUIRE(demand.trace);
  CHECK(demand.trace->money > usd(std::int64_t{100}));
  CHECK_THAT(demand.load, Catch::WithinAbs(0.5, 1e-9));
  CHECK_THAT(demand.s, Catch::WithinAbs(0.3, 1e-9));
  const double alone = demand.trace->money / demand.node_budget;
  CHECK_THAT(load(fmt::format("{{load: {}}}", 0.5 * alone)).second, Catch::Contains("the trace alone makes"));
}
