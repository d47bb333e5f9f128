#include "sim/engine/eligibility.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "sim/base/assert.hpp"

namespace fleetsim {

namespace {

void require(bool fine, const std::string& sentence) {
  if (!fine) throw std::invalid_argument(sentence);
}

void check_jobs(const EngineInput& input) {
  require(input.requests != nullptr && input.truth != nullptr, "the engine needs requests and truth");
  const JobRequests& r = *input.requests;
  const JobTruth& t = *input.truth;
  const std::size_t n = r.size();
  require(n < (std::size_t{1} << 31), fmt::format("{} jobs are more than the engine's limit of 2^31", n));
  require(r.gpus.size() == n && r.limit.size() == n && r.queue.size() == n &&
              (input.max_leaves.empty() || r.job_class.size() == n) && t.wall.size() == n &&
              t.shape.size() == n && (t.child.empty() || (t.child.size() == n && t.pause.size() == n)),
          "the columns of the job tables differ in length");
  require(t.next.size() == t.think.size() && (t.next.empty() || t.next.size() == n),
          "the columns of closed loops differ in length from the job tables");
}

}  // namespace

Eligibility::Eligibility(const EngineInput& input) : input_(input) {
  check_jobs(input);
  const std::size_t pools = input.pools.size();
  require(input.run_time.pools == pools, "the run-time table has another number of pools than the fleet");
  require(pools > 0 && input.run_time.one_leaf.size() % pools == 0, "the run-time table is not complete");
  require(input.run_time.several_leaves.empty() ||
              input.run_time.several_leaves.size() == input.run_time.one_leaf.size(),
          "the two halves of the run-time table differ in length");
  for (const EnginePool& pool : input.pools) {
    require(pool.nodes >= 0 && pool.gpus_per_node >= 1 && pool.first_node >= 0 && pool.nodes_per_leaf >= 1,
            fmt::format("pool '{}' has no sensible size", pool.name));
    require(std::int64_t{pool.nodes} * pool.gpus_per_node <= 1'000'000'000,
            fmt::format("pool '{}' has more than 10^9 GPUs", pool.name));
    pools_.push_back({pool.nodes, pool.gpus_per_node, pool.first_node, pool.nodes_per_leaf, pool.placement});
    most_.push_back(std::int64_t{pool.nodes} * pool.gpus_per_node);
    const PoolId id{static_cast<std::uint16_t>(pools_.size() - 1)};
    for (const std::int32_t leaves : input.max_leaves) {
      require(leaves >= 1, "a class may lie below no leaf switch");
      const auto [place, is_new] = largest_.try_emplace({leaves, id}, 0);
      if (is_new) place->second = FreeMap(pools_.back()).max_fit(leaves);
    }
  }
  for (const EngineQueue& queue : input.queues) {
    require(queue.own.size() <= 64 && queue.overflow.size() <= 64,
            fmt::format("queue '{}' has more than 64 pools", queue.name));
    QueuePools ids{queue.own, {}};
    for (const auto& other : queue.overflow) ids.overflow.push_back(other.pool);
    for (const auto* list : {&ids.own, &ids.overflow}) {
      for (const PoolId pool : *list) {
        require(index(pool) < pools, fmt::format("queue '{}' names a pool that does not exist", queue.name));
      }
    }
    queues_.push_back(std::move(ids));
  }
}

bool Eligibility::can_run(std::int32_t gpus, std::uint16_t shape, std::int32_t leaves, PoolId pool) const {
  const PoolShape& p = pools_[index(pool)];
  if (gpus > most_[index(pool)]) return false;
  if (leaves != kAnyLeaves && gpus > largest_.at({leaves, pool})) return false;
  const std::size_t cell = std::size_t{shape} * pools_.size() + index(pool);
  FLEETSIM_ASSERT(cell < input_.run_time.one_leaf.size());
  // Only those ratios count that some placement of the job can need.
  const std::int64_t nodes = (std::int64_t{gpus} + p.gpus_per_node - 1) / p.gpus_per_node;
  const std::int64_t first_leaf = p.first_node / p.nodes_per_leaf;
  const bool one_leaf_only = nodes <= 1 || leaves == 1 || input_.run_time.several_leaves.empty() ||
                             (std::int64_t{p.first_node} + p.nodes - 1) / p.nodes_per_leaf == first_leaf;
  const bool may_fit_a_leaf = nodes <= p.nodes_per_leaf;
  return (!may_fit_a_leaf || input_.run_time.one_leaf[cell] >= 0.0) &&
         (one_leaf_only || input_.run_time.several_leaves[cell] >= 0.0);
}

Eligibility::Masks Eligibility::of(JobId job, Duration limit) const {
  const std::size_t j = index(job);
  const std::int32_t gpus = input_.requests->gpus[j];
  const std::uint16_t shape = input_.truth->shape[j];
  const std::int32_t leaves = max_leaves(job);
  const std::size_t q = index(input_.requests->queue[j]);
  FLEETSIM_ASSERT(q < queues_.size());
  Masks masks;
  const auto& own = queues_[q].own;
  for (std::size_t bit = 0; bit < own.size(); ++bit) {
    if (can_run(gpus, shape, leaves, own[bit])) masks.own |= std::uint64_t{1} << bit;
  }
  const auto& overflow = input_.queues[q].overflow;
  for (std::size_t bit = 0; bit < overflow.size(); ++bit) {
    if (limit <= overflow[bit].max_limit && can_run(gpus, shape, leaves, overflow[bit].pool)) {
      masks.overflow |= std::uint64_t{1} << bit;
    }
  }
  return masks;
}

double Eligibility::ratio(JobId job, PoolId pool, bool crosses_leaves) const {
  const std::size_t cell = std::size_t{input_.truth->shape[index(job)]} * pools_.size() + index(pool);
  const RunTimeTable& table = input_.run_time;
  return crosses_leaves && !table.several_leaves.empty() ? table.several_leaves[cell] : table.one_leaf[cell];
}

Duration Eligibility::run_time(JobId job, PoolId pool, bool crosses_leaves, Duration wall) const {
  const double ratio = this->ratio(job, pool, crosses_leaves);
  FLEETSIM_ASSERT(ratio >= 0.0 && wall >= Duration::zero());
  if (ratio == 1.0) return std::min(wall, kForever);
  const double run = static_cast<double>(wall.count()) * ratio;
  return run < static_cast<double>(kForever.count()) ? Duration(std::llround(run)) : kForever;
}

Duration Eligibility::wall_time(JobId job, PoolId pool, bool crosses_leaves, Duration run) const {
  const double ratio = this->ratio(job, pool, crosses_leaves);
  if (ratio == 1.0) return run;
  if (!(ratio > 0.0)) return Duration::zero();
  return Duration(static_cast<std::int64_t>(std::floor(static_cast<double>(run.count()) / ratio)));
}

void Eligibility::retire(PoolId pool, std::int32_t node) {
  if (lasting_.empty()) {
    for (const PoolShape& shape : pools_) lasting_.emplace_back(shape);
  }
  FreeMap& lasting = lasting_[index(pool)];
  lasting.set(node, 0);
  most_[index(pool)] = lasting.max_fit();
  for (auto& [key, fit] : largest_) {
    if (key.second == pool) fit = lasting.max_fit(key.first);
  }
}

}  // namespace fleetsim
