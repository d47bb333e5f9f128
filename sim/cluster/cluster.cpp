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
  for (const PoolShape& shape : pools) pools_.push_back({FreeMap(shape), {}, 0});
  placed_.first_slice.resize(jobs);
  placed_.node_count.resize(jobs);
  placed_.slices.reserve(jobs);
}

void Cluster::start(JobId job, PoolId pool, std::span<const NodeSlice> slices, Instant estimated_end) {
  Pool& where = pools_[index(pool)];
  const Release release{estimated_end, job, 0, static_cast<std::uint32_t>(placed_.slices.size()),
                        static_cast<std::int32_t>(slices.size())};
  FLEETSIM_ASSERT(!slices.empty() && placed_.node_count[index(job)] == 0);
  std::int32_t gpus = 0;
  for (const NodeSlice& slice : slices) {
    where.free.take(slice);
    placed_.slices.push_back(slice);
    gpus += slice.gpus;
  }
  placed_.first_slice[index(job)] = release.first_slice;
  placed_.node_count[index(job)] = release.slice_count;
  ++where.version;
  ++version_;
  ++running_;
  if (!keep_releases_) return;
  auto& list = where.releases;
  list.insert(std::upper_bound(list.begin(), list.end(), release, later), release)->gpus = gpus;
}

void Cluster::finish(JobId job, PoolId pool, Instant estimated_end) {
  Pool& where = pools_[index(pool)];
  for (const NodeSlice& slice : slices(job)) where.free.give(slice);
  ++where.version;
  ++version_;
  FLEETSIM_ASSERT(running_ > 0);
  --running_;
  if (!keep_releases_) return;
  auto& list = where.releases;
  const auto place = std::lower_bound(list.begin(), list.end(), Release{estimated_end, job}, later);
  FLEETSIM_ASSERT(place != list.end() && place->job == job && place->at == estimated_end);
  list.erase(place);
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
  void_plans(pool);
}

void Cluster::void_plans(PoolId pool) {
  ++pools_[index(pool)].version;
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
