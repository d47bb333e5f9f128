#include "sim/metrics/gpu_time.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

namespace {

/// Calls add(hour, us) for each piece of [from, until) that lies in one hour.
template <class Add>
void by_hour(Instant from, Instant until, const Add& add) {
  const std::int64_t hour_us = kHour.count(), end = until.time_since_epoch().count();
  std::int64_t at = from.time_since_epoch().count();
  while (at < end) {
    const std::int64_t whole = at / hour_us;
    const std::int64_t next = std::min(end, (whole + 1) * hour_us);
    add(static_cast<std::size_t>(whole) % kHoursPerDay, next - at);
    at = next;
  }
}

}  // namespace

void GpuTime::add(ClassId job_class, PoolId pool, Instant from, Instant until, std::int64_t gpus) {
  const std::size_t row = job_class == kNoClass ? classes_ : index(job_class);
  FLEETSIM_ASSERT(row <= classes_ && index(pool) < pools_);
  std::int64_t* hours = &us_[(row * pools_ + index(pool)) * kHoursPerDay];
  by_hour(from, until, [&](std::size_t hour, std::int64_t us) { hours[hour] += us * gpus; });
}

std::int64_t GpuTime::us(std::size_t row, std::size_t pool) const {
  std::int64_t sum = 0;
  for (std::size_t hour = 0; hour < kHoursPerDay; ++hour) sum += us(row, pool, hour);
  return sum;
}

GpuTime GpuTime::in_one_pool() const {
  GpuTime all(classes_, 1);
  for (std::size_t i = 0; i < us_.size(); ++i)
    all.us_[i / (pools_ * kHoursPerDay) * kHoursPerDay + i % kHoursPerDay] += us_[i];
  return all;
}

std::vector<std::int64_t> time_by_hour_of_day(Instant from, Instant until) {
  std::vector<std::int64_t> hours(kHoursPerDay);
  by_hour(from, until, [&](std::size_t hour, std::int64_t us) { hours[hour] += us; });
  return hours;
}

}  // namespace fleetsim
