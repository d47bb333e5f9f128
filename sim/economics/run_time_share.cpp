#include "sim/economics/run_time_share.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/rng.hpp"
#include "sim/workload/lognormal.hpp"

namespace fleetsim {
namespace {

struct ShareAbove {
  double seconds;

  double operator()(const FixedSpec& law) const { return to_seconds(law.value) > seconds ? 1.0 : 0.0; }
  double operator()(const ExponentialSpec& law) const { return std::exp(-seconds / to_seconds(law.mean)); }
  double operator()(const LognormalSpec& law) const {
    const double most = to_seconds(law.max);
    if (seconds >= most) return 0.0;
    const auto fitted = fit_cut_lognormal(to_seconds(law.median), to_seconds(law.mean), most);
    const auto* cut = std::get_if<CutLognormal>(&fitted);
    if (cut == nullptr) return 0.0;  // no such law; the loader refuses it
    if (cut->sigma <= 0.0) return std::exp(cut->mu) > seconds ? 1.0 : 0.0;
    const auto below = [&](double t) { return normal_cdf((std::log(t) - cut->mu) / cut->sigma); };
    return std::clamp(1.0 - below(seconds) / below(most), 0.0, 1.0);
  }
};

}  // namespace

double share_above(const WallTimeSpec& wall_time, double seconds) {
  if (seconds <= 0.0) return 1.0;
  return std::visit(ShareAbove{seconds}, wall_time.law);
}

}  // namespace fleetsim
