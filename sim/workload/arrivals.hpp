// Poisson arrivals whose rate follows the week.
#pragma once

#include "sim/base/rng.hpp"
#include "sim/base/time.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// The arrivals of one user in one class, one after the other, by inversion of the cumulative rate: each
/// draws one exponential. Cost: O(hours passed).
class Arrivals {
 public:
  /// The rate grows by the share `growth` a year of 8760 h, compounded hour by hour from the start.
  Arrivals(const ArrivalSpec& spec, Rng stream, double growth = 0.0);
  /// The next arrival; kNever when it lies at or after `end` (then and ever after).
  [[nodiscard]] Instant next(Instant end);

 private:
  const double* weights_;  ///< 168, mean 1
  double rate_;            ///< per second, mean over the week
  double per_hour_;        ///< factor of the rate from one hour to the next
  double grown_ = 1.0;     ///< since the start
  Rng stream_;
  double at_s_ = 0.0;
  int hour_ = 0;  ///< of the week, in which at_s_ lies
  double hour_ends_s_ = 3600.0;
};

}  // namespace fleetsim
