// The same study with half and with twice the replications: a verdict may open or close, never turn.
#include <map>

#include "sim/study/verdict.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/made_up.hpp"

using namespace fleetsim;

namespace {

constexpr int kDoublingCounts[][2] = {{8, 1}, {7, 1}, {6, 2}, {5, 2}, {4, 3}, {2, 4}, {0, 5}};
constexpr std::size_t kDoublingFleets = std::size(kDoublingCounts);

Scenario doubling_lab(std::uint64_t seed, int proto, int scale) {
  Scenario s = made_up::scenario(proto, scale);
  s.seed = seed;
  return s;
}

/// Two fleets in the band (20 % and 22 %), five above it; strict, then overflow.
class LabFleets final : public CandidateSource {
 public:
  explicit LabFleets(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] std::size_t size() const override { return 2 * kDoublingFleets; }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    const auto& counts = kDoublingCounts[i % kDoublingFleets];
    Candidate c;
    c.scenario = doubling_lab(seed_, counts[0], counts[1]);
    c.scenario.scheduler.sharing = i < kDoublingFleets ? SharingRule::strict : SharingRule::overflow;
    c.label = fmt::format("{}+{}", counts[0], counts[1]);
    c.key = fmt::format("key-{}", i);
    return c;
  }

 private:
  std::uint64_t seed_;
};

/// Status by sharing rule and k.
std::map<std::string, std::string> verdicts_of_lab(std::uint64_t seed, int replications,
                                                   const std::string& store) {
  Scenario base = doubling_lab(seed, 8, 1);
  base.time.replications = replications;
  StudyOptions options;
  options.store = store;
  options.threads = 2;
  options.engine = "1";
  options.scenario = options.scenario_sha256 = "lab";
  const auto study = run_study(base, LabFleets(seed), options);
  REQUIRE(study);
  std::map<std::string, std::string> all;
  for (const BestSet& set : study->best_sets) {
    REQUIRE(set.band);
    const RuleJudgement judged = judge_rule(*study, set);
    CHECK((judged.status == "undecided" || judged.open.empty()));
    all[fmt::format("{} {:g}", to_string(set.sharing), set.k)] = judged.status;
  }
  return all;
}

bool verdict_turned(const std::string& a, const std::string& b) {
  return a != b && a != "undecided" && b != "undecided";
}

}  // namespace

TEST_CASE("halving or doubling the replications of a study never turns refuted into holds, or back") {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const made_up::Folder folder;
    const std::string store = folder.file("study.db");  // replications are nested: simulated once
    const auto twice = verdicts_of_lab(seed, 24, store), once = verdicts_of_lab(seed, 12, store),
               half = verdicts_of_lab(seed, 6, store);
    REQUIRE(twice.size() == 6);  // two rules, k = 1, 10, 20
    for (const auto& [where, status] : once) {
      INFO(seed << ": " << where << ": " << half.at(where) << ", " << status << ", " << twice.at(where));
      CHECK_FALSE(verdict_turned(half.at(where), status));
      CHECK_FALSE(verdict_turned(status, twice.at(where)));
      CHECK_FALSE(verdict_turned(half.at(where), twice.at(where)));
      ++seen[twice.at(where)];
      // Six replications without an unserved job do not prove that a fleet serves all.
      CHECK(half.at(where) == "undecided");
    }
  }
  UNSCOPED_INFO("refuted " << seen["refuted"] << ", holds " << seen["holds"] << ", undecided "
                           << seen["undecided"]);
  CHECK(seen["refuted"] > 0);
}
