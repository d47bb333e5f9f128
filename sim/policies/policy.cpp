#include "sim/policies/policy.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fleetsim {

namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(PolicyKind::backfill) + 1;

std::array<MakePolicy, kKinds>& registry() {
  static std::array<MakePolicy, kKinds> makers{};
  return makers;
}

}  // namespace

const char* to_string(StartReason reason) {
  switch (reason) {
    case StartReason::none:
      return "none";
    case StartReason::head:
      return "head";
    case StartReason::backfill:
      return "backfill";
    case StartReason::overflow:
      return "overflow";
    case StartReason::burst:
      return "burst";
  }
  return "?";
}

RegisterPolicy::RegisterPolicy(PolicyKind kind, MakePolicy make) {
  registry()[static_cast<std::size_t>(kind)] = make;
}

std::unique_ptr<Policy> make_policy(PolicyKind kind) {
  const MakePolicy make = registry()[static_cast<std::size_t>(kind)];
  return make == nullptr ? nullptr : make();
}

bool has_policy(PolicyKind kind) {
  return registry()[static_cast<std::size_t>(kind)] != nullptr;
}

std::span<const NodeSlice> Decisions::start(Instant now, Lane& lane, std::size_t position, PoolId pool,
                                            const FreeMap& where, StartReason reason) {
  slices_.clear();
  const JobId job = lane.jobs.job(position);
  const bool crosses = where.choose(lane.jobs.gpus(position), slices_);
  const Instant end = estimated_end(now, lane.jobs.limit(position));
  if (reason == StartReason::overflow && cluster_.expects_guests()) {
    cluster_.start_guest(job, pool, slices_, now, end);
  } else {
    cluster_.start(job, pool, slices_, end);
  }
  waiting_.remove(lane, position);
  starts_.push_back({job, pool, reason, crosses, victims_.size()});
  return slices_;
}

void Decisions::consider_claim(PoolId pool, const Demand& job, std::span<const std::int32_t> allowed,
                               Instant now) {
  if (cluster_.guests(pool).empty() || !claims_.find(cluster_, pool, job, allowed, now)) return;
  if (claimed_ != kNoPool && !(claims_.cost() < best_.cost())) return;
  std::swap(claims_, best_);
  claimed_ = pool;
  allowed_.assign(allowed.begin(), allowed.end());
}

const FreeMap& Decisions::take_back() {
  for (const JobId job : best_.guests()) {
    const auto guests = cluster_.guests(claimed_);
    const auto guest =
        std::find_if(guests.begin(), guests.end(), [&](const Guest& g) { return g.job == job; });
    victims_.push_back({job, cluster_.stop(job, claimed_, guest->estimated_end, true)});
  }
  const FreeMap& free = cluster_.free(claimed_);
  for (std::size_t node = 0; node < allowed_.size(); ++node)
    allowed_[node] = std::min(allowed_[node], free.free()[node]);
  room_.clear();
  room_.emplace_back(free.shape());
  room_.front().assign(allowed_);
  return room_.front();
}

}  // namespace fleetsim
