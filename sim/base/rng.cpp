#include "sim/base/rng.hpp"

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/base/hash.hpp"

namespace fleetsim {

namespace {

// Promotion to long double would make the last bits depend on the platform.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
const boost::math::normal_distribution<double, Policy> kStandardNormal;

std::uint64_t stream_seed(std::uint64_t seed, std::uint32_t replication, std::string_view purpose,
                          std::uint64_t entity) {
  ReplayHash name;
  name.mix(seed);
  name.mix(replication);
  name.mix(purpose);
  name.mix(entity);
  return name.value();
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint32_t replication, std::string_view purpose, std::uint64_t entity)
    : engine_(stream_seed(seed, replication, purpose, entity)) {}

double Rng::uniform() {
  return static_cast<double>(engine_() >> 11) * 0x1.0p-53;
}

double Rng::exponential(double mean) {
  return -mean * std::log(1.0 - uniform());
}

// Half a step of 2^-53 keeps the argument strictly between 0 and 1.
double Rng::normal() {
  return normal_quantile(uniform() + 0x1.0p-54);
}

double Rng::lognormal(double mu, double sigma) {
  return std::exp(mu + sigma * normal());
}

double normal_quantile(double p) {
  FLEETSIM_ASSERT(p > 0.0 && p < 1.0);
  return boost::math::quantile(kStandardNormal, p);
}

double normal_cdf(double x) {
  return boost::math::cdf(kStandardNormal, x);
}

}  // namespace fleetsim
