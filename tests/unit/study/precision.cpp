#include "sim/study/precision.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

TEST_CASE("the interval is narrow enough at g / (1 + g) of the mean") {
  // 10 % asked: half may be 9.0909 % of the mean.
  const auto met = [](double half) {
    return judge_precision({100.0, 100.0 - half, 100.0 + half, 20, "h"}, 0.10, 20, 100).met;
  };
  CHECK(met(9.09));
  CHECK_FALSE(met(9.10));
  const PrecisionReached reached = judge_precision({-100.0, -105.0, -95.0, 20, "h"}, 0.10, 20, 100);
  CHECK(reached.reached == Approx(0.05));  // of scores below 0, too
  CHECK(reached.met);
}

TEST_CASE("one replication and a few equal ones have no interval") {
  CHECK_FALSE(judge_precision(summarise({5.0}, "h"), 0.5, 1, 10).met);
  CHECK(std::isnan(judge_precision(summarise({5.0}, "h"), 0.5, 1, 10).reached));
  CHECK_FALSE(judge_precision(summarise(std::vector<double>(5, 5.0), "h"), 0.5, 5, 10).met);
  CHECK(judge_precision(summarise(std::vector<double>(6, 5.0), "h"), 0.5, 6, 10).met);
  CHECK_FALSE(judge_precision(summarise({}, "h"), 0.5, 6, 10).met);
}

TEST_CASE("a quarter more replications, at least one, at most the cap") {
  CHECK(next_replications(2, 100) == 3);
  CHECK(next_replications(20, 100) == 25);
  CHECK(next_replications(90, 100) == 100);
  Scenario s = made_up::scenario(4, 2);  // 4 replications
  CHECK(most_replications(s) == 20);
  s.study.max_replications = 7;
  CHECK(most_replications(s) == 7);
}

TEST_CASE("a run is measured by what fleets are ranked by, without it by the mean wait") {
  Scenario s = made_up::scenario(4, 2);
  std::vector<RunResult> runs = {made_up::run(2.0, 20.0), made_up::run(2.0, 22.0)};
  for (RunResult& run : runs) run.metrics.all.values.push_back({"wait_s", "s", 60.0});
  CandidateResult c = summarise_candidate(s, runs, {10.0});
  CHECK(figure_of_precision(s, c).mean == Approx(41.0));  // 10 x 2 h + 21 h
  CHECK(name_of_precision(s, c) == "time to a result");
  s.study.objective = "capex";
  CHECK(figure_of_precision(s, c).mean == Approx(60.0));
  CHECK(name_of_precision(s, c) == "mean wait");
}

TEST_CASE("the sentence says whether the cap ended it") {
  PrecisionReached reached = judge_precision({100.0, 95.0, 105.0, 20, "h"}, 0.02, 20, 20);
  CHECK(precision_sentence(reached, "mean wait") ==
        "Precision of mean wait asked for: 2 %; half of the 95 % interval is 5.00 % of the mean after 20 "
        "replications, NOT enough: the cap ended it (study.max_replications).");
  reached = judge_precision({100.0, 99.0, 101.0, 20, "h"}, 0.02, 20, 40);
  CHECK_THAT(precision_sentence(reached, "mean wait"), Catch::Contains("which is enough"));
}
