// Closed loops and objectives in a scenario file.
#include "sim/scenario.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scenarios/edited.hpp"

using namespace fleetsim;
using namespace fleetsim::test;

namespace {

const std::string kOpen = "arrivals: {per_user: 8.5 /day, profile: office-hours}";
const std::string kTimed = "objective: {time_to_result: {prototypes_per_result: 30}}";
const Edit kNoDraws{"  price_draws: 200", "  price_draws: 0"};
const Edit kLoop{kOpen, "arrivals: {closed_loop: {think_time: 8 h}}"};
const Edit kByResults{kTimed, "objective: {results_per_week: {}}"};

/// One report, at the mark, that contains `said`.
void refused(const std::vector<Edit>& edits, const std::string& said) {
  const Marked text = edited(edits);
  const Outcome outcome = load_text(text.text);
  INFO("edit: " << edits.back().to);
  for (std::size_t i = 0; i < outcome.messages.size(); ++i)
    UNSCOPED_INFO(outcome.places[i] << ": " << outcome.messages[i]);
  CHECK_FALSE(outcome.loaded.has_value());
  CHECK(outcome.places == text.places);
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.messages[0].find(said) != std::string::npos);
}

}  // namespace

TEST_CASE("A closed loop is read with its think time and one job in flight unless more are asked for") {
  const Scenario one = loaded(edited({kLoop, kByResults, kNoDraws}).text).scenario;
  const ArrivalSpec& arrivals = *one.workload.classes[0].arrivals;
  REQUIRE(arrivals.closed_loop.has_value());
  CHECK(arrivals.closed_loop->mean_think == 8 * kHour);
  CHECK(arrivals.closed_loop->jobs_in_flight == 1);
  CHECK(arrivals.per_user.count() == 0.0);
  CHECK(has_closed_loop(one));
  const Scenario four =
      loaded(edited({{kOpen, "arrivals: {closed_loop: {think_time: 90 min, jobs_in_flight: 4}}"},
                     kByResults,
                     kNoDraws})
                 .text)
          .scenario;
  CHECK(four.workload.classes[0].arrivals->closed_loop->jobs_in_flight == 4);
  CHECK_FALSE(has_closed_loop(loaded(lab_text()).scenario));
}

TEST_CASE("The canonical text of a closed loop and of an objective reads as the same scenario") {
  const LoadedScenario first = loaded(edited({kLoop, kByResults, kNoDraws}).text);
  CHECK(first.canonical.find("closed_loop: {think_time: 8 h, jobs_in_flight: 1}") != std::string::npos);
  CHECK(first.canonical.find("objective: {results_per_week: {}}") != std::string::npos);
  CHECK(first.canonical.find("per_user") == std::string::npos);
  CHECK(loaded(first.canonical).canonical == first.canonical);
}

TEST_CASE("What a closed loop has no use for is refused with its reason") {
  const auto loop = [](const std::string& inside) { return Edit{kOpen, "arrivals: {" + inside + "}"}; };
  refused({kByResults, kNoDraws, loop("closed_loop: {think_time: 8 h}, @per_user: 3 /day")},
          "'per_user' is a rate, and a closed loop has none");
  refused({kByResults, kNoDraws, loop("closed_loop: {think_time: 8 h}, @profile: office-hours")},
          "a closed loop has no profile");
  refused({kByResults, kNoDraws, loop("@closed_loop: {}")}, "lacks the key 'think_time'");
  refused({kByResults, kNoDraws, loop("closed_loop: {think_time: @0 h}")}, "think_time");
  refused({kByResults, kNoDraws, loop("closed_loop: {think_time: @8}")}, "unit");
  refused({kByResults, kNoDraws, loop("closed_loop: {think_time: 8 h, jobs_in_flight: @0}")},
          "jobs_in_flight");
  refused({kByResults, kNoDraws, loop("closed_loop: {think_time: 8 h, @in_flight: 2}")}, "jobs_in_flight");
  refused({kByResults, kNoDraws, loop("closed_loop: @8 h")}, "closed_loop");
  refused({{"  users: 30", "  users: 30\n  @growth: 30 %"}, kByResults, kNoDraws, kLoop},
          "'growth' raises rates of arrival");
  refused({{"workload:\n  users: 30", "@workload:\n  users: 30000"},
           kByResults,
           kNoDraws,
           loop("closed_loop: {think_time: 1 min}")},
          "jobs would arrive in one replication");
  refused({{"    prototype:\n", "    prototype:\n"}, {kOpen, "@arrivals: {}"}}, "lacks the key 'per_user'");
}

TEST_CASE(
    "A study names one objective, and what only time to a result can answer is refused beside another") {
  refused({{kTimed, "@objective: {}"}}, "names no objective");
  refused({{kTimed, "objective: {@result_per_week: {}}"}}, "did you mean 'results_per_week'?");
  refused({{kTimed, "objective: {time_to_result: {}, @results_per_week: {}}"}, kNoDraws},
          "a second objective");
  refused({{kTimed, "objective: {results_per_week: {@prototypes_per_result: 3}}"}, kNoDraws},
          "prototypes_per_result");
  refused({kByResults, {"  price_draws: 200", "  @price_draws: 200"}},
          "'price_draws' compares fleets by time");
  CHECK(loaded(edited({{kTimed, "objective: {time_to_result: {}}"}}).text)
            .scenario.study.prototypes_per_result == 30.0);
}

TEST_CASE("A closed loop that is ranked by time to a result is warned of") {
  const Outcome outcome = load_text(edited({kLoop}).text);
  REQUIRE(outcome.loaded.has_value());
  REQUIRE(outcome.messages.size() == 1);
  CHECK(outcome.messages[0].find("hides what a slow fleet costs (objective: {results_per_week: {}})") !=
        std::string::npos);
  CHECK(load_text(edited({kLoop, kByResults, kNoDraws}).text).messages.empty());
}
