#include "sim/cluster/cluster.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace fleetsim {

namespace {

/// Latest first: jobs that end soon stand at the back, where most insertions and removals happen.
bool later(const Release& a, const Release& b) {
  return a.at != b.at ? a.at > b.at : a.job > b.job;
}

}  // namespace

Cluster::Cluster(std::span<const PoolShape> pools, std::size_t jobs, bool keep_releases)
    : keep_releases_(keep_releases) {
  pools_.reserve(pools.size());
  for (const PoolShape& shape : pools) pools_.push_back({FreeMap(shape), {}, {}, 0, 0});
  placed_.first_slice.resize(jobs);
  placed_.node_count.resize(jobs);
  placed_.slices.reserve(jobs);
}

std::int32_t Cluster::take(JobId job, Pool& where, std::span<const NodeSlice> slices) {
  FLEETSIM_ASSERT(!slices.empty() && placed_.node_count[index(job)] == 0);
  placed_.first_slice[index(job)] = static_cast<std::uint32_t>(placed_.slices.size());
  placed_.node_count[index(job)] = static_cast<std::int32_t>(slices.size());
  std::int32_t gpus = 0;
  for (const NodeSlice& slice : slices) {
    where.free.take(slice);
    placed_.slices.push_back(slice);
    gpus += slice.gpus;
  }
  ++where.version;
  ++version_;
  ++running_;
  return gpus;
}

void Cluster::start(JobId job, PoolId pool, std::span<const NodeSlice> slices, Instant estimated_end) {
  Pool& where = pools_[index(pool)];
  const std::int32_t gpus = take(job, where, slices);
  ++where.owner_version;
  if (expects_guests()) {
    for (const NodeSlice& slice : slices) claimable_[index(pool)].take(slice);
  }
  if (!keep_releases_) return;
  const Release release{estimated_end, job, gpus, placed_.first_slice[index(job)],
                        placed_.node_count[index(job)]};
  auto& list = where.releases;
  list.insert(std::upper_bound(list.begin(), list.end(), release, later), release);
}

void Cluster::start_guest(JobId job, PoolId pool, std::span<const NodeSlice> slices, Instant now,
                          Instant estimated_end) {
  FLEETSIM_ASSERT(expects_guests());
  Pool& where = pools_[index(pool)];
  const std::int32_t gpus = take(job, where, slices);
  where.guests.push_back(
      {job, now, estimated_end, gpus, placed_.first_slice[index(job)], placed_.node_count[index(job)]});
}

void Cluster::finish(JobId job, PoolId pool, Instant estimated_end) {
  Pool& where = pools_[index(pool)];
  for (const NodeSlice& slice : slices(job)) where.free.give(slice);
  ++where.version;
  ++version_;
  FLEETSIM_ASSERT(running_ > 0);
  --running_;
  const auto guest =
      std::find_if(where.guests.begin(), where.guests.end(), [&](const Guest& g) { return g.job == job; });
  if (guest != where.guests.end()) {
    where.guests.erase(guest);
    return;
  }
  ++where.owner_version;
  if (expects_guests()) {
    for (const NodeSlice& slice : slices(job)) claimable_[index(pool)].give(slice);
  }
  if (!keep_releases_) return;
  auto& list = where.releases;
  const auto place = std::lower_bound(list.begin(), list.end(), Release{estimated_end, job}, later);
  FLEETSIM_ASSERT(place != list.end() && place->job == job && place->at == estimated_end);
  list.erase(place);
}

void Cluster::expect_guests() {
  FLEETSIM_ASSERT(running_ == 0 && claimable_.empty());
  claimable_.reserve(pools_.size());
  for (const Pool& pool : pools_) claimable_.push_back(pool.free);
}

void Cluster::expect_outages() {
  FLEETSIM_ASSERT(running_ == 0 && there_.empty());
  there_.reserve(pools_.size());
  for (const Pool& pool : pools_) there_.emplace_back(pool.free.shape());
}

void Cluster::change(PoolId pool, std::int32_t node, std::int32_t gpus) {
  Pool& where = pools_[index(pool)];
  FreeMap& there = there_[index(pool)];
  const std::int32_t before = there.free()[static_cast<std::size_t>(node)];
  FLEETSIM_ASSERT(before != gpus && where.free.free()[static_cast<std::size_t>(node)] == before);
  where.free.set(node, gpus);
  there.set(node, gpus);
  if (expects_guests()) claimable_[index(pool)].set(node, gpus);
  void_plans(pool);
}

void Cluster::void_plans(PoolId pool) {
  ++pools_[index(pool)].version;
  ++pools_[index(pool)].owner_version;
  ++version_;
  ++node_changes_;
}

void Cluster::close(PoolId pool, std::int32_t node) {
  change(pool, node, 0);
}

void Cluster::open(PoolId pool, std::int32_t node) {
  change(pool, node, pools_[index(pool)].free.shape().gpus_per_node);
}

Release Cluster::stop(JobId job, PoolId pool, Instant estimated_end, bool again) {
  const Release where{estimated_end, job, 0, placed_.first_slice[index(job)], placed_.node_count[index(job)]};
  finish(job, pool, estimated_end);
  if (!again) return where;
  placed_.first_slice[index(job)] = 0;
  placed_.node_count[index(job)] = 0;
  return where;
}

}  // namespace fleetsim
