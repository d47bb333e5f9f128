// The slow simulator: conservative backfilling.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/twin/twin.hpp"

namespace twin {

std::vector<Hold> Simulator::holds(std::size_t pool, std::size_t without) const {
  std::vector<Hold> out;
  for (const std::size_t j : running_) {
    if (jobs_[j].pool != static_cast<int>(pool) || is_guest(j)) continue;
    const Instant end = jobs_[j].start + length(j);
    out.push_back({now_, end < now_ ? now_ + Duration(1) : end, jobs_[j].slices});
  }
  for (std::size_t n = 0; n < there_[pool].size(); ++n) {  // nobody knows when a missing node comes
    const NodeId id{static_cast<std::uint32_t>(static_cast<std::size_t>(in_.pools[pool].first_node) + n)};
    if (there_[pool][n] == 0) out.push_back({now_, Instant::max(), {{id, in_.pools[pool].gpus_per_node}}});
  }
  for (const auto& [j, promise] : promises_) {
    if (promise.pool == pool && j != without) out.push_back(promise.hold);
  }
  return out;
}

std::vector<int> Simulator::stay(std::size_t pool, const std::vector<Hold>& all, Instant from,
                                 Instant to) const {
  std::vector<Instant> instants{from};
  for (const Hold& hold : all) {
    if (hold.from > from && hold.from < to) instants.push_back(hold.from);
  }
  std::vector<int> least(free_[pool].size(), in_.pools[pool].gpus_per_node);
  for (const Instant at : instants) {
    std::vector<int> free(least.size(), in_.pools[pool].gpus_per_node);
    for (const Hold& hold : all) {
      if (hold.from > at || hold.to <= at) continue;
      for (const NodeSlice& s : hold.slices) free[node(static_cast<int>(pool), s)] -= s.gpus;
    }
    for (std::size_t n = 0; n < free.size(); ++n) least[n] = std::min(least[n], free[n]);
  }
  return least;
}

Instant Simulator::anchor(std::size_t j, std::size_t pool) const {
  const std::vector<Hold> all = holds(pool, j);
  std::vector<Instant> instants{now_};
  for (const Hold& hold : all) instants.push_back(hold.to);
  std::sort(instants.begin(), instants.end());
  for (const Instant at : instants) {
    if (at < now_ || at == Instant::max()) continue;
    if (choose(in_.pools[pool], stay(pool, all, at, later(at, length(j))), gpus(j), leaves(j))) return at;
  }
  return Instant::max();
}

std::optional<std::vector<NodeSlice>> Simulator::place_now(std::size_t j, std::size_t pool,
                                                           const std::vector<Hold>& all) const {
  std::vector<int> free = stay(pool, all, now_, later(now_, length(j)));
  for (std::size_t n = 0; n < free.size(); ++n) free[n] = std::clamp(free[n], 0, free_[pool][n]);
  return choose(in_.pools[pool], free, gpus(j), leaves(j));
}

bool Simulator::promise(std::size_t j) {
  const bool has = promises_.count(j) != 0;
  Instant best = has ? promises_[j].hold.from : Instant::max();
  int where = -1;
  for (const PoolId p : queue(j).own) {
    if (!can_run(j, index(p))) continue;
    const Instant at = anchor(j, index(p));
    if (at < best || (!has && where < 0)) where = static_cast<int>(index(p));
    best = std::min(best, at);
  }
  if (where < 0) return false;
  promises_.erase(j);
  const auto pool = static_cast<std::size_t>(where);
  Hold hold{best, later(best, length(j)), {}};
  if (best != Instant::max()) {
    const std::vector<Hold> all = holds(pool, j);
    auto slices = best == now_ ? place_now(j, pool, all) : std::nullopt;
    if (!slices) slices = choose(in_.pools[pool], stay(pool, all, hold.from, hold.to), gpus(j), leaves(j));
    hold.slices = *slices;
  }
  promises_[j] = {pool, hold};
  first_promise_.emplace(j, best);
  return true;
}

bool Simulator::has_own(std::size_t j) const {
  const auto& own = queue(j).own;
  return std::any_of(own.begin(), own.end(), [&](PoolId p) { return can_run(j, index(p)); });
}

std::vector<std::size_t> Simulator::in_queue_order() const {
  std::vector<std::size_t> out;
  for (std::size_t q = 0; q < in_.queues.size(); ++q) {
    for (const std::size_t j : of_queue(q)) out.push_back(j);
  }
  return out;
}

void Simulator::conservative() {
  bool again = false;
  do {
    moved_ = false;
    again = conservative_round();
    again = return_victims() || moved_ || again;
  } while (again && in_.preempt);
}

bool Simulator::conservative_round() {
  if (nodes_changed_) promises_.clear();
  nodes_changed_ = false;
  const auto order = in_queue_order();
  bool broken = false;
  for (const std::size_t j : running_)
    broken = broken || (!is_guest(j) && jobs_[j].pool != kCloud && jobs_[j].start + length(j) < now_);
  for (const auto& [j, promise] : promises_) broken = broken || promise.hold.from < now_;
  if (broken) {
    const auto old = std::move(promises_);
    promises_.clear();
    for (const std::size_t j : order) {
      if (old.count(j) != 0) promise(j);
    }
  }
  compress();
  bool again = false;
  do {
    start_due();
    for (const std::size_t j : in_queue_order()) {
      if (promises_.count(j) != 0 || !has_own(j) || promises_.size() >= depth_) continue;
      promise(j);
      start_due(j);
    }
    for (const std::size_t j : in_queue_order()) {
      if (promises_.count(j) == 0) beside(j, StartReason::backfill);
    }
    again = overflow_beside();
  } while (again && !in_.preempt);
  return again;
}

void Simulator::compress() {
  for (bool moved = true; moved;) {
    moved = false;
    for (const std::size_t j : in_queue_order()) {
      if (promises_.count(j) != 0) moved = promise(j) || moved;
    }
  }
}

void Simulator::start_due(std::optional<std::size_t> only) {
  std::vector<std::size_t> passed;
  for (const std::size_t j : in_queue_order()) {
    const auto found = promises_.find(j);
    if (found == promises_.end()) continue;
    const Promise promise = found->second;
    const bool due = promise.hold.from <= now_ && (!only || *only == j);
    bool head = true, free = due;
    for (const std::size_t k : passed) {
      const bool same_queue = in_.requests->queue[k] == in_.requests->queue[j];
      head = head && !same_queue && promises_[k].pool != promise.pool;
    }
    for (const NodeSlice& s : promise.hold.slices) {
      free = free && free_[promise.pool][node(static_cast<int>(promise.pool), s)] >= s.gpus;
    }
    const StartReason reason = head ? StartReason::head : StartReason::backfill;
    if (free) {
      promises_.erase(j);
      start(j, promise.pool, promise.hold.slices, reason);
      continue;
    }
    if (due && in_.preempt && start_elsewhere(j, reason)) continue;
    passed.push_back(j);
  }
}

bool Simulator::start_elsewhere(std::size_t j, StartReason reason) {
  const Promise kept = promises_[j];
  promises_.erase(j);
  moved_ = beside(j, reason) || moved_;
  if (jobs_[j].state == JobState::running) return true;
  promises_[j] = kept;
  return false;
}

bool Simulator::beside(std::size_t j, StartReason reason) {
  std::vector<std::size_t> pools;
  for (const PoolId p : queue(j).own) {
    if (reason != StartReason::overflow && can_run(j, index(p))) pools.push_back(index(p));
  }
  for (const auto& o : queue(j).overflow) {
    if (reason == StartReason::overflow && may_overflow(j, o)) pools.push_back(index(o.pool));
  }
  for (const std::size_t pool : pools) {
    // Its own reservation stands in its way like everybody's.
    std::vector<Hold> all = holds(pool, jobs_.size());
    for (const Sitting& other : guests(pool)) {
      if (reason == StartReason::overflow && estimate(other.job) > now_)
        all.push_back({now_, estimate(other.job), jobs_[other.job].slices});
    }
    const auto slices = place_now(j, pool, all);
    if (!slices) continue;
    start(j, pool, *slices, reason);
    return true;
  }
  if (reason == StartReason::overflow) return false;
  const auto room = take_back(j, [&](std::size_t pool) {
    const std::vector<Hold> all = holds(pool, jobs_.size());
    std::vector<int> most = claimable(pool), free = stay(pool, all, now_, later(now_, length(j)));
    for (std::size_t n = 0; n < free.size(); ++n) free[n] = std::clamp(free[n], 0, most[n]);
    return free;
  });
  if (room) start(j, room->first, room->second, reason);
  return room.has_value();
}

bool Simulator::overflow_beside() {
  std::vector<std::size_t> left;
  for (const std::size_t j : in_queue_order()) {
    if (beside(j, StartReason::overflow) && promises_.count(j) != 0) left.push_back(j);
  }
  for (const std::size_t j : left) promises_.erase(j);
  if (!left.empty()) compress();
  return !left.empty();
}
}  // namespace twin
