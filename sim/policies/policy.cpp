#include "sim/policies/policy.hpp"

#include <array>

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
  cluster_.start(job, pool, slices_, estimated_end(now, lane.jobs.limit(position)));
  waiting_.remove(lane, position);
  starts_.push_back({job, pool, reason, crosses});
  return slices_;
}

}  // namespace fleetsim
