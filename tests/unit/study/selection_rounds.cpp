#include "sim/study/selection_rounds.hpp"

#include <cmath>
#include <limits>

#include "sim/study/statistics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

using Entry = SelectionRounds::Entry;
using Standing = SelectionRounds::Standing;

constexpr RoundsSettings kSmall{4, 20, 0.02, 0.95};  // looks 4, 6, 9, 14, 20

/// n values about `mean`, alternating by +-`swing`: a little, for four equal differences would decide
/// nothing.
KnownCandidate about(int n, double mean, double swing = 0.01) {
  KnownCandidate c;
  for (int r = 0; r < n; ++r) c.values.push_back(mean + (r % 2 == 0 ? swing : -swing));
  return c;
}

}  // namespace

TEST_CASE("looks grow by half until the cap") {
  CHECK(looks(kSmall) == std::vector<int>{4, 6, 9, 14, 20});
  CHECK(looks({10, 100, 0.02, 0.95}) == std::vector<int>{10, 15, 23, 35, 53, 80, 100});
  CHECK(looks({7, 7, 0.02, 0.95}) == std::vector<int>{7});
}

TEST_CASE(
    "the first round is half of an exhaustive study, at least 5, and the cap five times as much as it") {
  const RoundsSettings lab = rounds_settings(20, 0, 0.03);
  CHECK(lab.first == 10);
  CHECK(lab.cap == 100);
  CHECK(lab.indifference == 0.03);
  CHECK(rounds_settings(2, 0, 0.02).first == 5);
  CHECK(rounds_settings(2, 0, 0.02).cap == 10);
  CHECK(rounds_settings(20, 4, 0.02).first == 4);
  CHECK(rounds_settings(20, 4, 0.02).cap == 4);
}

TEST_CASE("the error is shared by all pairs and all looks") {
  // 5 looks, 4 candidates: 0.05 * 4/5 / (5 * 3) for a pair at a look, 0.05 / 5 / 5 for constraints.
  const RoundsErrors errors = rounds_errors(kSmall, 4);
  CHECK(errors.comparison == Approx(0.05 * 0.8 / 15.0));
  CHECK(errors.constraint == Approx(0.05 * 0.2 / 5.0));
  CHECK(SelectionRounds(kSmall, 4).level() == Approx(1.0 - 0.05 * 0.8 / 15.0));
  CHECK(SelectionRounds(kSmall, 1).level() == Approx(1.0 - 0.05 * 0.8 / 5.0));
}

TEST_CASE("every candidate is in the first round, and clear differences need no second") {
  SelectionRounds rounds(kSmall, 3);
  CHECK(rounds.round() == 1);
  CHECK(rounds.list() == std::vector<Entry>{{0, 0, 4}, {1, 0, 4}, {2, 0, 4}});
  rounds.tell({about(4, 130.0), about(4, 100.0), about(4, 100.5)});
  CHECK(rounds.ended());
  CHECK(rounds.decided());
  CHECK(rounds.standing(0) == Standing::worse);
  CHECK(rounds.standing(1) == Standing::best);
  CHECK(rounds.standing(2) == Standing::member);
  CHECK(rounds.set().members == std::vector<int>{1, 2});
  CHECK(rounds.replications(0) == 4);
}

TEST_CASE("only the best and the undecided go on, to the next look, and the cap ends it undecided") {
  SelectionRounds rounds(kSmall, 3);
  const auto known = [](int n) {
    return std::vector<KnownCandidate>{about(4, 150.0, 1.0), about(n, 100.0), about(n, 101.0, 30.0)};
  };
  rounds.tell(known(4));
  for (const auto& [from, to] : {std::pair{4, 6}, {6, 9}, {9, 14}, {14, 20}}) {
    CHECK(rounds.list() == std::vector<Entry>{{1, from, to}, {2, from, to}});
    rounds.tell(known(to));
  }
  CHECK(rounds.ended());
  CHECK_FALSE(rounds.decided());
  CHECK(rounds.round() == 5);
  CHECK(rounds.last_round(0) == 1);
  CHECK(rounds.last_round(2) == 5);
  CHECK(rounds.standing(0) == Standing::worse);
  CHECK(rounds.standing(2) == Standing::open);
  CHECK(rounds.set().undecided == std::vector<int>{2});
}

TEST_CASE("a candidate that surely breaks a constraint is out, and is nobody's measure") {
  SelectionRounds rounds(kSmall, 3);
  KnownCandidate fast = about(4, 50.0);
  fast.feasible = false;
  fast.out = "surely saturated";
  rounds.tell({fast, about(4, 100.0), about(4, 120.0)});
  CHECK(rounds.ended());
  CHECK(rounds.decided());
  CHECK(rounds.standing(0) == Standing::out);
  CHECK(rounds.standing(1) == Standing::best);
  CHECK(rounds.standing(2) == Standing::worse);
}

TEST_CASE("a fast candidate that breaks a constraint by its mean, but not surely, goes on") {
  SelectionRounds rounds(kSmall, 3);
  KnownCandidate fast = about(4, 50.0), slow = about(4, 200.0);
  fast.feasible = slow.feasible = false;
  rounds.tell({fast, about(4, 100.0), slow});
  CHECK(rounds.standing(0) == Standing::open);
  CHECK(rounds.standing(2) == Standing::worse);  // whether it keeps its constraints no longer matters
  CHECK(rounds.list() == std::vector<Entry>{{0, 4, 6}, {1, 4, 6}});
}

TEST_CASE("what fell behind a fleet that later falls out itself is brought up again") {
  SelectionRounds rounds(kSmall, 3);
  rounds.tell({about(4, 80.0), about(4, 100.0), about(4, 82.0, 20.0)});
  CHECK(rounds.standing(1) == Standing::worse);
  REQUIRE(rounds.list() == std::vector<Entry>{{0, 4, 6}, {2, 4, 6}});
  KnownCandidate gone = about(6, 80.0);
  gone.feasible = false;
  gone.out = "surely saturated";
  // Candidate 2 is all that is left with six replications; 1 is compared with it, undecided, and brought up.
  rounds.tell({gone, about(4, 100.0), about(6, 100.5, 20.0)});
  CHECK(rounds.list() == std::vector<Entry>{{1, 4, 6}});
  rounds.tell({gone, about(6, 100.0), about(6, 100.5, 20.0)});
  CHECK(rounds.set().best == 1);
  CHECK(rounds.list() == std::vector<Entry>{{1, 6, 9}, {2, 6, 9}});
}

TEST_CASE("a waiting member that is ahead of the new best is brought up alone") {
  SelectionRounds rounds(kSmall, 3);
  rounds.tell({about(4, 100.0), about(4, 100.1), about(4, 101.0, 30.0)});
  CHECK(rounds.standing(1) == Standing::member);
  REQUIRE(rounds.list() == std::vector<Entry>{{0, 4, 6}, {2, 4, 6}});
  KnownCandidate rising = about(4, 100.0);  // the first four are what they were
  rising.values.push_back(140.0);
  rising.values.push_back(140.0);
  // Mean of 2 over six: (4 * 101 + 2 * 101) / 6 = 101, of 0: 113.3: the best with six is 2. Over the first
  // four 1 has 100.1 against 101: ahead, so it is the best so far and is brought up before anything else.
  rounds.tell({rising, about(4, 100.1), about(6, 101.0, 30.0)});
  CHECK(rounds.set().best == 1);
  CHECK(rounds.list() == std::vector<Entry>{{1, 4, 6}});
}

TEST_CASE("without any fleet that keeps its constraints all go on until it is sure or the cap is reached") {
  SelectionRounds rounds(kSmall, 2);
  const auto known = [](int n) {
    KnownCandidate a = about(n, 100.0), b = about(n, 130.0);
    a.feasible = b.feasible = false;
    return std::vector<KnownCandidate>{a, b};
  };
  rounds.tell(known(4));
  CHECK(rounds.set().best == -1);
  CHECK(rounds.list() == std::vector<Entry>{{0, 4, 6}, {1, 4, 6}});
  for (const int n : {6, 9, 14, 20}) rounds.tell(known(n));
  CHECK(rounds.ended());
  CHECK_FALSE(rounds.decided());
}

TEST_CASE("one candidate is the best after the first round; none at all are decided at once") {
  SelectionRounds one(kSmall, 1);
  one.tell({about(4, 100.0, 10.0)});
  CHECK(one.ended());
  CHECK(one.decided());
  CHECK(one.set().best == 0);
  CHECK(SelectionRounds(kSmall, 0).ended());
  CHECK(SelectionRounds(kSmall, 0).decided());
}

TEST_CASE("candidates of unequal length are compared over the replications they share") {
  // Over the first four 0 is 10 % slower; that 1 then meets harder jobs (200) does not count against it.
  const CandidateValues shorter{0, {110.0, 110.0, 110.0, 110.0}};
  const CandidateValues longer{1, {100.0, 100.0, 100.0, 100.0, 200.0, 200.0}};
  const BestSet set = select_best(SharingRule::strict, 1.0, {shorter, longer}, 0.02);
  CHECK(set.best == 1);
  REQUIRE(set.differences.size() == 2);
  CHECK(set.differences[0].percent == Approx(10.0));
  CHECK(set.members == std::vector<int>{1});
}

TEST_CASE("a decided best goes on alone until its own interval is as narrow as asked for, or to the cap") {
  RoundsSettings settings = kSmall;
  settings.precision = 0.05;
  SelectionRounds rounds(settings, 2);
  // 100 +- 10: half of the interval t(0.975, 3) x 11.5 / 2 = 18.4 %; of 6: 11.5 %, of 9: 8.2 %, of 14: 6.0 %,
  // of 20 4.8 %: not below 5 / 1.05 = 4.76 %.
  const auto known = [](int n) {
    return std::vector<KnownCandidate>{about(n, 100.0, 10.0), about(4, 300.0, 10.0)};
  };
  rounds.tell(known(4));
  for (const auto& [from, to] : {std::pair{4, 6}, {6, 9}, {9, 14}, {14, 20}}) {
    REQUIRE(rounds.list() == std::vector<Entry>{{0, from, to}});
    rounds.tell(known(to));
  }
  CHECK(rounds.ended());
  CHECK(rounds.decided());
  settings.precision = 0.20;  // 16.7 %: met by 6
  SelectionRounds coarse(settings, 2);
  coarse.tell(known(4));
  REQUIRE(coarse.list() == std::vector<Entry>{{0, 4, 6}});
  coarse.tell(known(6));
  CHECK(coarse.ended());
}
