#include "sim/policies/waiting.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

void WaitingList::append(JobId job, std::uint32_t order, std::int32_t gpus, Duration limit) {
  FLEETSIM_ASSERT(gpus > 0 && gpus < kHole && (orders_.empty() || live_ == 0 || order > orders_.back()));
  // Holes are swept when they outnumber the jobs, so that each is moved O(1) times on average.
  if (jobs_.size() > 2 * live_ + 4 * kFan) compact();
  push(job, order, gpus, limit);
}

void WaitingList::push(JobId job, std::uint32_t order, std::int32_t gpus, Duration limit) {
  jobs_.push_back(job);
  orders_.push_back(order);
  levels_[0].gpus.push_back(gpus);
  levels_[0].limit.push_back(limit);
  ++live_;
  // Every level has one node for sixteen of the level below, so a new node has one child: this job's.
  std::size_t at = jobs_.size() - 1;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    at /= kFan;
    if (at == level.gpus.size()) {
      level.gpus.push_back(gpus);
      level.limit.push_back(limit);
    } else {
      level.gpus[at] = std::min(level.gpus[at], gpus);
      level.limit[at] = std::min(level.limit[at], limit);
    }
  }
  if (levels_.back().gpus.size() > kFan) {
    levels_.emplace_back();
    fold(levels_.size() - 1);
  }
}

/// Computes level `l` from the one below it.
void WaitingList::fold(std::size_t l) {
  const Level& below = levels_[l - 1];
  Level& level = levels_[l];
  level.gpus.assign((below.gpus.size() + kFan - 1) / kFan, kHole);
  level.limit.assign(level.gpus.size(), Duration::max());
  for (std::size_t i = 0; i < below.gpus.size(); ++i) {
    level.gpus[i / kFan] = std::min(level.gpus[i / kFan], below.gpus[i]);
    level.limit[i / kFan] = std::min(level.limit[i / kFan], below.limit[i]);
  }
}

void WaitingList::remove(std::size_t position) {
  std::int32_t gpus = levels_[0].gpus[position];
  Duration limit = levels_[0].limit[position];
  FLEETSIM_ASSERT(gpus != kHole && live_ > 0);
  levels_[0].gpus[position] = kHole;
  levels_[0].limit[position] = Duration::max();
  --live_;
  std::size_t at = position;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    at /= kFan;
    Level& level = levels_[l];
    if (gpus > level.gpus[at] && limit > level.limit[at]) break;
    const Level& below = levels_[l - 1];
    const std::size_t end = std::min(below.gpus.size(), (at + 1) * kFan);
    gpus = level.gpus[at];
    limit = level.limit[at];
    level.gpus[at] = kHole;
    level.limit[at] = Duration::max();
    for (std::size_t i = at * kFan; i < end; ++i) {
      level.gpus[at] = std::min(level.gpus[at], below.gpus[i]);
      level.limit[at] = std::min(level.limit[at], below.limit[i]);
    }
  }
  if (live_ == 0) {
    jobs_.clear();
    orders_.clear();
    for (Level& level : levels_) {
      level.gpus.clear();
      level.limit.clear();
    }
    begin_ = 0;
  } else {
    while (levels_[0].gpus[begin_] == kHole) ++begin_;
  }
}

void WaitingList::compact() {
  std::size_t to = 0;
  for (std::size_t i = begin_; i < jobs_.size(); ++i) {
    if (levels_[0].gpus[i] == kHole) continue;
    jobs_[to] = jobs_[i];
    orders_[to] = orders_[i];
    levels_[0].gpus[to] = levels_[0].gpus[i];
    levels_[0].limit[to] = levels_[0].limit[i];
    ++to;
  }
  jobs_.resize(to);
  orders_.resize(to);
  levels_[0].gpus.resize(to);
  levels_[0].limit.resize(to);
  begin_ = 0;
  for (std::size_t l = 1; l < levels_.size(); ++l) fold(l);
}

void WaitingList::insert(JobId job, std::uint32_t order, std::int32_t gpus, Duration limit) {
  if (live_ == 0 || order > orders_.back()) return append(job, order, gpus, limit);
  compact();
  const auto at = static_cast<std::ptrdiff_t>(position_of(order));
  FLEETSIM_ASSERT(gpus > 0 && gpus < kHole);
  jobs_.insert(jobs_.begin() + at, job);
  orders_.insert(orders_.begin() + at, order);
  levels_[0].gpus.insert(levels_[0].gpus.begin() + at, gpus);
  levels_[0].limit.insert(levels_[0].limit.begin() + at, limit);
  ++live_;
  for (std::size_t l = 1; l < levels_.size(); ++l) fold(l);
  if (levels_.back().gpus.size() <= kFan) return;
  levels_.emplace_back();
  fold(levels_.size() - 1);
}

std::size_t WaitingList::first(std::size_t from) const {
  const Window all{kHole - 1, Duration::max()};
  return next(from, {&all, 1});
}

std::size_t WaitingList::position_of(std::uint32_t order) const {
  return static_cast<std::size_t>(std::lower_bound(orders_.begin(), orders_.end(), order) - orders_.begin());
}

std::size_t WaitingList::find(std::uint32_t order) const {
  const std::size_t at = live_ == 0 ? orders_.size() : position_of(order);
  return at < orders_.size() && orders_[at] == order && levels_[0].gpus[at] != kHole ? at : kEnd;
}

std::size_t WaitingList::next(std::size_t from, std::span<const Window> windows) const {
  if (live_ == 0) return kEnd;
  std::size_t l = 0;
  std::size_t i = std::max(from, begin_);
  for (;;) {
    const Level& level = levels_[l];
    const std::size_t size = level.gpus.size();
    if (i >= size) return kEnd;
    const bool top = l + 1 == levels_.size();
    const std::size_t end = top ? size : std::min(size, (i / kFan + 1) * kFan);
    const auto passes = [&](std::size_t k) {
      for (const Window& window : windows) {
        if (level.gpus[k] <= window.gpus && level.limit[k] <= window.limit) return true;
      }
      return false;
    };
    while (i < end && !passes(i)) ++i;
    if (i < end) {
      if (l == 0) return i;
      --l;
      i *= kFan;
    } else {
      if (top || end == size) return kEnd;
      ++l;
      i = end / kFan;
    }
  }
}

Lane& Waiting::lane_for(QueueId queue, const Where& where) {
  Queue& line = queues_[index(queue)];
  auto lane = std::find_if(line.lanes.begin(), line.lanes.end(),
                           [&](const Lane& l) { return static_cast<const Where&>(l) == where; });
  if (lane == line.lanes.end()) {
    line.lanes.push_back({where, {}});
    lane = line.lanes.end() - 1;
  }
  return *lane;
}

std::uint32_t Waiting::submit(QueueId queue, JobId job, const Where& where, std::int32_t gpus,
                              Duration limit) {
  lane_for(queue, where).jobs.append(job, next_order_++, gpus, limit);
  queues_[index(queue)].arrived = next_order_;
  ++size_;
  return next_order_ - 1;
}

void Waiting::withdraw(QueueId queue, std::uint32_t order) {
  for (Lane& lane : lanes(queue)) {
    const std::size_t at = lane.jobs.find(order);
    if (at == WaitingList::kEnd) continue;
    remove(lane, at);
    queues_[index(queue)].withdrawn.push_back(order);
    ++withdrawals_;
    return;
  }
  FLEETSIM_ASSERT(false);
}

void Waiting::put_back(QueueId queue, JobId job, const Where& where, std::int32_t gpus, Duration limit,
                       std::uint32_t order) {
  lane_for(queue, where).jobs.insert(job, order, gpus, limit);
  Queue& line = queues_[index(queue)];
  line.returned = std::min(line.returned, order);
  ++size_;
}

}  // namespace fleetsim
