#include "sim/study/pooling.hpp"

#include "sim/study/study.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// Pools of 1, 2, ... machines with these waits (s) against four private machines that wait 100 s.
Pooling compared(const std::vector<std::vector<double>>& pools) {
  StudyResult study;
  CandidateResult row;
  row.counts = {4};
  study.candidates.push_back(row);
  std::vector<std::vector<double>> waits{std::vector<double>(pools.front().size(), 100.0)};
  for (std::size_t i = 0; i < pools.size(); ++i) {
    row.counts = {static_cast<int>(i) + 1};
    study.candidates.push_back(row);
    waits.push_back(pools[i]);
  }
  return compare_pools(study, waits);
}

}  // namespace

TEST_CASE("the least pool is the first from which on every pool surely waits no longer") {
  const Pooling p = compared({{500, 510, 490}, {40, 50, 45}, {20, 10, 15}});
  CHECK(p.sizes[0].answer == "longer");
  CHECK(p.sizes[1].answer == "no longer");
  CHECK(p.least == 2);
  CHECK(p.first_open == 2);
  CHECK(least_pool(p)->candidate == 2);
  CHECK(p.sizes[1].difference.mean_s == Approx(-55.0));
  const std::string verdict = pooling_verdict(p, 3);
  CHECK(verdict.starts_with(
      "A pool of 2 of 4 machines waits no longer than 4 private ones: p95 0.8 min against"));
  CHECK(verdict.find("with fewer than 2 it waits longer") != std::string::npos);
  CHECK(verdict.find("undecided") == std::string::npos);
}

TEST_CASE("a pool whose difference may have either sign is undecided, never the answer") {
  const Pooling p = compared({{500, 510, 490}, {40, 160, 95}, {20, 10, 15}});
  CHECK(p.sizes[1].answer == "undecided");
  CHECK(p.least == 3);
  CHECK(p.first_open == 2);
  CHECK(pooling_verdict(p, 3).find("2 machines is undecided: the interval is too wide to say") !=
        std::string::npos);
}

TEST_CASE("equal waits are no longer waits, and one replication decides nothing") {
  CHECK(compared({{100, 100, 100, 100, 100, 100}}).least == 1);
  CHECK(compared({{100, 100, 100}}).least == 0);  // three ties may be chance
  const Pooling one = compared({{10}, {20}});
  CHECK(one.least == 0);
  CHECK(least_pool(one) == nullptr);
  CHECK(pooling_verdict(one, 3).starts_with(
      "No pool of up to 2 machines surely waits no longer than 4 private ones"));
}
