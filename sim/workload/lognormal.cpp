#include "sim/workload/lognormal.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/rng.hpp"

namespace fleetsim {

namespace {

// Below this the normal distribution function comes from its asymptotic series, which has 1e-12 there.
constexpr double kTail = -12.0;
// Search range of z. At -30 the law is within 0.2 % of its limit max * U^a, and cdf(-30) is still a double.
constexpr double kLowestZ = -30.0;
constexpr double kHighestZ = 1e6;
constexpr double kHalfLogTwoPi = 0.91893853320467274178;

/// ln cdf(x) + x^2 / 2, finite where cdf itself underflows.
double log_mills(double x) {
  if (x > kTail) return std::log(normal_cdf(x)) + 0.5 * x * x;
  const double r = 1.0 / (x * x);
  const double series = 1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r * (1.0 - 7.0 * r * (1.0 - 9.0 * r))));
  return std::log(series / -x) - kHalfLogTwoPi;
}

double log_cdf(double x) {
  return x > kTail ? std::log(normal_cdf(x)) : log_mills(x) - 0.5 * x * x;
}

/// Quantile of half the mass below z.
double half_quantile(double z) {
  return normal_quantile(0.5 * normal_cdf(z));
}

/// The laws with a given median and cut, by z.
struct Family {
  double log_median, log_max;

  [[nodiscard]] CutLognormal law(double z) const {
    const double sigma = (log_max - log_median) / (z - half_quantile(z));
    return {log_max - sigma * z, sigma};
  }
  /// ln of the mean. The second form has no large terms that cancel for very wide laws.
  [[nodiscard]] double log_mean(double z) const {
    const double q = half_quantile(z);
    const double sigma = (log_max - log_median) / (z - q);
    if (z > 0.0) return log_median - sigma * q + 0.5 * sigma * sigma + log_cdf(z - sigma) - log_cdf(z);
    return log_max + log_mills(z - sigma) - log_mills(z);
  }
};

/// z with the largest mean. The mean rises from the median (z large) to one maximum; with a distant cut that
/// lies at the lower end of the range.
double widest(const Family& family) {
  constexpr double kStep = 0.25;
  double best = kLowestZ;
  for (double z = kLowestZ; z <= 12.0; z += kStep)
    if (family.log_mean(z) > family.log_mean(best)) best = z;
  double low = std::max(kLowestZ, best - kStep);
  double high = best + kStep;
  for (int i = 0; i < 60; ++i) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    if (family.log_mean(a) >= family.log_mean(b))
      high = b;
    else
      low = a;
  }
  const double refined = 0.5 * (low + high);
  return family.log_mean(refined) > family.log_mean(best) ? refined : best;
}

/// z between `low_mean` and `high_mean` (places where the mean is below and above the target). Halves on an
/// asinh scale: the range spans seven decades.
double bisect(const Family& family, double target, double low_mean, double high_mean) {
  double a = std::asinh(low_mean), b = std::asinh(high_mean);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (a + b);
    if (family.log_mean(std::sinh(middle)) < target)
      a = middle;
    else
      b = middle;
  }
  return std::sinh(0.5 * (a + b));
}

}  // namespace

std::variant<CutLognormal, double> fit_cut_lognormal(double median_s, double mean_s, double max_s) {
  if (!(median_s > 0.0) || !(mean_s > 0.0) || !(max_s > median_s) || !std::isfinite(max_s))
    throw std::invalid_argument("a cut log-normal needs 0 < median < max and a mean above 0");
  if (mean_s == median_s) return CutLognormal{std::log(median_s), 0.0};
  const Family family{std::log(median_s), std::log(max_s)};
  const double target = std::log(mean_s);
  const double peak = widest(family);
  const double largest = family.log_mean(peak);
  if (target > largest) return std::exp(largest);
  if (mean_s > median_s) {
    if (family.log_mean(kHighestZ) >= target) return CutLognormal{family.log_median, 0.0};
    return family.law(bisect(family, target, kHighestZ, peak));
  }
  // A mean below the median: beyond the maximum, where the cut takes more than the tail gives.
  if (family.log_mean(kLowestZ) >= target) return std::exp(largest);
  return family.law(bisect(family, target, kLowestZ, peak));
}

double cut_median(const CutLognormal& law, double max_s) {
  if (law.sigma == 0.0) return std::exp(law.mu);
  return std::exp(law.mu + law.sigma * half_quantile((std::log(max_s) - law.mu) / law.sigma));
}

double cut_mean(const CutLognormal& law, double max_s) {
  if (law.sigma == 0.0) return std::exp(law.mu);
  const double z = (std::log(max_s) - law.mu) / law.sigma;
  return std::exp(law.mu + 0.5 * law.sigma * law.sigma + log_cdf(z - law.sigma) - log_cdf(z));
}

CutLognormalDraw::CutLognormalDraw(const CutLognormal& law, double max_s) : law_(law), max_s_(max_s) {
  if (law.sigma > 0.0) kept_ = normal_cdf((std::log(max_s) - law.mu) / law.sigma);
}

double CutLognormalDraw::operator()(double u) const {
  if (law_.sigma == 0.0) return std::exp(law_.mu);
  // Half a step of 2^-53 keeps the argument above 0; a law that is cut deeply has a tiny share below the cut.
  const double p = std::min((u + 0x1.0p-54) * kept_, 1.0 - 0x1.0p-53);
  return std::min(max_s_, std::exp(law_.mu + law_.sigma * normal_quantile(p)));
}

}  // namespace fleetsim
