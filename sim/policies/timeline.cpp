#include "sim/policies/timeline.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

void Timeline::reset(std::int32_t gpus, Instant from) {
  at_.assign(1, from);
  free_.assign(1, gpus);
  begin_ = 0;
}

void Timeline::trim(Instant now) {
  while (begin_ + 1 < at_.size() && at_[begin_ + 1] <= now) ++begin_;
  if (begin_ < 32 || begin_ < at_.size() / 2) return;
  at_.erase(at_.begin(), at_.begin() + static_cast<std::ptrdiff_t>(begin_));
  free_.erase(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(begin_));
  begin_ = 0;
}

std::size_t Timeline::segment(Instant at) const {
  FLEETSIM_ASSERT(at >= at_[begin_]);
  // Most questions are about now, which trim() keeps in the first segment.
  if (begin_ + 1 == at_.size() || at < at_[begin_ + 1]) return begin_;
  const auto first = at_.begin() + static_cast<std::ptrdiff_t>(begin_);
  return static_cast<std::size_t>(std::upper_bound(first, at_.end(), at) - at_.begin()) - 1;
}

void Timeline::add(Instant from, Instant to, std::int32_t gpus) {
  FLEETSIM_ASSERT(from < to && gpus != 0);
  const auto insert = [&](std::size_t i, Instant at, std::int32_t free) {
    at_.insert(at_.begin() + static_cast<std::ptrdiff_t>(i), at);
    free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(i), free);
  };
  const auto erase = [&](std::size_t i) {
    at_.erase(at_.begin() + static_cast<std::ptrdiff_t>(i));
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
  };
  std::size_t i = segment(from);
  if (at_[i] != from) {
    insert(i + 1, from, free_[i]);
    ++i;
  }
  std::size_t j = i;
  for (; j < at_.size() && at_[j] < to; ++j) {
    free_[j] += gpus;
    FLEETSIM_ASSERT(free_[j] >= 0);
  }
  if (to != Instant::max()) {
    if (j == at_.size() || at_[j] != to) {
      insert(j, to, free_[j - 1] - gpus);
    } else if (free_[j] == free_[j - 1]) {
      erase(j);
    }
  }
  if (i > begin_ && free_[i] == free_[i - 1]) erase(i);
}

Instant Timeline::earliest(std::int32_t gpus, Duration length, Instant from, Instant before,
                           Instant clip) const {
  if (from >= before) return before;
  const std::size_t n = at_.size();
  for (std::size_t i = segment(from);;) {
    while (i < n && free_[i] < gpus) ++i;
    if (i == n) return before;
    const Instant at = std::max(from, at_[i]);
    if (at >= before) return before;
    const Instant end = std::min(saturated(at, length), clip);
    std::size_t j = i + 1;
    while (j < n && free_[j] >= gpus && at_[j] < end) ++j;
    if (j == n || at_[j] >= end) return at;
    i = j + 1;
  }
}

std::int32_t Timeline::least(Instant from, Instant to) const {
  std::size_t i = segment(from);
  std::int32_t least = free_[i];
  for (++i; i < at_.size() && at_[i] < to; ++i) least = std::min(least, free_[i]);
  return least;
}

}  // namespace fleetsim
