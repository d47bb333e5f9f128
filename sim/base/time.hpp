// Simulated time: 64-bit integer microseconds since the start of the simulation (a Monday, 00:00). There is
// no now().
#pragma once

#include <chrono>
#include <cstdint>

namespace fleetsim {

struct SimClock {
  using rep = std::int64_t;
  using period = std::micro;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

using Duration = SimClock::duration;
using Instant = SimClock::time_point;

inline constexpr Instant kStart{};
/// Later than anything that happens, with room for additions.
inline constexpr Duration kForever{std::int64_t{1} << 61};
inline constexpr Instant kNever{kForever};

/// Seconds to the nearest microsecond (halves away from zero). Asserts a finite value below kForever.
[[nodiscard]] Duration from_seconds(double seconds);
[[nodiscard]] constexpr double to_seconds(Duration d) {
  return static_cast<double>(d.count()) / 1e6;
}
[[nodiscard]] constexpr double to_seconds(Instant t) {
  return to_seconds(t.time_since_epoch());
}
[[nodiscard]] constexpr double to_hours(Duration d) {
  return to_seconds(d) / 3600.0;
}

inline constexpr Duration kHour = std::chrono::hours(1);
inline constexpr Duration kDay = std::chrono::hours(24);
inline constexpr Duration kWeek = std::chrono::hours(168);

}  // namespace fleetsim
