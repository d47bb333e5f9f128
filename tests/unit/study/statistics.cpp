#include "sim/study/statistics.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("the t quantile equals the printed tables") {
  CHECK(t_quantile(0.975, 1) == Approx(12.7062).epsilon(1e-5));
  CHECK(t_quantile(0.975, 4) == Approx(2.7764).epsilon(1e-4));
  CHECK(t_quantile(0.975, 19) == Approx(2.0930).epsilon(1e-4));
  CHECK(t_quantile(0.995, 10) == Approx(3.1693).epsilon(1e-4));
}

TEST_CASE("a summary is the mean with a 95 % t interval") {
  const Summary s = summarise({1, 2, 3, 4, 5}, "h");
  CHECK(s.n == 5);
  CHECK(s.unit == "h");
  CHECK(s.mean == Approx(3.0));
  // sd^2 = (4 + 1 + 0 + 1 + 4) / 4 = 2.5; half = t(0.975, 4) * sqrt(2.5 / 5) = 2.7764 * 0.70711 = 1.96324
  CHECK(s.ci95_high - s.mean == Approx(1.96324).epsilon(1e-4));
  CHECK(s.mean - s.ci95_low == Approx(1.96324).epsilon(1e-4));
}

TEST_CASE("undefined replications are left out of a summary and counted") {
  const Summary s = summarise({1, kNan, 3}, "h");
  CHECK(s.n == 2);
  CHECK(s.mean == Approx(2.0));
}

TEST_CASE("one replication gives an infinite interval, none gives NaN") {
  const Summary one = summarise({7.0}, "h");
  CHECK(one.mean == 7.0);
  CHECK(one.ci95_low == -std::numeric_limits<double>::infinity());
  CHECK(one.ci95_high == std::numeric_limits<double>::infinity());
  const Summary none = summarise({kNan}, "h");
  CHECK(none.n == 0);
  CHECK(std::isnan(none.mean));
  CHECK(std::isnan(none.ci95_low));
  CHECK(std::isnan(none.ci95_high));
}

TEST_CASE("equal values have an interval of width zero") {
  const Summary s = summarise({0.25, 0.25, 0.25}, "ratio");
  CHECK(s.ci95_low == 0.25);
  CHECK(s.ci95_high == 0.25);
}

TEST_CASE("a paired difference is the ratio of means less one, with the spread of the residuals") {
  // R = (11 + 13) / (10 + 10) = 1.2; residuals 11 - 12 = -1 and 13 - 12 = +1; sd = sqrt(2)
  // error of R = sqrt(2) / sqrt(2) / 10 = 0.1; half = t(0.975, 1) * 0.1 = 1.27062 = 127.062 %
  const RelativeDifference d = paired_difference({11, 13}, {10, 10}, 0.95);
  CHECK(d.pairs == 2);
  CHECK(d.percent == Approx(20.0));
  CHECK(d.low == Approx(20.0 - 127.062).epsilon(1e-4));
  CHECK(d.high == Approx(20.0 + 127.062).epsilon(1e-4));
}

TEST_CASE("what both fleets share cancels in a paired difference") {
  // a = 1.1 * base in each replication: exactly 10 %, however much the replications differ.
  // Six pairs: 1 - 2^-5 = 97 % prove a tie at 95 %.
  const RelativeDifference d =
      paired_difference({11, 110, 1100, 22, 33, 44}, {10, 100, 1000, 20, 30, 40}, 0.95);
  CHECK(d.percent == Approx(10.0));
  CHECK(d.low == Approx(10.0));
  CHECK(d.high == Approx(10.0));
}

TEST_CASE("equal pairs prove no more than their number does") {
  // 1 - 2^(1 - n): 1, 2, 5, 6, 10 values
  CHECK(tie_confidence(0) == 0.0);
  CHECK(tie_confidence(1) == 0.0);
  CHECK(tie_confidence(2) == 0.5);
  CHECK(tie_confidence(5) == 0.9375);
  CHECK(tie_confidence(6) == 0.96875);
  CHECK(tie_confidence(10) == 1.0 - 1.0 / 512.0);
  const auto equal = [](int n, double level, bool exact = false) {
    const auto size = static_cast<std::size_t>(n);
    return paired_difference(std::vector<double>(size, 12.3), std::vector<double>(size, 10.0), level, exact);
  };
  CHECK(equal(5, 0.95).percent == Approx(23.0));
  CHECK(std::isinf(equal(5, 0.95).low));
  CHECK(std::isinf(equal(5, 0.95).high));
  CHECK(equal(6, 0.95).low == Approx(23.0));
  CHECK(std::isinf(equal(9, 1.0 - 0.05 / 15.0).high));
  CHECK(equal(10, 1.0 - 0.05 / 15.0).high == Approx(23.0));
  // A price is no sample.
  CHECK(equal(1, 0.95, true).low == Approx(23.0));
}

TEST_CASE("only replications in which both are defined are paired") {
  const RelativeDifference d = paired_difference({11, kNan, 11, 99}, {10, 5, 10, kNan}, 0.95);
  CHECK(d.pairs == 2);
  CHECK(d.percent == Approx(10.0));
  const RelativeDifference one = paired_difference({11}, {10}, 0.95);
  CHECK(one.percent == Approx(10.0));
  CHECK(std::isinf(one.low));
  CHECK(std::isinf(one.high));
  CHECK(std::isnan(paired_difference({kNan}, {10}, 0.95).percent));
}
