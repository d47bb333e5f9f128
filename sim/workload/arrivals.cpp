#include "sim/workload/arrivals.hpp"

#include <cmath>
#include <utility>

#include "sim/workload/profile.hpp"

namespace fleetsim {

Arrivals::Arrivals(const ArrivalSpec& spec, Rng stream, double growth)
    : weights_(weekly_profile(spec.profile).data()),
      rate_(spec.per_user.count()),
      per_hour_(growth == 0.0 ? 1.0 : std::pow(1.0 + growth, 1.0 / 8760.0)),
      stream_(std::move(stream)) {}

Instant Arrivals::next(Instant end) {
  if (!(rate_ > 0.0)) return kNever;
  const double end_s = to_seconds(end);
  double expected = stream_.exponential(1.0);  // arrivals that the rate has to add up to
  while (at_s_ < end_s) {
    const double rate = rate_ * weights_[hour_] * grown_;
    const double in_hour = rate * (hour_ends_s_ - at_s_);
    if (expected < in_hour) {
      at_s_ += expected / rate;
      const Instant at = kStart + from_seconds(at_s_);
      return at < end ? at : kNever;
    }
    expected -= in_hour;
    at_s_ = hour_ends_s_;
    hour_ends_s_ += 3600.0;
    grown_ *= per_hour_;
    hour_ = (hour_ + 1) % kHoursPerWeek;
  }
  return kNever;
}

}  // namespace fleetsim
