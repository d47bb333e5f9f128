#include "sim/policies/conservative_plan.hpp"

#include <algorithm>
#include <bit>

namespace fleetsim {

bool ConservativePlan::begin(const Cluster& cluster, std::span<const QueuePools> queues, Instant now) {
  cluster_ = &cluster;
  queues_ = queues;
  now_ = now;
  for (std::size_t p = pools_.size(); p < cluster.pools(); ++p) {
    const PoolShape& shape = cluster.free(PoolId{static_cast<std::uint16_t>(p)}).shape();
    pools_.push_back({PoolPlan(shape), {}, {}, {}, 0});
    pools_.back().plan.reset(now);
  }
  note_ends();
  const bool nodes_changed = cluster.node_changes() != node_changes_;
  node_changes_ = cluster.node_changes();
  if (nodes_changed) {
    for (const Reserved& job : reserved_) slots_.put(job.slot);
    reserved_.clear();
  }
  if (nodes_changed || broken()) {
    plan_afresh();
  } else {
    compress();
  }
  return nodes_changed;
}

void ConservativePlan::note_ends() {
  next_end_ = Instant::max();
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    Pool& pool = pools_[p];
    pool.plan.trim(now_);
    pool.windows_known = {};
    const PoolId id{static_cast<std::uint16_t>(p)};
    if (cluster_->owner_version(id) != pool.seen) drop_ended(pool, id);
    pool.seen = cluster_->owner_version(id);
    for (const Running& job : pool.running) next_end_ = std::min(next_end_, job.end);
  }
}

void ConservativePlan::drop_ended(Pool& pool, PoolId id) {
  const auto releases = cluster_->releases(id);
  if (releases.size() == pool.running.size()) return;
  ++passes_;
  for (const Release& release : releases) alive_[index(release.job)] = passes_;
  std::size_t keep = 0;
  for (const Running& job : pool.running) {
    if (alive_[index(job.job)] == passes_) {
      pool.running[keep++] = job;
      continue;
    }
    if (job.held > now_) pool.plan.vacate(slots_[job.slot], now_, job.held, ++clock_);
    slots_.put(job.slot);
  }
  pool.running.resize(keep);
}

/// A running job has outlived its estimate, or a reservation could not be kept because one had.
bool ConservativePlan::broken() {
  if (next_end_ < now_) return true;
  if (next_start_ >= now_) return false;
  next_start_ = Instant::max();
  for (const Reserved& job : reserved_) next_start_ = std::min(next_start_, job.start);
  return next_start_ < now_;
}

/// In queue order, every job as early as it fits beside those before it. A running job past its estimate
/// counts as ending now: it holds its GPUs for one microsecond more.
void ConservativePlan::plan_afresh() {
  next_start_ = Instant::max();
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    Pool& pool = pools_[p];
    pool.plan.reset(now_);
    hold_missing(pool, PoolId{static_cast<std::uint16_t>(p)});
    for (Running& job : pool.running) {
      if (job.end < now_) job.held = now_ + Duration(1);
      if (job.held > now_) pool.plan.take(slots_[job.slot], now_, job.held);
    }
  }
  for (Reserved& job : reserved_) {
    slots_[job.slot].clear();
    find_place(job);
  }
  compressed_ = clock_;
}

/// Nobody knows when a node that is missing comes: until then it is planned as held for ever.
void ConservativePlan::hold_missing(Pool& pool, PoolId id) {
  const FreeMap* there = cluster_->there(id);
  if (there == nullptr) return;
  const PoolShape& shape = there->shape();
  missing_.clear();
  for (std::int32_t node = 0; node < shape.nodes; ++node) {
    if (there->free()[static_cast<std::size_t>(node)] > 0) continue;
    missing_.push_back({NodeId{static_cast<std::uint32_t>(shape.first_node + node)}, shape.gpus_per_node});
  }
  pool.plan.take(missing_, now_, Instant::max());
}

void ConservativePlan::compress() {
  if (clock_ == compressed_) return;
  for (bool moved = true; moved;) {
    moved = false;
    for (Reserved& job : reserved_) {
      if (job.looked != clock_) moved = bring_forward(job) || moved;
    }
  }
  compressed_ = clock_;
  for (Pool& pool : pools_) pool.plan.forget_stamps();
}

bool ConservativePlan::bring_forward(Reserved& job) {
  const auto& pools = queues_[index(job.queue)].own;
  Instant first = job.start;
  PoolId best = job.pool;
  for (std::uint64_t mask = job.own; mask != 0; mask &= mask - 1) {
    const PoolId id = pools[std::countr_zero(mask)];
    std::span<const NodeSlice> own;
    if (id == job.pool) own = slots_[job.slot];
    const Instant at =
        pools_[index(id)].plan.earlier(job.demand, job.length, now_, first, own, job.start, job.looked);
    if (at < first) best = id;
    first = std::min(first, at);
  }
  const bool moves = first < job.start;
  if (moves) {
    release(job);
    settle(job, best, first);
  }
  job.looked = clock_;
  return moves;
}

void ConservativePlan::find_place(Reserved& job) {
  const auto& pools = queues_[index(job.queue)].own;
  Instant first = Instant::max();
  PoolId best = kNoPool;
  for (std::uint64_t mask = job.own; mask != 0; mask &= mask - 1) {
    const PoolId id = pools[std::countr_zero(mask)];
    const Instant at = pools_[index(id)].plan.earliest(job.demand, job.length, now_, first);
    if (at < first || best == kNoPool) best = id;
    first = std::min(first, at);
  }
  settle(job, best, first);
  job.looked = clock_;
}

void ConservativePlan::settle(Reserved& job, PoolId id, Instant at) {
  auto& slices = slots_[job.slot];
  slices.clear();
  job.pool = id;
  job.start = at;
  if (at == Instant::max()) return;
  pools_[index(id)].windows_known = {};
  PoolPlan& plan = pools_[index(id)].plan;
  if (at != now_ || !plan.place_now(job.demand, job.length, now_, cluster_->free(id), slices))
    plan.place(job.demand.gpus, job.length, at, slices);
  plan.take(slices, at, job.end());
  next_start_ = std::min(next_start_, at);
}

/// Marks what the reservation held as free.
void ConservativePlan::release(const Reserved& job) {
  if (job.start == Instant::max()) return;
  Pool& pool = pools_[index(job.pool)];
  pool.plan.vacate(slots_[job.slot], job.start, job.end(), ++clock_);
  pool.windows_known = {};
}

void ConservativePlan::vacate(const Reserved& job) {
  release(job);
  slots_.put(job.slot);
}

bool ConservativePlan::take_now(PoolId id, const Demand& job, Duration length, std::uint32_t slot) {
  PoolPlan& plan = pools_[index(id)].plan;
  if (!plan.place_now(job, length, now_, cluster_->free(id), slots_[slot])) return false;
  plan.take(slots_[slot], now_, saturated(now_, length));
  return true;
}

void ConservativePlan::started(JobId job, PoolId id, Duration length, std::uint32_t slot) {
  Pool& pool = pools_[index(id)];
  const Instant end = saturated(now_, length);
  pool.running.push_back({job, end, end, slot});
  pool.windows_known = {};
  pool.seen = cluster_->owner_version(id);
  next_end_ = std::min(next_end_, end);
  if (alive_.size() <= index(job)) alive_.resize(index(job) + 1, 0);
}

const std::vector<Window>& ConservativePlan::windows(PoolId id, bool claimable) {
  Pool& pool = pools_[index(id)];
  auto& windows = pool.windows[claimable ? 1 : 0];
  bool& known = pool.windows_known[claimable ? 1 : 0];
  if (!known) {
    windows.clear();
    pool.plan.windows(now_, claimable ? cluster_->claimable(id) : cluster_->free(id), windows);
    known = true;
  }
  return windows;
}

bool ConservativePlan::place_guest(PoolId id, const Demand& job, Duration length, std::uint32_t slot) {
  const FreeMap& free = cluster_->free(id);
  guests_.clear();
  for (const Guest& guest : cluster_->guests(id)) {
    for (const NodeSlice& slice : cluster_->slices(guest)) {
      const auto node = static_cast<std::int32_t>(index(slice.node)) - free.shape().first_node;
      guests_.push_back({node, slice.gpus, guest.estimated_end});
    }
  }
  return pools_[index(id)].plan.place_guest(job, length, now_, free, guests_, slots_[slot]);
}

void ConservativePlan::give_up_lifted(const Reserved& job) {
  Pool& pool = pools_[index(job.pool)];
  pool.plan.note_freed(slots_[job.slot], job.start, job.end(), ++clock_);
  pool.windows_known = {};
  slots_.put(job.slot);
}

}  // namespace fleetsim
