#include "sim/policies/reservation.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

void Reservation::compute(const Cluster& cluster, PoolId pool, const Demand& job, Instant now) {
  if (holds(cluster, pool, job, now)) return;
  job_ = job;
  version_ = cluster.owner_version(pool);
  spare_known_ = false;
  release_until_fit(cluster, pool, now);
  take_own(cluster.claimable(pool));
}

void Reservation::release_until_fit(const Cluster& cluster, PoolId pool, Instant now) {
  const FreeMap& free = cluster.claimable(pool);
  const PoolShape& shape = free.shape();
  extra_.assign(free.free().begin(), free.free().end());
  // A job on one node fits once some node has that many GPUs. A gang fits once enough nodes are whole and one
  // more has the rest.
  const std::int32_t gpus = job_.gpus;
  const bool gang = gpus > shape.gpus_per_node;
  const std::int32_t whole = gang ? gpus / shape.gpus_per_node : 0;
  const std::int32_t part = gang ? gpus % shape.gpus_per_node : gpus;
  const std::int32_t nodes = whole + (part > 0 ? 1 : 0);
  std::int32_t whole_now = free.whole();
  std::int32_t part_now = part > 0 ? free.nodes_with(part) : 0;
  const auto fits = [&] {
    if (whole_now < whole || (part > 0 && part_now < nodes)) return false;
    if (!gang || job_.max_leaves == kAnyLeaves) return true;
    beyond_.assign(extra_);
    return beyond_.fits(gpus, job_.max_leaves);
  };

  const auto releases = cluster.releases(pool);
  std::size_t left = releases.size();
  shadow_ = now;
  while (!fits()) {
    FLEETSIM_ASSERT(left > 0);
    shadow_ = std::max(releases[left - 1].at, now);
    for (; left > 0 && releases[left - 1].at <= shadow_; --left) {
      for (const NodeSlice& slice : cluster.slices(releases[left - 1])) {
        std::int32_t& node = extra_[index(slice.node) - static_cast<std::size_t>(shape.first_node)];
        const std::int32_t after = node + slice.gpus;
        whole_now += after == shape.gpus_per_node ? 1 : 0;
        part_now += part > 0 && node < part && after >= part ? 1 : 0;
        node = after;
      }
    }
  }
}

/// Takes the job's own GPUs out of what is free at the shadow.
void Reservation::take_own(const FreeMap& free) {
  const PoolShape& shape = free.shape();
  const std::int32_t gpus = job_.gpus;
  if (gpus <= shape.gpus_per_node) {
    std::int32_t best = -1;
    for (std::int32_t node = 0; node < shape.nodes; ++node) {
      if (extra_[node] >= gpus && (best < 0 || prefers(shape.rule, extra_[node], extra_[best]))) best = node;
    }
    extra_[best] -= gpus;
    return;
  }
  beyond_.assign(extra_);
  own_.clear();
  beyond_.choose(gpus, own_);
  for (const NodeSlice& slice : own_) {
    extra_[index(slice.node) - static_cast<std::size_t>(shape.first_node)] -= slice.gpus;
  }
}

const FreeMap& Reservation::spare(const Cluster& cluster, PoolId pool) {
  if (!spare_known_) {
    const auto free = cluster.claimable(pool).free();
    for (std::size_t node = 0; node < extra_.size(); ++node)
      extra_[node] = std::min(extra_[node], free[node]);
    spare_.assign(extra_);
    spare_known_ = true;
  }
  return spare_;
}

const FreeMap& Reservation::spare_free(const Cluster& cluster, PoolId pool, bool for_guest) {
  const auto free = cluster.free(pool).free();
  room_.assign(extra_.begin(), extra_.end());
  if (for_guest) {
    const std::int32_t first = cluster.free(pool).shape().first_node;
    for (const Guest& guest : cluster.guests(pool)) {
      if (guest.estimated_end <= shadow_) continue;
      for (const NodeSlice& slice : cluster.slices(guest))
        room_[index(slice.node) - static_cast<std::size_t>(first)] -= slice.gpus;
    }
  }
  for (std::size_t node = 0; node < room_.size(); ++node)
    room_[node] = std::clamp(room_[node], 0, free[node]);
  beside_.assign(room_);
  return beside_;
}

void Reservation::started(const Cluster& cluster, PoolId pool, std::span<const NodeSlice> slices,
                          bool outlasts) {
  version_ = cluster.owner_version(pool);
  const FreeMap& free = cluster.claimable(pool);
  for (const NodeSlice& slice : slices) {
    const auto node = static_cast<std::int32_t>(index(slice.node)) - free.shape().first_node;
    if (outlasts) extra_[node] -= slice.gpus;
    if (spare_known_) spare_.set(node, std::min(extra_[node], free.free()[node]));
  }
}

}  // namespace fleetsim
