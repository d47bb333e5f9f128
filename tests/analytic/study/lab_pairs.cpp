// Common random numbers at work: how few replications tell the fleets of the lab apart.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "scenarios/loader/load.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/study.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

constexpr int kPairs = 20;

/// Times to a result of a fleet of the lab under strict sharing, by replication of 26 weeks.
std::map<std::string, std::vector<double>> lab_hours(const std::vector<std::string>& labels) {
  LoadOptions options;
  options.set = {"study.price_draws=0"};
  Diagnostics diagnostics;
  std::string source;
  const auto lab =
      load_scenario(FLEETSIM_SOURCE_DIR "/scenarios/lab-66-33.yaml", options, diagnostics, source);
  REQUIRE(lab);
  REQUIRE(lab->scenario.time.measure == 26 * kWeek);
  const auto fleets = make_candidates(lab->scenario, {SharingRule::strict});
  std::map<std::string, std::vector<double>> hours;
  for (std::size_t i = 0; i < fleets->size(); ++i) {
    const Candidate c = fleets->make(i);
    const std::string fleet = c.label.substr(0, c.label.find(' '));
    if (std::find(labels.begin(), labels.end(), fleet) == labels.end()) continue;
    const std::vector<RunResult> runs = replicate(c.scenario, 0, kPairs, 0);
    hours[fleet] = times_to_result(c.scenario, runs, lab->scenario.study.prototypes_per_result);
  }
  return hours;
}

/// Pairs from which on the 95 % interval of the difference leaves out 0, up to the last; more than there are:
/// never.
int pairs_needed(const std::vector<double>& a, const std::vector<double>& b) {
  int needed = kPairs + 1;
  for (int n = kPairs; n >= 2; --n) {
    const RelativeDifference d =
        paired_difference({a.begin(), a.begin() + n}, {b.begin(), b.begin() + n}, 0.95);
    if (d.low <= 0.0 && d.high >= 0.0) break;
    needed = n;
  }
  return needed;
}

}  // namespace

TEST_CASE("at most 20 pairs of 26 weeks tell 13+3 and 11+4 from 9+5 under strict sharing") {
  const auto hours = lab_hours({"13+3", "11+4", "9+5"});
  REQUIRE(hours.size() == 3);
  const int far = pairs_needed(hours.at("13+3"), hours.at("9+5"));
  const int near = pairs_needed(hours.at("11+4"), hours.at("9+5"));
  UNSCOPED_INFO("13+3 against 9+5: " << far << " pairs; 11+4 against 9+5: " << near);
  for (const auto& [fleet, values] : hours) {
    const Summary s = summarise(values, "h");
    UNSCOPED_INFO(fleet << ": " << s.mean << " h (" << s.ci95_low << " to " << s.ci95_high << ")");
  }
  CHECK(far <= kPairs);
  CHECK(near <= kPairs);
}
