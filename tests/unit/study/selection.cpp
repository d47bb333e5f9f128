#include "sim/study/selection.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// n replications, mean `mean`, alternating by +-`swing` (n even: the mean is exact).
std::vector<double> alternating(int n, double mean, double swing) {
  std::vector<double> values;
  for (int r = 0; r < n; ++r) values.push_back(mean + (r % 2 == 0 ? swing : -swing));
  return values;
}

BestSet select(const std::vector<CandidateValues>& ranked) {
  return select_best(SharingRule::overflow, 30.0, ranked, 0.02);
}

}  // namespace

TEST_CASE("candidates fall into best set, undecided and worse") {
  const std::vector<double> shared = alternating(20, 100.0, 10.0);
  std::vector<double> near = shared, far = shared, wide = shared;
  for (int r = 0; r < 20; ++r) {
    near[static_cast<std::size_t>(r)] *= 1.01;  // always 1 % worse: inside the zone of 2 %
    far[static_cast<std::size_t>(r)] *= 1.10;   // always 10 % worse
    wide[static_cast<std::size_t>(r)] += 5.0 + (r % 4 < 2 ? 40 : -40);  // 5 % worse on average, give or take
  }
  const BestSet set = select({{4, far}, {5, shared}, {6, near}, {7, wide}});
  CHECK(set.best == 5);
  CHECK(set.members == std::vector<int>{5, 6});
  CHECK(set.undecided == std::vector<int>{7});
  REQUIRE(set.differences.size() == 4);
  CHECK(set.differences[0].candidate == 4);
  CHECK(set.differences[0].percent == Approx(10.0));
  CHECK(set.differences[1].percent == 0.0);
  CHECK(set.sharing == SharingRule::overflow);
  CHECK(set.k == 30.0);
}

TEST_CASE("the same difference is significant alone and undecided among twelve") {
  // base = 100, no spread. a: mean 110, swing 13.0767: sd = 13.0767 * sqrt(20 / 19) = 13.4164,
  // error = 13.4164 / sqrt(20) = 3 %.
  // Alone: t(0.975, 19) = 2.093: low = 10 - 6.28 = 3.7 > 2 %: worse.
  // Among twelve: t(1 - 0.05 / 22, 19) = 3.2: low = 10 - 9.6 = 0.4, high = 19.6: holds 2 %: undecided.
  const std::vector<double> base(20, 100.0);
  const std::vector<double> a = alternating(20, 110.0, 13.0767);
  std::vector<CandidateValues> ranked{{0, base}, {1, a}};
  const BestSet alone = select(ranked);
  CHECK(alone.members == std::vector<int>{0});
  CHECK(alone.undecided.empty());
  CHECK(alone.differences[1].high == Approx(10.0 + 2.0930 * 3.0).epsilon(1e-4));
  for (int c = 2; c < 12; ++c) ranked.push_back({c, std::vector<double>(20, 200.0)});
  const BestSet among = select(ranked);
  CHECK(among.members == std::vector<int>{0});
  CHECK(among.undecided == std::vector<int>{1});
}

TEST_CASE("a wide interval around an equal mean is undecided, never a tie") {
  const BestSet set = select({{0, alternating(4, 100.0, 0.0)}, {1, alternating(4, 100.5, 50.0)}});
  CHECK(set.best == 0);
  CHECK(set.undecided == std::vector<int>{1});
}

TEST_CASE("a significant difference inside the indifference zone does not matter") {
  const BestSet set = select({{0, std::vector<double>(20, 100.0)}, {1, alternating(20, 101.0, 0.1)}});
  CHECK(set.differences[1].low > 0.0);
  CHECK(set.members == std::vector<int>{0, 1});
}

TEST_CASE("one replication decides nothing") {
  const BestSet set = select({{0, {100.0}}, {1, {300.0}}});
  CHECK(set.best == 0);
  CHECK(set.members == std::vector<int>{0});
  CHECK(set.undecided == std::vector<int>{1});
}

TEST_CASE("candidates without a value are not ranked, and nothing ranked gives no best") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const BestSet set = select({{0, {nan, nan}}, {1, {300.0, 300.0}}});
  CHECK(set.best == 1);
  CHECK(set.differences.size() == 1);
  CHECK(select({{0, {nan}}}).best == -1);
  CHECK(select({}).best == -1);
}
