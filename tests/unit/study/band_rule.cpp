// The rule's verdict from intervals made by hand.
#include "sim/study/band_rule.hpp"

#include <map>
#include <utility>

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

constexpr Keeps kKept = Keeps::surely, kOpen = Keeps::open, kBroken = Keeps::broken;

/// Each fleet is so much slower than the first, in percent, give or take: intervals of two of them are
/// differences, and as wide as both.
struct HandMade {
  bool inside;
  double percent, give;
  Keeps keeps = kKept;
};

BandJudgement judge_by_hand(const std::vector<HandMade>& made, double zone = 2.0) {
  std::vector<BandFleet> fleets;
  for (std::size_t i = 0; i < made.size(); ++i)
    fleets.push_back({static_cast<int>(10 + i), made[i].inside, made[i].keeps});
  return judge_band(
      fleets,
      [&](std::size_t i, std::size_t j) {
        const double d = made[i].percent - made[j].percent, half = made[i].give + made[j].give;
        return WorseBy{d, d - half, d + half};
      },
      zone);
}

using OpenFleets = std::vector<int>;

}  // namespace

TEST_CASE(
    "the rule holds when no fleet outside the band can be ahead of the best inside by more than the zone") {
  // 1 % +- 1 % behind the best outside: at most 2 %.
  CHECK(judge_by_hand({{true, 1.0, 0.5}, {false, 0.0, 0.5}, {false, 30.0, 5.0}}).status == "holds");
  CHECK(judge_by_hand({{true, 1.0, 0.5}, {false, 0.0, 0.5}}).open.empty());
  // 1 % +- 1.1 %
  const BandJudgement wide = judge_by_hand({{true, 1.0, 0.6}, {false, 0.0, 0.5}, {false, 30.0, 5.0}});
  CHECK(wide.status == "undecided");
  CHECK(wide.open == OpenFleets{10, 11});
}

TEST_CASE(
    "the rule is refuted when every fleet inside is surely behind by more than the zone, or surely out") {
  CHECK(judge_by_hand({{true, 5.0, 1.0}, {true, 9.0, 1.0}, {false, 0.0, 1.0}}).status == "refuted");
  CHECK(judge_by_hand({{true, -50.0, 1.0, kBroken}, {true, 9.0, 1.0}, {false, 0.0, 1.0}}).status ==
        "refuted");
  // 4 % +- 2 %: may be the zone itself
  const BandJudgement open = judge_by_hand({{true, 4.0, 1.0}, {true, 9.0, 1.0}, {false, 0.0, 1.0}});
  CHECK(open.status == "undecided");
  CHECK(open.open == OpenFleets{10, 12});
}

TEST_CASE("a fleet that may break a constraint neither proves nor refutes, and keeps the rule open") {
  // Inside, fast, its constraints open: it may be what makes the rule true.
  CHECK(judge_by_hand({{true, -5.0, 1.0, kOpen}, {true, 9.0, 1.0}, {false, 0.0, 1.0}}).open ==
        OpenFleets{10, 12});
  // Outside, fast, open: it may be what makes it false, and cannot be the measure.
  CHECK(judge_by_hand({{true, 0.0, 0.5}, {false, -9.0, 0.5, kOpen}, {false, 1.0, 0.5}}).open ==
        OpenFleets{10, 11});
  // Slow fleets may break what they like.
  CHECK(judge_by_hand({{true, 0.0, 0.5}, {false, 9.0, 0.5, kOpen}, {false, 1.0, 0.5}}).status == "holds");
  CHECK(judge_by_hand({{true, 9.0, 0.5, kOpen}, {false, 0.0, 0.5}}).status == "refuted");
  // Without one outside that surely keeps them there is nothing to be worse than; all outside out: it holds.
  CHECK(judge_by_hand({{true, 9.0, 0.5}, {false, 0.0, 0.5, kOpen}}).status == "undecided");
  CHECK(judge_by_hand({{true, 9.0, 0.5}, {false, 0.0, 0.5, kBroken}}).status == "holds");
  CHECK(judge_by_hand({{true, 9.0, 0.5, kOpen}, {false, 0.0, 0.5, kBroken}}).open == OpenFleets{10});
}

TEST_CASE("a fleet outside that is surely behind another one outside need not be matched") {
  // 2 is surely slower than 1, but moves so little with 0 that 0 is not surely within the zone of it.
  const std::vector<BandFleet> fleets{{0, true, kKept}, {1, false, kKept}, {2, false, kKept}};
  const auto judged = [&](double low_of_2_to_1) {
    return judge_band(
        fleets,
        [&](std::size_t i, std::size_t j) {
          if (i == 0 && j == 1) return WorseBy{1.0, 0.5, 1.5};
          if (i == 2 && j == 1) return WorseBy{3.0, low_of_2_to_1, 6.0};
          return WorseBy{-2.0, -6.0, 3.0};  // 0 against 2
        },
        2.0);
  };
  CHECK(judged(0.1).status == "holds");
  CHECK(judged(-0.1).status == "undecided");
  CHECK(judged(-0.1).open == OpenFleets{0, 2});
}

TEST_CASE(
    "without a fleet on either side, or without any that keeps up, nothing is decided and none keeps it "
    "open") {
  for (const BandJudgement& j : {judge_by_hand({}), judge_by_hand({{true, 0.0, 0.0}}),
                                 judge_by_hand({{false, 0.0, 0.0}, {false, 9.0, 0.0}}),
                                 judge_by_hand({{true, 0.0, 0.0, kBroken}, {false, 9.0, 0.0, kBroken}})}) {
    CHECK(j.status == "undecided");
    CHECK(j.open.empty());
  }
}

TEST_CASE("what is not known decides nothing") {
  const std::vector<BandFleet> fleets{{0, true, kKept}, {1, false, kKept}};
  const BandJudgement j = judge_band(
      fleets, [](std::size_t, std::size_t) { return WorseBy{}; }, 2.0);
  CHECK(j.status == "undecided");
  CHECK(j.open == OpenFleets{0, 1});
}

TEST_CASE("the wider intervals of fewer replications open a verdict, and never turn it") {
  // The same means and half, twice, four times the width, over a grid of both.
  for (int a = -20; a <= 20; ++a)
    for (const double give : {0.1, 0.4, 1.0, 3.0}) {
      const auto at = [&](double times) {
        return judge_by_hand(
                   {{true, 0.5 * a, give * times}, {true, 0.7 * a, give * times}, {false, 0.0, give * times}})
            .status;
      };
      const std::string narrow = at(1.0);
      for (const double times : {2.0, 4.0}) {
        const std::string wide = at(times);
        CHECK((wide == narrow || wide == "undecided"));
      }
    }
}
