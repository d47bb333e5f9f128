#include "sim/base/time.hpp"

#include <cmath>

#include "sim/base/assert.hpp"

namespace fleetsim {

Duration from_seconds(double seconds) {
  FLEETSIM_ASSERT(std::isfinite(seconds) && std::abs(seconds) < to_seconds(kForever));
  return Duration{static_cast<std::int64_t>(std::llround(seconds * 1e6))};
}

}  // namespace fleetsim
