#include "sim/workload/lognormal.hpp"

#include <cmath>
#include <stdexcept>

#include "sim/base/rng.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

constexpr double kHours = 3600.0;

/// Law with this median and mean before any cut: mean = median exp(sigma^2 / 2).
CutLognormal uncut(double median_s, double mean_s) {
  return {std::log(median_s), std::sqrt(2.0 * std::log(mean_s / median_s))};
}

}  // namespace

TEST_CASE("cutting a log-normal of median 1.5 h and mean 6 h at 24 h leaves median 1.36 h and mean 3.15 h") {
  const CutLognormal law = uncut(1.5 * kHours, 6.0 * kHours);
  CHECK_THAT(cut_median(law, 24.0 * kHours) / kHours, Catch::Matchers::WithinAbs(1.36, 0.005));
  CHECK_THAT(cut_mean(law, 24.0 * kHours) / kHours, Catch::Matchers::WithinAbs(3.15, 0.005));
}

TEST_CASE("cutting a log-normal of median 30 h and mean 60 h at 7 days leaves median 27 h and mean 39.6 h") {
  const CutLognormal law = uncut(30.0 * kHours, 60.0 * kHours);
  CHECK_THAT(cut_median(law, 168.0 * kHours) / kHours, Catch::Matchers::WithinAbs(27.0, 0.06));
  CHECK_THAT(cut_mean(law, 168.0 * kHours) / kHours, Catch::Matchers::WithinAbs(39.6, 0.06));
}

TEST_CASE("the fit finds the law whose cut median and mean are asked for") {
  const double median = GENERATE(0.01, 0.3, 1.36, 5.0, 12.0);
  const double excess = GENERATE(1.0005, 1.05, 1.4, 2.3, 3.4);
  const double max = 24.0;
  const auto fit = fit_cut_lognormal(median * kHours, median * excess * kHours, max * kHours);
  if (const auto* law = std::get_if<CutLognormal>(&fit)) {
    CHECK_THAT(cut_median(*law, max * kHours), Catch::Matchers::WithinRel(median * kHours, 1e-9));
    CHECK_THAT(cut_mean(*law, max * kHours), Catch::Matchers::WithinRel(median * excess * kHours, 1e-9));
  } else {
    CHECK(std::get<double>(fit) < median * excess * kHours);
  }
}

TEST_CASE("the fit undoes the cut") {
  const CutLognormal law = uncut(1.5 * kHours, 6.0 * kHours);
  const double max = 24.0 * kHours;
  const auto fit = fit_cut_lognormal(cut_median(law, max), cut_mean(law, max), max);
  REQUIRE(std::holds_alternative<CutLognormal>(fit));
  CHECK_THAT(std::get<CutLognormal>(fit).mu, Catch::Matchers::WithinAbs(law.mu, 1e-7));
  CHECK_THAT(std::get<CutLognormal>(fit).sigma, Catch::Matchers::WithinAbs(law.sigma, 1e-7));
}

TEST_CASE("an unreachable mean names the largest one") {
  // Limit law max * U^a with a = log2(max / median) = log2(16) = 4: mean = 16 h / 5 = 3.2 h.
  const auto fit = fit_cut_lognormal(1.0 * kHours, 3.5 * kHours, 16.0 * kHours);
  REQUIRE(std::holds_alternative<double>(fit));
  CHECK_THAT(std::get<double>(fit) / kHours, Catch::Matchers::WithinAbs(3.2, 0.02));
  CHECK(std::get<double>(fit) < 3.2 * kHours);
  const auto reachable = fit_cut_lognormal(1.0 * kHours, std::get<double>(fit) * 0.9999, 16.0 * kHours);
  CHECK(std::holds_alternative<CutLognormal>(reachable));
}

TEST_CASE("a mean that equals the median is a constant") {
  const auto fit = fit_cut_lognormal(kHours, kHours, 24.0 * kHours);
  REQUIRE(std::holds_alternative<CutLognormal>(fit));
  CHECK(std::get<CutLognormal>(fit).sigma == 0.0);
  CHECK_THAT(CutLognormalDraw(std::get<CutLognormal>(fit), 24.0 * kHours)(0.7),
             Catch::Matchers::WithinRel(kHours, 1e-12));
}

TEST_CASE("a cut log-normal without a positive median below its cut is refused") {
  CHECK_THROWS_AS(fit_cut_lognormal(0.0, 1.0, 2.0), std::invalid_argument);
  CHECK_THROWS_AS(fit_cut_lognormal(2.0, 2.5, 2.0), std::invalid_argument);
  CHECK_THROWS_AS(fit_cut_lognormal(1.0, std::nan(""), 2.0), std::invalid_argument);
}

TEST_CASE("drawing by inversion keeps the median, the cut and the order") {
  const double max = 24.0 * kHours;
  const auto fit = fit_cut_lognormal(1.36 * kHours, 3.15 * kHours, max);
  const CutLognormalDraw draw(std::get<CutLognormal>(fit), max);
  CHECK_THAT(draw(0.5), Catch::Matchers::WithinRel(1.36 * kHours, 1e-9));
  CHECK(draw(0.0) > 0.0);
  CHECK(draw(std::nextafter(1.0, 0.0)) <= max);
  CHECK(draw(0.2) < draw(0.3));
  // Mean by the midpoint rule over the quantiles: 1/n sum Q((i + 1/2) / n).
  double sum = 0.0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) sum += draw((i + 0.5) / n);
  CHECK_THAT(sum / n / kHours, Catch::Matchers::WithinRel(3.15, 1e-3));
}
