#include "sim/policies/claim.hpp"

#include <algorithm>
#include <limits>

namespace fleetsim {

namespace {

constexpr ClaimCost kTooMuch{std::numeric_limits<std::int64_t>::max(), 0};

}  // namespace

bool ClaimPlanner::find(const Cluster& cluster, PoolId pool, const Demand& job,
                        std::span<const std::int32_t> allowed, Instant now) {
  const FreeMap& free = cluster.free(pool);
  const auto guests = cluster.guests(pool);
  costs_.clear();
  goes_.assign(guests.size(), 0);
  on_node_.resize(std::max(on_node_.size(), allowed.size()));
  for (auto& shares : on_node_) shares.clear();
  for (std::size_t g = 0; g < guests.size(); ++g) {
    const Duration held = now - guests[g].start;
    const Duration lost = period_ > Duration::zero() ? held % period_ : held;
    costs_.push_back({lost.count() * guests[g].gpus, 1});
    for (const NodeSlice& slice : cluster.slices(guests[g])) {
      const std::size_t node = index(slice.node) - static_cast<std::size_t>(free.shape().first_node);
      on_node_[node].push_back({g, slice.gpus});
    }
  }
  const bool found = job.gpus <= free.shape().gpus_per_node ? find_one_node(free.free(), allowed, job.gpus)
                                                            : find_gang(cluster, pool, job, allowed);
  if (!found) return false;
  chosen_.clear();
  cost_ = {};
  for (std::size_t g = 0; g < guests.size(); ++g) {
    if (goes_[g] == 0) continue;
    chosen_.push_back(guests[g].job);
    cost_ = cost_ + costs_[g];
  }
  return true;
}

bool ClaimPlanner::find_one_node(std::span<const std::int32_t> free, std::span<const std::int32_t> allowed,
                                 std::int32_t gpus) {
  ClaimCost best = kTooMuch;
  for (std::size_t node = 0; node < allowed.size(); ++node) {
    if (allowed[node] < gpus) continue;
    const ClaimCost cost = cover(on_node_[node], gpus - free[node]);
    if (!(cost < best)) continue;
    best = cost;
    std::fill(goes_.begin(), goes_.end(), 0);
    for (const std::size_t guest : picked_) goes_[guest] = 1;
  }
  return best != kTooMuch;
}

/// The cheapest of the guests that give back at least `needed` GPUs of the node. The one that started first
/// is decided on last, and goes only if that is cheaper.
ClaimCost ClaimPlanner::cover(const std::vector<Share>& on_node, std::int32_t needed) {
  picked_.clear();
  if (needed <= 0) return {};
  const auto width = static_cast<std::size_t>(needed) + 1;
  std::vector<ClaimCost> least(width, kTooMuch);  // by GPUs still needed
  std::vector<char> takes(on_node.size() * width, 0);
  least[0] = {};
  for (std::size_t i = on_node.size(); i-- > 0;) {
    const ClaimCost own = costs_[on_node[i].guest];
    const auto given = static_cast<std::size_t>(on_node[i].gpus);
    for (std::size_t need = width; need-- > 1;) {
      const ClaimCost& rest = least[need > given ? need - given : 0];
      if (rest == kTooMuch || !(rest + own < least[need])) continue;
      least[need] = rest + own;
      takes[i * width + need] = 1;
    }
  }
  if (least[width - 1] == kTooMuch) return kTooMuch;
  std::size_t need = width - 1;
  for (std::size_t i = 0; i < on_node.size() && need > 0; ++i) {
    if (takes[i * width + need] == 0) continue;
    picked_.push_back(on_node[i].guest);
    const auto given = static_cast<std::size_t>(on_node[i].gpus);
    need = need > given ? need - given : 0;
  }
  return least[width - 1];
}

bool ClaimPlanner::fits_without(const FreeMap& free, const Demand& job,
                                std::span<const std::int32_t> allowed) {
  room_.assign(free.free().begin(), free.free().end());
  for (std::size_t node = 0; node < allowed.size(); ++node) {
    for (const Share& share : on_node_[node]) room_[node] += goes_[share.guest] != 0 ? share.gpus : 0;
    room_[node] = std::min(room_[node], allowed[node]);
  }
  FreeMap map(free.shape());
  map.assign(room_);
  return map.fits(job.gpus, job.max_leaves);
}

bool ClaimPlanner::find_gang(const Cluster& cluster, PoolId pool, const Demand& job,
                             std::span<const std::int32_t> allowed) {
  const FreeMap& free = cluster.free(pool);
  const std::int32_t g = free.shape().gpus_per_node;
  const std::int32_t least = job.gpus % g == 0 ? g : job.gpus % g;  // of a node that is any use
  while (!fits_without(free, job, allowed)) {
    ClaimCost best = kTooMuch;
    std::size_t where = allowed.size();
    for (std::size_t node = 0; node < allowed.size(); ++node) {
      if (allowed[node] < least) continue;
      ClaimCost cost;
      for (const Share& share : on_node_[node])
        if (goes_[share.guest] == 0) cost = cost + costs_[share.guest];
      if (cost.jobs == 0 || !(cost < best)) continue;
      best = cost;
      where = node;
    }
    if (where == allowed.size()) return false;
    for (const Share& share : on_node_[where]) goes_[share.guest] = 1;
  }
  picked_.clear();
  for (std::size_t guest = 0; guest < goes_.size(); ++guest)
    if (goes_[guest] != 0) picked_.push_back(guest);
  std::stable_sort(picked_.begin(), picked_.end(),
                   [&](std::size_t a, std::size_t b) { return costs_[b] < costs_[a]; });
  for (const std::size_t guest : picked_) {
    goes_[guest] = 0;
    if (!fits_without(free, job, allowed)) goes_[guest] = 1;
  }
  return true;
}

}  // namespace fleetsim
