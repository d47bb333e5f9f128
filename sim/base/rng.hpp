// Named random streams. A stream is a pure function of (seed, replication, purpose, entity): two fleets that
// draw "arrivals of user 7" get the same numbers, whatever else they draw.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace fleetsim {

/// std::mt19937_64 (its output is fixed by the standard), seeded from a hash of the stream's name.
/// Distributions are our own inversions, one draw each, so that streams stay aligned; the std ones are
/// implementation-defined.
class Rng {
 public:
  Rng(std::uint64_t seed, std::uint32_t replication, std::string_view purpose, std::uint64_t entity = 0);

  /// Uniform on [0, 1), 53 random bits.
  double uniform();
  /// Exponential with the given mean.
  double exponential(double mean);
  double normal();
  /// exp(mu + sigma * normal()).
  double lognormal(double mu, double sigma);
  bool bernoulli(double probability) { return uniform() < probability; }

 private:
  std::mt19937_64 engine_;
};

/// Standard normal quantile of p in (0, 1). Boost.Math, in double precision on every platform.
[[nodiscard]] double normal_quantile(double p);
/// Standard normal distribution function.
[[nodiscard]] double normal_cdf(double x);

}  // namespace fleetsim
