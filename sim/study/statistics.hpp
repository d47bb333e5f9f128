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

/// Ratio of two means over the same replications, less one, with its interval.
struct RelativeDifference {
  double percent = 0.0;          ///< 100 * (mean(a) - mean(base)) / |mean(base)|
  double low = 0.0, high = 0.0;  ///< percent; infinite with fewer than two pairs
  int pairs = 0;                 ///< replications in which both are defined
};
/// Paired: a[r] and base[r] come from the same replication, so common random numbers cancel. A pair with a
/// NaN is left out; no pair, or mean(base) = 0, gives NaN. `level` is the coverage, e.g. 0.95. Source: ratio
/// estimator, Cochran, Sampling Techniques (3rd ed. 1977), section 6.4: the residuals a[r] - R base[r] give
/// the standard error of R; Student t with pairs - 1 degrees.
[[nodiscard]] RelativeDifference paired_difference(const std::vector<double>& a,
                                                   const std::vector<double>& base, double level);

}  // namespace fleetsim
