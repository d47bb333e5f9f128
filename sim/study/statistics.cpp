#include "sim/study/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace fleetsim {

namespace {

constexpr double kSameDigits = 1e-12;

// Without promotion to long double, so that platforms with a wider one agree.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

struct Moments {
  double mean = 0.0, error = 0.0;  ///< error: standard error of the mean
};

/// Two passes: the mean first, then squares about it.
Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double v : values) sum += v;
  Moments m;
  m.mean = sum / n;
  double squares = 0.0;
  for (const double v : values) squares += (v - m.mean) * (v - m.mean);
  if (values.size() > 1) m.error = std::sqrt(squares / (n - 1.0) / n);
  return m;
}

}  // namespace

double t_quantile(double p, int degrees) {
  return boost::math::quantile(boost::math::students_t_distribution<double, Policy>(degrees), p);
}

double tie_confidence(int n) {
  return n < 1 ? 0.0 : 1.0 - std::ldexp(1.0, 1 - n);
}

Summary summarise(const std::vector<double>& values, const std::string& unit) {
  std::vector<double> defined;
  defined.reserve(values.size());
  for (const double v : values) {
    if (!std::isnan(v)) defined.push_back(v);
  }
  Summary s;
  s.unit = unit;
  s.n = static_cast<int>(defined.size());
  if (defined.empty()) {
    s.mean = s.ci95_low = s.ci95_high = kNan;
    return s;
  }
  const Moments m = moments(defined);
  s.mean = m.mean;
  const double half = s.n == 1 ? kInfinity : t_quantile(0.975, s.n - 1) * m.error;
  s.ci95_low = m.mean - half;
  s.ci95_high = m.mean + half;
  return s;
}

RelativeDifference paired_difference(const std::vector<double>& a, const std::vector<double>& base,
                                     double level, bool exact) {
  RelativeDifference d{kNan, kNan, kNan, 0};
  double sum_a = 0.0, sum_base = 0.0;
  const std::size_t n = std::min(a.size(), base.size());
  for (std::size_t r = 0; r < n; ++r) {
    if (std::isnan(a[r]) || std::isnan(base[r])) continue;
    sum_a += a[r];
    sum_base += base[r];
    ++d.pairs;
  }
  if (d.pairs == 0 || sum_base == 0.0) return d;
  const double ratio = sum_a / sum_base;
  // Scores below 0 are figures of which more is better: how much less of it is how much worse.
  d.percent = 100.0 * (sum_base < 0.0 ? 1.0 - ratio : ratio - 1.0);
  double half = exact ? 0.0 : kInfinity;
  if (d.pairs > 1 && !exact) {
    double squares = 0.0;
    bool tie = true;
    for (std::size_t r = 0; r < n; ++r) {
      if (std::isnan(a[r]) || std::isnan(base[r])) continue;
      const double residual = a[r] - ratio * base[r];
      squares += residual * residual;
      tie = tie && std::abs(residual) <= kSameDigits * (std::abs(a[r]) + std::abs(ratio * base[r]));
    }
    const double pairs = d.pairs;
    const double error = std::sqrt(squares / (pairs - 1.0) / pairs) / std::abs(sum_base / pairs);
    half = !tie                               ? 100.0 * t_quantile(0.5 + level / 2.0, d.pairs - 1) * error
           : level <= tie_confidence(d.pairs) ? 0.0
                                              : kInfinity;
  }
  d.low = d.percent - half;
  d.high = d.percent + half;
  return d;
}

}  // namespace fleetsim
