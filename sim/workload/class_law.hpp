// Laws that the jobs of one class are drawn from, each a function of one uniform draw.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sim/scenario.hpp"
#include "sim/workload/lognormal.hpp"

namespace fleetsim {

/// The quantile u of an exponential law, u in [0, 1).
[[nodiscard]] Duration exponential(Duration mean, double u);

/// Wall-time law of one class. Throws std::invalid_argument for a log-normal that does not exist.
class WallTime {
 public:
  explicit WallTime(const JobClass& job_class);
  [[nodiscard]] Duration operator()(double u) const;

 private:
  std::variant<FixedSpec, ExponentialSpec, CutLognormalDraw> draw_;
};

/// What all jobs of one class share.
struct ClassLaw {
  const JobClass* spec;
  WallTime wall;
  std::uint16_t first_shape;
  std::vector<double> limit_factor;  ///< by user

  /// Index into the sizes of the class.
  [[nodiscard]] std::uint16_t size(double u) const;
};

}  // namespace fleetsim
