// GPU time that jobs held in the measurement window: by class, pool and hour of the day.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

inline constexpr std::size_t kHoursPerDay = 24;

/// Exact integers: microseconds times GPUs. Jobs of a trace, which have no class, are a row of their own
/// behind the classes. Hour 0 begins at midnight.
class GpuTime {
 public:
  GpuTime(std::size_t classes, std::size_t pools)
      : classes_(classes), pools_(pools), us_((classes + 1) * pools * kHoursPerDay) {}

  /// Adds `gpus` x the time of [from, until). Cost: O(hours of it).
  void add(ClassId job_class, PoolId pool, Instant from, Instant until, std::int64_t gpus);

  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] std::size_t pools() const { return pools_; }
  /// `row`: index of a class; classes() is the trace.
  [[nodiscard]] std::int64_t us(std::size_t row, std::size_t pool, std::size_t hour) const {
    return us_[(row * pools_ + pool) * kHoursPerDay + hour];
  }
  [[nodiscard]] std::int64_t us(std::size_t row, std::size_t pool) const;
  /// The same, of one pool that holds all.
  [[nodiscard]] GpuTime in_one_pool() const;

 private:
  std::size_t classes_, pools_;
  std::vector<std::int64_t> us_;
};

/// Time of [from, until) in each hour of the day, in microseconds.
[[nodiscard]] std::vector<std::int64_t> time_by_hour_of_day(Instant from, Instant until);

}  // namespace fleetsim
