// The fitted law against numerical integration, over the whole range that a user can write.
#include <cmath>

#include "sim/base/rng.hpp"
#include "sim/workload/lognormal.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

/// Mean of the law below the cut by the trapezoidal rule over x = ln(value):
/// int e^x phi((x - mu) / sigma) dx / int phi((x - mu) / sigma) dx.
double integrated_mean(const CutLognormal& law, double max_s) {
  const double top = std::log(max_s), bottom = std::min(top, law.mu) - 12.0 * law.sigma;
  const int n = 400000;
  const double step = (top - bottom) / n;
  // Densities relative to the one at the mode below the cut, so that deep cuts do not underflow.
  const double peak = std::min(0.0, (top - law.mu) / law.sigma);
  double mass = 0.0, sum = 0.0;
  for (int i = 0; i <= n; ++i) {
    const double x = bottom + step * i, z = (x - law.mu) / law.sigma;
    const double weight = (i == 0 || i == n ? 0.5 : 1.0) * std::exp(0.5 * (peak * peak - z * z));
    mass += weight;
    sum += weight * std::exp(x);
  }
  return sum / mass;
}

}  // namespace

TEST_CASE("fitted cut log-normals have the mean that was asked for, by numerical integration") {
  struct Row {
    double median, mean, max;
  };
  const Row row =
      GENERATE(Row{1.36, 3.15, 24.0}, Row{27.0, 39.6, 168.0}, Row{0.2428, 2.9, 168.0}, Row{0.01, 1.5, 24.0},
               Row{10.0, 10.5, 24.0}, Row{5.0, 5.001, 1000.0}, Row{20.0, 19.3, 24.0});
  const auto fit = fit_cut_lognormal(row.median, row.mean, row.max);
  REQUIRE(std::holds_alternative<CutLognormal>(fit));
  const auto& law = std::get<CutLognormal>(fit);
  CHECK_THAT(integrated_mean(law, row.max), Catch::Matchers::WithinRel(row.mean, 1e-5));
  // Half of the mass that the cut leaves lies below the median.
  const double half = normal_cdf((std::log(row.median) - law.mu) / law.sigma) /
                      normal_cdf((std::log(row.max) - law.mu) / law.sigma);
  CHECK_THAT(half, Catch::Matchers::WithinAbs(0.5, 1e-9));
}
