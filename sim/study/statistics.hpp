// Intervals over replications. Sums run in replication order, so that every thread count gives the same
// bytes.
#pragma once

#include <limits>
#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// A figure that does not exist.
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// A bound that does not exist.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Quantile of Student's t distribution. p in (0, 1), degrees > 0. Boost.Math in double precision.
[[nodiscard]] double t_quantile(double p, int degrees);

/// What n equal values prove at most: were the chance of a value on either side of theirs a half, all n would
/// agree with 2^(1 - n). Sign test, Conover, Practical Nonparametric Statistics (3rd ed. 1999), section 3.4.
[[nodiscard]] double tie_confidence(int n);

/// Ratio of two means over the same replications, less one, with its interval.
struct RelativeDifference {
  double percent = 0.0;          ///< 100 * (mean(a) - mean(base)) / |mean(base)|
  double low = 0.0, high = 0.0;  ///< percent; infinite with fewer than two pairs
  int pairs = 0;                 ///< replications in which both are defined
};
/// Paired: a[r] and base[r] come from the same replication, so common random numbers cancel. A pair with a
/// NaN is left out; no pair, or mean(base) = 0, gives NaN. `level` is the coverage, e.g. 0.95. Source: ratio
/// estimator, Cochran, Sampling Techniques (3rd ed. 1977), section 6.4: the residuals a[r] - R base[r] give
/// the standard error of R; Student t with pairs - 1 degrees. Where a[r] = R base[r] in every pair (a tie: to
/// twelve digits) the interval has no width if so many equal pairs prove `level` (tie_confidence()), else no
/// bounds. `exact`: the values are known without a simulation (a price), the interval has no width.
[[nodiscard]] RelativeDifference paired_difference(const std::vector<double>& a,
                                                   const std::vector<double>& base, double level,
                                                   bool exact = false);

}  // namespace fleetsim
