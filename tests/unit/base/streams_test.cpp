// Random streams, replay hash and time.
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/hash.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/rng.hpp"
#include "sim/base/time.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

TEST_CASE("A stream depends on all four parts of its name and on nothing else") {
  const auto first = [](std::uint64_t seed, std::uint32_t replication, const char* purpose,
                        std::uint64_t entity) { return Rng(seed, replication, purpose, entity).uniform(); };
  const double base = first(1, 0, "arrivals", 7);
  CHECK(first(1, 0, "arrivals", 7) == base);
  CHECK(first(2, 0, "arrivals", 7) != base);
  CHECK(first(1, 1, "arrivals", 7) != base);
  CHECK(first(1, 0, "sizes", 7) != base);
  CHECK(first(1, 0, "arrivals", 8) != base);
}

TEST_CASE("Every distribution takes one draw, so streams stay aligned") {
  Rng a(5, 0, "test"), b(5, 0, "test");
  for (int i = 0; i < 4; ++i) static_cast<void>(a.uniform());
  static_cast<void>(b.exponential(3.0));
  static_cast<void>(b.normal());
  static_cast<void>(b.lognormal(0.0, 1.0));
  static_cast<void>(b.bernoulli(0.5));
  CHECK(a.uniform() == b.uniform());
}

TEST_CASE("Distributions have the moments that they promise") {
  // Means of n = 200000 draws; tolerance 5 standard errors = 5 sigma / sqrt(n).
  constexpr int n = 200'000;
  Rng rng(2020, 0, "moments");
  double uniform = 0.0, exponential = 0.0, normal = 0.0, square = 0.0;
  int heads = 0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
    uniform += u;
    exponential += rng.exponential(3.0);
    const double z = rng.normal();
    normal += z;
    square += z * z;
    heads += rng.bernoulli(0.25) ? 1 : 0;
  }
  const double error = 5.0 / std::sqrt(n);
  CHECK(std::abs(uniform / n - 0.5) < error * std::sqrt(1.0 / 12.0));
  CHECK(std::abs(exponential / n - 3.0) < error * 3.0);
  CHECK(std::abs(normal / n) < error);
  CHECK(std::abs(square / n - 1.0) < error * std::sqrt(2.0));
  CHECK(std::abs(static_cast<double>(heads) / n - 0.25) < error * std::sqrt(0.25 * 0.75));
}

TEST_CASE("The normal quantile and its distribution function are inverse") {
  // Tables of the standard normal law: quantile(0.975) = 1.959963984540054.
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-14));
  CHECK(normal_quantile(0.5) == Approx(0.0).margin(1e-15));
  CHECK(normal_cdf(1.959963984540054) == Approx(0.975).epsilon(1e-14));
  for (const double p : {1e-12, 0.01, 0.3, 0.9, 0.999999})
    CHECK(normal_cdf(normal_quantile(p)) == Approx(p).epsilon(1e-10));
}

TEST_CASE("The replay hash depends on order, length and every bit") {
  const auto of = [](const std::vector<std::uint64_t>& words) {
    ReplayHash hash;
    for (const std::uint64_t word : words) hash.mix(word);
    return hash.value();
  };
  CHECK(of({1, 2}) == of({1, 2}));
  CHECK(of({1, 2}) != of({2, 1}));
  CHECK(of({1, 2}) != of({1, 2, 0}));
  CHECK(of({}) != of({0}));
  for (int bit = 0; bit < 64; ++bit) CHECK(of({std::uint64_t{1} << bit}) != of({0}));
  ReplayHash a, b;
  a.mix("ab");
  a.mix("c");
  b.mix("a");
  b.mix("bc");
  CHECK(a.value() != b.value());
}

TEST_CASE("Time is whole microseconds, rounded half away from zero") {
  CHECK(from_seconds(1.0).count() == 1'000'000);
  CHECK(from_seconds(0.0000005).count() == 1);
  CHECK(from_seconds(-0.0000005).count() == -1);
  CHECK(to_seconds(kWeek) == 604800.0);
  CHECK(to_hours(kDay) == 24.0);
  CHECK((kNever + 100 * kWeek) > kNever);  // no overflow
}

TEST_CASE("Money is whole micro-units") {
  CHECK(usd(0.83).count() * 3 == 2'490'000);
  CHECK(usd(std::int64_t{302}) * 20 == Money{6'040'000'000});
  CHECK(scaled(usd(std::int64_t{302}), 0.2) == usd(60.4));
  CHECK(to_usd(Money{1'500'000}) == 1.5);
}
