// study.axes: values, roles, faults at their places, candidates of choices, cells of conditions.
#include <fmt/format.h>

#include <set>

#include "scenarios/loader/axis_values.hpp"
#include "sim/economics/economics.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

/// The lab, price draws off, with these axes; an '@' marks the place of a fault.
Marked with_axes(const std::string& axes) {
  return edited({{"  price_draws: 200 ", "  axes: " + axes + "\n  # price_draws: 200 "}});
}

std::string fault_of(const std::string& axes) {
  const Marked text = with_axes(axes);
  INFO(axes);
  const Outcome outcome = load_text(text.text);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.places == text.places);
  return outcome.messages.front();
}

std::vector<std::string> values_of(const AxisRange& range) {
  auto values = expand(range);
  if (const auto* fault = std::get_if<UnitError>(&values)) FAIL(fault->message);
  return std::get<std::vector<std::string>>(values);
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("A range gives values in the form of its ends") {
  CHECK(values_of({"10 %", "60 %", "10 %", {}}) == Texts{"10 %", "20 %", "30 %", "40 %", "50 %", "60 %"});
  CHECK(values_of({"100000 USD", "400000 USD", "150000 USD", {}}) ==
        Texts{"100000 USD", "250000 USD", "400000 USD"});
  CHECK(values_of({"0.35", "0.95", "0.15", {}}) == Texts{"0.35", "0.5", "0.65", "0.8", "0.95"});
  // The end is no value where no step reaches it.
  CHECK(values_of({"1 h", "6 h", "2 h", {}}) == Texts{"1 h", "3 h", "5 h"});
  CHECK(values_of({"0", "2 h", "1 h", {}}) == Texts{"0 h", "1 h", "2 h"});
  CHECK(values_of({"3 h", "3 h", "1 h", {}}) == Texts{"3 h"});
}

TEST_CASE("A count gives equal steps, or with scale log equal ratios") {
  CHECK(values_of({"1", "4", "", 4}) == Texts{"1", "2", "3", "4"});
  // 1000^(1/3) = 10
  CHECK(values_of({"1 W", "1000 W", "", 4, true}) == Texts{"1 W", "10 W", "100 W", "1000 W"});
  // 2^(1/2) = 1.41421
  CHECK(values_of({"1", "2", "", 3, true}) == Texts{"1", "1.41421", "2"});
  CHECK(values_of({"10", "100", "", 4, true, true}) == Texts{"10", "22", "46", "100"});
}

TEST_CASE("Axes that hold no value are faults that say why") {
  CHECK_THAT(fault_of("{@site.pue: []}"), Catch::StartsWith("the axis has no value"));
  CHECK_THAT(fault_of("{@site.pue: {from: 1.5, to: 1.2, step: 0.1}}"), Catch::Contains("there is no value"));
  CHECK_THAT(fault_of("{@site.pue: {from: 1.2, to: 1.5, step: 0}}"),
             Catch::StartsWith("a step of 0 never reaches"));
  CHECK_THAT(fault_of("{@site.pue: {from: 1.2, to: 1.5, step: -0.1}}"), Catch::StartsWith("a step of -0.1"));
  CHECK_THAT(fault_of("{@site.pue: {from: 1.2, to: 1.5}}"), Catch::StartsWith("nothing says how far"));
  CHECK_THAT(fault_of("{@site.power_limit: {from: 60 kW, to: 90000 W, step: 10 kW}}"),
             Catch::Contains("different units"));
  CHECK_THAT(fault_of("{@workload.users: {from: 1, to: 1000000, step: 1}}"), Catch::Contains("too many"));
  CHECK_THAT(
      fault_of("{@workload.users: {from: 10, to: 12, count: 9}}"),
      Catch::Contains("9 values from 10 to 12 are not all different when rounded (write 'count: 3' or"));
  CHECK_THAT(fault_of("{@site.pue: {from: 0, to: 2, count: 3, scale: log}}"),
             Catch::Contains("begins above 0"));
  CHECK_THAT(fault_of("{site.pue: @1.2}"), Catch::StartsWith("an axis has several values"));
  CHECK_THAT(fault_of("{site.pue: [1.2, @1.2]}"), Catch::StartsWith("the value 1.2 stands twice"));
  CHECK_THAT(load_text(with_axes("{}").text).messages,
             Catch::VectorContains(std::string("'axes' names no path (write e.g. {fabric.link: [...]})")));
}

TEST_CASE("Keys that are no axis are refused with the reason") {
  for (const std::string path : {"study.indifference", "time.replications", "seed", "name", "advice.tree"})
    CHECK_THAT(fault_of(fmt::format("{{@{}: [1, 2]}}", path)),
               Catch::StartsWith(fmt::format("'{}' is no axis", path)));
  CHECK_THAT(fault_of("{@scheduler.sharing: [strict, overflow]}"),
             Catch::Contains("every sharing rule is compared"));
  CHECK_THAT(fault_of("{@workload.trace.file: [a.swf, b.swf]}"),
             Catch::Contains("a recorded workload is read once"));
  CHECK_THAT(fault_of("{@sites.pue: [1, 2]}"), Catch::Contains("did you mean 'site'?"));
  CHECK_THAT(fault_of("{@workload.users: {values: [10, 20], role: choice}}"),
             Catch::StartsWith("the jobs are no choice"));
  CHECK_THAT(fault_of("{site.rack: [{units: 42}], @site.rack.units: [42, 48]}"),
             Catch::Contains("change the same key"));
}

TEST_CASE("What a key refuses is told at the axis, with the value and the key's own words") {
  CHECK_THAT(fault_of("{site.pue: [1.2, @0.5]}"), Catch::StartsWith("site.pue refuses the value 0.5: "));
  CHECK_THAT(fault_of("{site.pue: {values: [1.2, @0.5]}}"),
             Catch::StartsWith("site.pue refuses the value 0.5: "));
  CHECK_THAT(fault_of("{@site.pue: {from: 0.9, to: 1.1, step: 0.1}}"),
             Catch::StartsWith("site.pue refuses the value 0.9: "));
  CHECK_THAT(fault_of("{site.puee: [@1.2]}"),
             Catch::Contains("unknown key 'puee'") && Catch::Contains("did you mean 'pue'?"));
  CHECK_THAT(fault_of("{@workload.classes.protoype.gpu_memory: [8 GB]}"),
             Catch::Contains("'workload.classes' has no 'protoype'") &&
                 Catch::Contains("did you mean 'prototype'?"));
  CHECK_THAT(fault_of("{fabric.link: [infiniband-edr, @infiniband-ebr]}"), Catch::Contains("infiniband-ebr"));
  CHECK_THAT(fault_of("{workload.demand.scale_share: [30 %, @120 %]}"),
             Catch::Contains("refuses the value 120 %"));
}

TEST_CASE(
    "Choices lie below fabric, scheduler and fleet, conditions elsewhere, unless the axis says otherwise") {
  const Scenario s = loaded(with_axes("{fabric.link: [infiniband-edr, infiniband-hdr], site.pue: [1.2, 1.5], "
                                      "scheduler.type: {values: [fifo, easy], role: condition}, "
                                      "budget.capital: {values: [300000 USD], role: choice}}")
                                .text)
                         .scenario;
  REQUIRE(s.study.axes.size() == 4);
  CHECK(s.study.axes[0].role == AxisRole::choice);
  CHECK(s.study.axes[1].role == AxisRole::condition);
  CHECK(s.study.axes[2].role == AxisRole::condition);
  CHECK(s.study.axes[3].role == AxisRole::choice);
  CHECK(s.study.axes[3].values == Texts{"300000 USD"});
}

TEST_CASE("The canonical text keeps the axes, and a wish of the file as an axis of one value") {
  const LoadedScenario first =
      loaded(edited({{"  users: 30\n", "  users: 30\n  demand: {load: 0.4, scale_share: 25 %}\n"},
                     {"  price_draws: 200 ",
                      "  axes: {workload.demand.scale_share: [10 %, 20 %]}\n  # price_draws: 200 "}})
                 .text);
  REQUIRE(first.scenario.study.axes.size() == 2);
  CHECK(first.scenario.study.axes[1].path == "workload.demand.load");
  CHECK(first.scenario.study.axes[1].values == Texts{"0.4"});
  const LoadedScenario again = loaded(first.canonical);
  CHECK(again.canonical == first.canonical);
  const auto cells = make_cells(first.scenario, "", ""), same = make_cells(again.scenario, "", "");
  REQUIRE(cells->size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(dump_scenario(cells->make(i)) == dump_scenario(same->make(i)));
    CHECK_THAT(offered_load(cells->make(i)).load, Catch::WithinAbs(0.4, 1e-9));
    CHECK_THAT(offered_load(cells->make(i)).s, Catch::WithinAbs(i == 0 ? 0.1 : 0.2, 1e-9));
  }
}

TEST_CASE("Cells are the product of the conditions, the last axis fastest") {
  const Scenario s = loaded(with_axes("{workload.users: [10, 20], site.pue: [1.2, 1.4, 1.6]}").text).scenario;
  const auto cells = make_cells(s, "", "");
  REQUIRE(cells->size() == 6);
  CHECK(cells->axes()[0].name == "users");
  CHECK(cells->at(4) == std::vector<std::size_t>{1, 1});
  const Scenario made = cells->make(4);
  CHECK(made.workload.users == 20);
  CHECK(made.site.pue == 1.4);
  CHECK(made.study.axes.empty());
  // What --set makes is the same scenario.
  LoadOptions options;
  options.set = {"workload.users=20", "site.pue=1.4"};
  const Scenario set =
      loaded(edited({{"  price_draws: 200 ", "  # price_draws: 200 "}}).text, options).scenario;
  CHECK(dump_scenario(made) == dump_scenario(set));
  CHECK(make_cells(loaded(lab_text()).scenario, "", "") == nullptr);
}

TEST_CASE("Candidates of choices carry the choice in their labels and keys") {
  const Scenario s =
      loaded(with_axes("{fabric.link: [infiniband-edr, infiniband-hdr], scheduler.type: [easy, fifo]}").text)
          .scenario;
  Scenario plain = s;
  plain.study.axes.clear();
  const std::vector<SharingRule> rules = {SharingRule::strict, SharingRule::overflow};
  const auto source = make_candidates(s, rules), without = make_candidates(plain, rules);
  CHECK(source->size() >= 3 * without->size());
  std::set<std::string> keys, labels;
  for (std::size_t i = 0; i < source->size(); ++i) {
    const Candidate c = source->make(i);
    keys.insert(c.key);
    labels.insert(c.label + to_string(c.scenario.scheduler.sharing));
  }
  CHECK(keys.size() == source->size());
  CHECK(labels.size() == source->size());
  CHECK_THAT(source->make(0).label, Catch::EndsWith(" link=infiniband-edr,type=easy"));
  // The base's own values make the base's own candidates.
  CHECK(source->make(0).key == without->make(0).key);
}

TEST_CASE("Equal candidates of several choices are there once") {
  // maximal-fleets overrides the split, so its values make no difference.
  const Scenario s = loaded(with_axes("{fleet.split: [{scale: 27 %}, {scale: 50 %}]}").text).scenario;
  Scenario plain = s;
  plain.study.axes.clear();
  const std::vector<SharingRule> rules = {SharingRule::overflow};
  CHECK(make_candidates(s, rules)->size() == make_candidates(plain, rules)->size());
}

TEST_CASE("A choice may not change the pools, and prices are not drawn over choices") {
  CHECK_THAT(fault_of("{fleet.existing: [@[{node: supermicro-8x-rtx3080, count: 1}]]}"),
             Catch::StartsWith(
                 "fleet.existing refuses the value [{node: supermicro-8x-rtx3080, count: 1}]: the pools "
                 "of the fleet differ"));
  const Marked text =
      edited({{"  price_draws: 200 ", "  @axes: {fabric.link: [infiniband-edr]}\n  price_draws: 200 "}});
  const Outcome outcome = load_text(text.text);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.places == text.places);
  CHECK_THAT(outcome.messages.front(),
             Catch::StartsWith("prices are not drawn for candidates of several choices"));
}
