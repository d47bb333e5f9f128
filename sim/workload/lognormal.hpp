// Log-normal laws that are cut at a maximum: the wall times of jobs under a partition's time limit.
#pragma once

#include <variant>

namespace fleetsim {

/// exp(N(mu, sigma)) in seconds, redrawn while above a cut that the caller keeps. sigma = 0: a constant.
struct CutLognormal {
  double mu = 0.0, sigma = 0.0;
};

/// The law whose median and mean hold *after* the cut at `max_s`, or, when no law has that mean, the largest
/// mean (s) that this median and cut allow. A mean well below the median is unreachable too: only a cut close
/// above the median gives any. Units: seconds. Errors: throws std::invalid_argument unless 0 < median_s <
/// max_s and mean_s > 0. Cost: some 300 evaluations of the normal distribution.
///
/// With z = (ln max - mu) / sigma and q = quantile(cdf(z) / 2): the median holds when sigma = ln(max /
/// median) / (z - q), which leaves one unknown, z; the mean decides it by bisection. For z -> -infinity the
/// law tends to max * U^a, U uniform, a = log2(max / median), whose mean max / (1 + a) bounds distant cuts.
[[nodiscard]] std::variant<CutLognormal, double> fit_cut_lognormal(double median_s, double mean_s,
                                                                   double max_s);

/// Median and mean (s) of a law after its cut.
[[nodiscard]] double cut_median(const CutLognormal& law, double max_s);
[[nodiscard]] double cut_mean(const CutLognormal& law, double max_s);

/// The value (s) below which a share `u` of the cut law lies, u in [0, 1): one uniform draw, one job.
class CutLognormalDraw {
 public:
  CutLognormalDraw(const CutLognormal& law, double max_s);
  [[nodiscard]] double operator()(double u) const;

 private:
  CutLognormal law_;
  double max_s_;
  double kept_ = 1.0;  ///< share of the uncut law below the cut
};

}  // namespace fleetsim
