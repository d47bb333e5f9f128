// Fleets that the room refuses are left out of a study and told once.
#include "sim/study/admissible.hpp"

#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;

namespace {

/// One to `most` nodes of the second pool, by two sharing rules.
class Few : public CandidateSource {
 public:
  explicit Few(Scenario base) : base_(std::move(base)) {}
  [[nodiscard]] std::size_t size() const override { return 6; }
  [[nodiscard]] Candidate make(std::size_t i) const override {
    Candidate c;
    c.scenario = base_;
    c.scenario.pools[0].count = 0;
    c.scenario.pools[1].count = static_cast<int>(i % 3) + 1;
    c.scenario.scheduler.sharing = i < 3 ? SharingRule::strict : SharingRule::overflow;
    c.label = std::to_string(i);
    return c;
  }

 private:
  Scenario base_;
};

}  // namespace

TEST_CASE("a study keeps the fleets that the room can feed, in their order, and tells the others once") {
  Scenario base = fixture::lab();
  base.site.pue = 1.5;
  // two nodes: 2 x 3350 x 1.5 = 10.05 kW; three: 15.075 kW
  base.site.power_limit = Watts{10.05e3};
  const Few all(base);
  const AdmissibleCandidates some(all);
  REQUIRE(some.size() == 4);
  CHECK(some.make(0).label == "0");
  CHECK(some.make(1).label == "1");
  CHECK(some.make(2).label == "3");
  CHECK(some.make(3).label == "4");
  REQUIRE(some.rejected().size() == 1);
  CHECK(some.rejected()[0].label == "0+3");
  CHECK(some.rejected()[0].counts == std::vector<int>{0, 3});
  CHECK(some.rejected()[0].share == Approx(1.0));
  CHECK_THAT(some.rejected()[0].reason, Catch::Contains("15.07 kW") || Catch::Contains("15.08 kW"));
  CHECK(all.rejected().empty());
}

TEST_CASE("a study all of whose fleets are refused has a verdict and no candidate") {
  Scenario base = fixture::lab();
  base.site.power_limit = Watts{100.0};
  const Few all(base);
  const AdmissibleCandidates none(all);
  REQUIRE(none.size() == 0);
  const auto study = run_study(base, none, StudyOptions{});
  REQUIRE(study);
  CHECK(study->candidates.empty());
  CHECK(study->rejected.size() == 3);
  CHECK_THAT(study->verdict, Catch::Contains("none that the budget buys may stand in this room"));
}
