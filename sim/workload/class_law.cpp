#include "sim/workload/class_law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace fleetsim {

Duration exponential(Duration mean, double u) {
  return from_seconds(-to_seconds(mean) * std::log(1.0 - u));
}

WallTime::WallTime(const JobClass& job_class) {
  const auto& law = job_class.wall_time.law;
  if (const auto* cut = std::get_if<LognormalSpec>(&law)) {
    const double max_s = to_seconds(cut->max);
    const auto fit = fit_cut_lognormal(to_seconds(cut->median), to_seconds(cut->mean), max_s);
    if (const double* largest = std::get_if<double>(&fit))
      throw std::invalid_argument(
          fmt::format("class {}: no log-normal has this median, mean and max; the largest mean is {:.4g} h",
                      job_class.name, *largest / 3600.0));
    draw_.emplace<CutLognormalDraw>(std::get<CutLognormal>(fit), max_s);
  } else if (const auto* mean = std::get_if<ExponentialSpec>(&law)) {
    draw_ = *mean;
  } else {
    draw_ = std::get<FixedSpec>(law);
  }
}

Duration WallTime::operator()(double u) const {
  if (const auto* cut = std::get_if<CutLognormalDraw>(&draw_)) return from_seconds((*cut)(u));
  if (const auto* law = std::get_if<ExponentialSpec>(&draw_)) return exponential(law->mean, u);
  return std::get<FixedSpec>(draw_).value;
}

std::uint16_t ClassLaw::size(double u) const {
  double sum = 0.0;
  std::size_t i = 0;
  for (; i + 1 < spec->gpus.size(); ++i) {
    sum += spec->gpus[i].probability;
    if (u < sum) break;
  }
  return static_cast<std::uint16_t>(i);
}

}  // namespace fleetsim
