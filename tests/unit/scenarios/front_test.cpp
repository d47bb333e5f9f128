// study.front: what it takes, what it refuses and where.
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

/// The lab scenario with this front; '@' marks the place of the fault.
Marked with_front(const std::string& front) {
  return edited({{"  search: exhaustive", "  search: exhaustive\n  @front: " + front}});
}

}  // namespace

TEST_CASE("A front names two figures: objectives, the cost of a year, metrics with their class") {
  const LoadedScenario loaded_ =
      loaded(edited({{"  search: exhaustive",
                      "  search: exhaustive\n  front: [wait_s_p95(prototype), cost_per_year]"}})
                 .text);
  const auto& front = loaded_.scenario.study.front;
  REQUIRE(front.size() == 2);
  CHECK(front[0].metric == "wait_s_p95");
  CHECK(front[0].job_class == ClassId{0});
  CHECK(front[0].text == "wait_s_p95(prototype)");
  CHECK(front[1].metric == "cost_per_year");
  CHECK(loaded_.canonical.find("  front:\n    - ") != std::string::npos);
  // and the canonical text is read back
  CHECK(loaded(loaded_.canonical).scenario.study.front.size() == 2);
}

TEST_CASE("A scenario without a front has none in its canonical text") {
  CHECK(loaded(lab_text()).canonical.find("front") == std::string::npos);
}

TEST_CASE(
    "A front of one or three figures, twice the same, an unknown one or one without a class is refused") {
  refuses(with_front("[capex]"), "'front' names 1 figure, and a front is of two");
  refuses(with_front("[capex, time_to_result, wait_s]"), "'front' names 3 figures");
  const auto at = [](const std::string& front) {
    return edited({{"  search: exhaustive", "  search: exhaustive\n  front: " + front}});
  };
  refuses(at("@capex"), "'front' is a list of two figures");
  refuses(at("[capex, @capex]"), "both figures of the front are capex");
  refuses(at("[capex, @capx]"), "unknown metric: 'capx' (did you mean 'capex'?)");
  refuses(at("[capex, @capex(prototype)]"), "capex is not counted by class (leave the class out)");
  refuses(at("[capex, wait_s(@prototyp)]"), "unknown class: 'prototyp' (did you mean 'prototype'?)");
  refuses(at("[capex, wait_s(@group vision)]"),
          "there are no groups of users (name them in workload.groups)");
}

TEST_CASE("Time to a result on a front needs a class that promotes") {
  Marked text = edited({{"      promotes_to: {class: scale_up, probability: 0.33 %, pause: 12 h}", "      #"},
                        {"  search: exhaustive", "  search: exhaustive\n  front: [capex, @time_to_result]"}});
  const Outcome o = load_text(text.text);
  bool said = false;
  for (std::size_t i = 0; i < o.messages.size(); ++i)
    said = said ||
           (o.messages[i].find("no class promotes to another, so that time_to_result is never defined") !=
                std::string::npos &&
            o.places[i] == text.places[0]);
  CHECK(said);
}
