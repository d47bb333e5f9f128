// The Pareto front against a naive twin, and how often it is wrong where the truth is known.
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "sim/base/rng.hpp"
#include "sim/study/front_judgement.hpp"
#include "sim/study/statistics.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

using Means = std::vector<std::array<double, 2>>;
constexpr std::array<bool, 2> kRandom{false, false};

bool beats(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1]);
}

/// By the definition, from true values.
bool on_true_front(const Means& means, std::size_t i) {
  return std::none_of(means.begin(), means.end(), [&](const auto& other) { return beats(other, means[i]); });
}

std::vector<FrontScores> constant(const Means& means, int replications) {
  std::vector<FrontScores> all;
  for (const auto& m : means)
    all.push_back({std::vector<double>(static_cast<std::size_t>(replications), m[0]),
                   std::vector<double>(static_cast<std::size_t>(replications), m[1])});
  return all;
}

/// Means with noise that all fleets share in a replication, and noise of their own.
std::vector<FrontScores> noisy(Rng& rng, const Means& means, int replications, double common, double own) {
  std::vector<FrontScores> all(means.size());
  for (int r = 0; r < replications; ++r) {
    const double shared = common * rng.normal();
    for (std::size_t c = 0; c < means.size(); ++c)
      for (std::size_t q = 0; q < 2; ++q) all[c][q].push_back(means[c][q] + shared + own * rng.normal());
  }
  return all;
}

/// Whether j surely dominates i, written out.
bool surely_dominates(const FrontScores& j, const FrontScores& i, double error) {
  std::array<double, 2> low{};
  for (std::size_t q = 0; q < 2; ++q) {
    std::vector<double> d;
    for (std::size_t r = 0; r < std::min(i[q].size(), j[q].size()); ++r) d.push_back(i[q][r] - j[q][r]);
    const Summary s = summarise(d, "");
    if (s.n < 2) return false;
    const double se = (s.ci95_high - s.mean) / t_quantile(0.975, s.n - 1);
    low[q] = s.mean - t_quantile(1.0 - error / 2.0, s.n - 1) * se;
  }
  return low[0] >= 0.0 && low[1] >= 0.0 && (low[0] > 0.0 || low[1] > 0.0);
}

}  // namespace

TEST_CASE("Without variance the front is the exact one of a naive twin, and nothing is undecided") {
  CHECK(rc::check([] {
    const int fleets = *rc::gen::inRange(1, 25);
    Means means;
    for (int i = 0; i < fleets; ++i)  // few values, so that ties in one figure and in both occur
      means.push_back(
          {static_cast<double>(*rc::gen::inRange(0, 6)), static_cast<double>(*rc::gen::inRange(0, 6))});
    const std::array<bool, 2> exact{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
    const double error = front_error(means.size(), exact, 1, 0.95);
    const auto judged = judge_front(constant(means, *rc::gen::inRange(15, 19)), exact, error);
    RC_ASSERT(judged.size() == means.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      const bool front = on_true_front(means, i);
      RC_ASSERT(judged[i].standing == (front ? FrontStanding::on_front : FrontStanding::dominated));
      if (!front) RC_ASSERT(beats(means[judged[i].by], means[i]));
      const auto rivals = std::count_if(means.begin(), means.end(),
                                        [&](const auto& other) { return beats(other, means[i]); });
      RC_ASSERT(judged[i].rivals == rivals);
    }
  }));
}

TEST_CASE("The front never holds a fleet that another one surely dominates") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::arbitrary<std::uint64_t>(), 0, "front");
    const int fleets = *rc::gen::inRange(2, 12), replications = *rc::gen::inRange(1, 12);
    Means means;
    for (int i = 0; i < fleets; ++i) means.push_back({10.0 * rng.uniform(), 10.0 * rng.uniform()});
    auto scores = noisy(rng, means, replications, 3.0, 0.3);
    for (FrontScores& s : scores) {  // some were dropped early
      const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, replications + 1));
      s[0].resize(n), s[1].resize(n);
    }
    const double error = front_error(means.size(), kRandom, 3, 0.95);
    const auto judged = judge_front(scores, kRandom, error);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      bool sure = false;
      for (std::size_t j = 0; j < scores.size(); ++j)
        sure = sure || (j != i && surely_dominates(scores[j], scores[i], error));
      RC_ASSERT((judged[i].standing == FrontStanding::dominated) == sure);
      if (sure) RC_ASSERT(surely_dominates(scores[judged[i].by], scores[i], error));
    }
  }));
}

TEST_CASE("Neither the order of the fleets nor the units of the figures change who is on the front") {
  CHECK(rc::check([] {
    Rng rng(*rc::gen::arbitrary<std::uint64_t>(), 0, "front");
    Means means;
    for (int i = 0; i < 8; ++i) means.push_back({4.0 * rng.uniform(), 4.0 * rng.uniform()});
    auto scores = noisy(rng, means, 6, 2.0, 0.3);
    const double error = front_error(8, kRandom, 1, 0.95);
    const auto before = judge_front(scores, kRandom, error);
    std::reverse(scores.begin(), scores.end());
    for (FrontScores& s : scores) {
      for (double& v : s[0]) v *= 1024.0;  // exact in binary
      std::swap(s[0], s[1]);
    }
    auto after = judge_front(scores, kRandom, error);
    std::reverse(after.begin(), after.end());
    for (std::size_t i = 0; i < before.size(); ++i) {
      RC_ASSERT(before[i].standing == after[i].standing);
      RC_ASSERT(before[i].rivals == after[i].rivals);
    }
  }));
}

namespace {

/// Studies of these fleets in which a word is wrong, at the level of the study and without its correction.
struct Wrong {
  int corrected = 0, uncorrected = 0, said_dominated = 0, said_front = 0;
};

/// `dominated`, `front`: fleets of which the judgement should be able to tell it.
Wrong studies(const Means& means, const std::array<bool, 2>& exact, std::size_t dominated, std::size_t front,
              int number) {
  Wrong wrong;
  for (int i = 0; i < number; ++i) {
    Rng rng(2026, static_cast<std::uint32_t>(i), "front");
    auto scores = noisy(rng, means, 10, 1.0, 0.1);
    for (std::size_t q = 0; q < 2; ++q)
      for (std::size_t c = 0; exact[q] && c < means.size(); ++c) scores[c][q].assign(10, means[c][q]);
    const auto errs = [&](const std::vector<FrontJudgement>& judged) {
      for (std::size_t c = 0; c < means.size(); ++c) {
        const bool truly = on_true_front(means, c);
        if (judged[c].standing == FrontStanding::dominated && truly) return 1;
        if (judged[c].standing == FrontStanding::on_front && !truly) return 1;
      }
      return 0;
    };
    const auto judged = judge_front(scores, exact, front_error(means.size(), exact, 1, 0.95));
    wrong.corrected += errs(judged);
    wrong.uncorrected += errs(judge_front(scores, exact, 0.05));
    wrong.said_dominated += judged[dominated].standing == FrontStanding::dominated ? 1 : 0;
    wrong.said_front += judged[front].standing == FrontStanding::on_front ? 1 : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("What is called dominated or on the front is wrong in at most 5 % of studies") {
  // Ten fleets with ties: 0 to 3 are equal in both figures, all on the true front. 4 and 5 tie with them in
  // one figure and are dominated. 6 and 7 lie far behind, 8 and 9 are far ahead in one figure.
  // P(a wrong word anywhere) <= 5 % by Bonferroni; 3 standard errors of 1000 trials at 5 % are 2.1 %.
  const Means means = {{1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}, {1.0, 1.2},
                       {1.2, 1.0}, {2.0, 2.0}, {2.0, 3.0}, {0.5, 4.0}, {4.0, 0.5}};
  const Wrong wrong = studies(means, kRandom, 7, 8, 1000);
  CHECK(wrong.corrected <= 71);
  // And it does say something: differences of 0.5 and more at a standard error of 0.045.
  CHECK(wrong.said_dominated > 950);
  CHECK(wrong.said_front > 950);
}

TEST_CASE("The level holds where the second figure is exact and ties, the hardest case") {
  // 0 to 5 have the same price and the same true wait: one wrong interval of their 15 pairs and a fleet is
  // called dominated that is not. 6 waits as long and is dearer, so that calling it on the front is wrong.
  const Means means = {{1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0},
                       {1.0, 1.0}, {1.0, 2.0}, {2.0, 2.0}, {3.0, 0.5}};
  const Wrong wrong = studies(means, {false, true}, 7, 8, 1000);
  CHECK(wrong.corrected <= 71);
  CHECK(wrong.uncorrected > 200);  // so that the test can see a wrong level
  CHECK(wrong.said_dominated > 950);
  CHECK(wrong.said_front > 950);
}
