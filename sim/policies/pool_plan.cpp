#include "sim/policies/pool_plan.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

PoolPlan::PoolPlan(const PoolShape& shape)
    : shape_(shape),
      nodes_(static_cast<std::size_t>(shape.nodes), Timeline(shape.gpus_per_node)),
      freed_at_(nodes_.size(), -1),
      stay_(nodes_.size()),
      map_(shape) {}

void PoolPlan::reset(Instant now) {
  for (Timeline& node : nodes_) node.reset(shape_.gpus_per_node, now);
  forget_stamps();
}

void PoolPlan::trim(Instant now) {
  for (Timeline& node : nodes_) node.trim(now);
}

Instant PoolPlan::earliest(const Demand& job, Duration length, Instant from, Instant before) {
  if (!one_node(job.gpus)) return earliest_gang(job, length, from, before);
  for (const Timeline& node : nodes_) {
    if (before == from) break;
    before = node.earliest(job.gpus, length, from, before);
  }
  return before;
}

/// Sweeps over the instants at which nodes become able, or too late, to hold a share of the gang.
Instant PoolPlan::earliest_gang(const Demand& job, Duration length, Instant from, Instant before) {
  const std::int32_t whole = job.gpus / shape_.gpus_per_node, rest = job.gpus % shape_.gpus_per_node;
  steps_.clear();
  for (const Timeline& node : nodes_) {
    node.each_anchor(shape_.gpus_per_node, length, from, before, [&](Instant at, Instant end) {
      steps_.push_back({at, 1, 0});
      steps_.push_back({end, -1, 0});
    });
    if (rest == 0) continue;
    node.each_anchor(rest, length, from, before, [&](Instant at, Instant end) {
      steps_.push_back({at, 0, 1});
      steps_.push_back({end, 0, -1});
    });
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
  std::int32_t whole_now = 0, part_now = 0;
  for (std::size_t i = 0; i < steps_.size();) {
    const Instant at = steps_[i].at;
    for (; i < steps_.size() && steps_[i].at == at; ++i) {
      whole_now += steps_[i].whole;
      part_now += steps_[i].part;
    }
    // A node that can be whole can also be the part: the part needs one more than the whole ones.
    if (whole_now < whole || (rest > 0 && part_now <= whole)) continue;
    if (job.max_leaves == kAnyLeaves) return at;
    find_stays(length, at);
    map_.assign(stay_);
    if (map_.fits(job.gpus, job.max_leaves)) return at;
  }
  return before;
}

/// Earliest start that uses the freed region of this node for a share of the job.
Instant PoolPlan::earlier_on(const Freed& freed, std::int32_t gpus, Duration length, Instant from,
                             Instant before, Instant clip) const {
  // The job must run into the region, so it may not start after that ends, nor end before that begins.
  const Instant last = std::min(before, freed.to);
  if (length < freed.from - kStart) from = std::max(from, freed.from - length + Duration(1));
  if (from >= last) return before;
  const Instant at = nodes_[static_cast<std::size_t>(freed.node)].earliest(gpus, length, from, last, clip);
  return at < last ? at : before;
}

Instant PoolPlan::earlier(const Demand& job, Duration length, Instant from, Instant before,
                          std::span<const NodeSlice> own, Instant own_start, std::uint64_t since) {
  const std::int32_t gpus = job.gpus;
  const std::int32_t rest = gpus % shape_.gpus_per_node;
  const std::int32_t share = one_node(gpus) ? gpus : rest > 0 ? rest : shape_.gpus_per_node;
  Instant first = before;
  for (const Freed& freed : freed_) {
    if (freed.stamp <= since) continue;
    // On its own nodes the job itself holds what it needs from its present start on.
    const bool holds = std::any_of(own.begin(), own.end(),
                                   [&](const NodeSlice& slice) { return node_of(slice) == freed.node; });
    first =
        std::min(first, earlier_on(freed, share, length, from, before, holds ? own_start : Instant::max()));
  }
  if (one_node(gpus) || first == before) return first;
  // A share of the gang fits from `first` on; whether all of it does is another question.
  const Instant own_end = saturated(own_start, length);
  if (!own.empty()) give(own, own_start, own_end);
  const Instant at = earliest_gang(job, length, first, before);
  if (!own.empty()) take(own, own_start, own_end);
  return at;
}

void PoolPlan::choose(std::int32_t gpus, std::vector<NodeSlice>& out) {
  if (one_node(gpus)) {
    std::int32_t best = -1;
    for (std::int32_t n = 0; n < shape_.nodes; ++n) {
      if (stay_[n] >= gpus && (best < 0 || prefers(shape_.rule, stay_[n], stay_[best]))) best = n;
    }
    FLEETSIM_ASSERT(best >= 0);
    out.push_back({NodeId{static_cast<std::uint32_t>(shape_.first_node + best)}, gpus});
    return;
  }
  map_.assign(stay_);
  map_.choose(gpus, out);
}

/// GPUs of each node that stay free from `at` on for the whole length.
void PoolPlan::find_stays(Duration length, Instant at) {
  const Instant end = saturated(at, length);
  for (std::size_t n = 0; n < nodes_.size(); ++n) stay_[n] = nodes_[n].least(at, end);
}

void PoolPlan::place(std::int32_t gpus, Duration length, Instant at, std::vector<NodeSlice>& out) {
  find_stays(length, at);
  choose(gpus, out);
}

bool PoolPlan::place_now(const Demand& job, Duration length, Instant now, const FreeMap& free,
                         std::vector<NodeSlice>& out) {
  const std::int32_t gpus = job.gpus;
  if (!free.fits(gpus, job.max_leaves)) return false;
  const Instant end = saturated(now, length);
  const std::int32_t share = one_node(gpus) ? gpus : 1;
  std::int32_t most = 0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    stay_[n] = free.free()[n] < share ? 0 : std::min(free.free()[n], nodes_[n].least(now, end));
    most = std::max(most, stay_[n]);
  }
  if (one_node(gpus)) {
    if (most < gpus) return false;
    choose(gpus, out);
    return true;
  }
  map_.assign(stay_);
  if (!map_.fits(gpus, job.max_leaves)) return false;
  map_.choose(gpus, out);
  return true;
}

std::span<const std::int32_t> PoolPlan::stay_now(Duration length, Instant now, const FreeMap& free) {
  find_stays(length, now);
  for (std::size_t n = 0; n < nodes_.size(); ++n) stay_[n] = std::min(stay_[n], free.free()[n]);
  return stay_;
}

bool PoolPlan::place_guest(const Demand& job, Duration length, Instant now, const FreeMap& free,
                           std::span<const GuestShare> others, std::vector<NodeSlice>& out) {
  if (!free.fits(job.gpus, job.max_leaves)) return false;
  static_cast<void>(stay_now(length, now, free));
  const Instant end = saturated(now, length);
  // What others hold becomes less from one of their ends to the next, so the plan may be tightest in between.
  for (const GuestShare& at : others) {
    if (at.until <= now) continue;
    const auto n = static_cast<std::size_t>(at.node);
    std::int32_t held = 0;
    Instant since = now;
    for (const GuestShare& other : others) {
      if (other.node != at.node) continue;
      if (other.until >= at.until) held += other.gpus;
      if (other.until < at.until) since = std::max(since, other.until);
    }
    if (since >= end) continue;
    stay_[n] = std::min(stay_[n], nodes_[n].least(since, std::min(at.until, end)) - held);
  }
  for (std::int32_t& stay : stay_) stay = std::max(stay, 0);
  map_.assign(stay_);
  if (!map_.fits(job.gpus, job.max_leaves)) return false;
  map_.choose(job.gpus, out);
  return true;
}

void PoolPlan::take(std::span<const NodeSlice> slices, Instant from, Instant to) {
  for (const NodeSlice& slice : slices)
    nodes_[static_cast<std::size_t>(node_of(slice))].add(from, to, -slice.gpus);
}

void PoolPlan::give(std::span<const NodeSlice> slices, Instant from, Instant to) {
  for (const NodeSlice& slice : slices)
    nodes_[static_cast<std::size_t>(node_of(slice))].add(from, to, slice.gpus);
}

void PoolPlan::note_freed(std::span<const NodeSlice> slices, Instant from, Instant to, std::uint64_t stamp) {
  for (const NodeSlice& slice : slices) {
    std::int32_t& at = freed_at_[static_cast<std::size_t>(node_of(slice))];
    if (at < 0) {
      at = static_cast<std::int32_t>(freed_.size());
      freed_.push_back({node_of(slice), stamp, from, to});
      continue;
    }
    Freed& freed = freed_[static_cast<std::size_t>(at)];
    freed.stamp = stamp;
    freed.from = std::min(freed.from, from);
    freed.to = std::max(freed.to, to);
  }
}

void PoolPlan::forget_stamps() {
  for (const Freed& freed : freed_) freed_at_[static_cast<std::size_t>(freed.node)] = -1;
  freed_.clear();
}

void PoolPlan::windows(Instant now, const FreeMap& free, std::vector<Window>& out) {
  front_.clear();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const std::int32_t held = free.free()[n];
    if (held == 0) continue;
    nodes_[n].each_step_down(now, [&](std::int32_t stay, Instant until) {
      const Duration length = until == Instant::max() ? Duration::max() : until - now;
      front_.push_back({std::min(stay, held), length});
    });
  }
  // Only windows that no other one holds: the largest first, each with a longer limit than those before.
  std::sort(front_.begin(), front_.end(), [](const Window& a, const Window& b) {
    return a.gpus != b.gpus ? a.gpus > b.gpus : a.limit > b.limit;
  });
  const std::int32_t gang = free.max_fit();
  Duration longest = Duration::zero();
  for (const Window& window : front_) {
    if (window.limit <= longest) continue;
    longest = window.limit;
    out.push_back(window);
    // As many whole nodes as are free now may stay so no longer than the node that stays so longest.
    if (window.gpus == shape_.gpus_per_node && gang > shape_.gpus_per_node) out.push_back({gang, longest});
  }
}

}  // namespace fleetsim
