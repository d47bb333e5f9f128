// Properties of runs in which owners take nodes back from overflow jobs.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <set>

#include "sim/engine/engine.hpp"
#include "sim/engine/outages.hpp"
#include "sim/metrics/ledger.hpp"
#include "sim/policies/conservative.hpp"
#include "tests/catch.hpp"
#include "tests/property/engine/agree.hpp"

using namespace fleetsim;
using random_case::agree_often;
using random_case::Case;
using random_case::describe;
using random_case::FewReservations;
using random_case::fill;
using random_case::Options;

namespace {

Options preempting(bool outages = false) {
  Options options;
  options.preempt = true;
  options.outages = outages;
  return options;
}

void any_case(Case& c) {
  fill(c, preempting());
  c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
}

std::set<std::uint32_t> nodes_of(const JobOutcome& jobs, std::uint32_t first, std::int32_t count) {
  std::set<std::uint32_t> out;
  for (std::int32_t k = 0; k < count; ++k)
    out.insert(static_cast<std::uint32_t>(jobs.slices[first + static_cast<std::uint32_t>(k)].node));
  return out;
}

}  // namespace

TEST_CASE("FIFO agrees with its slow twin when owners take nodes back") {
  CHECK(rc::check([] { agree_often(PolicyKind::fifo, preempting()); }));
  CHECK(rc::check([] { agree_often(PolicyKind::fifo, preempting(true)); }));
}

TEST_CASE("EASY agrees with its slow twin when owners take nodes back") {
  CHECK(rc::check([] { agree_often(PolicyKind::easy, preempting()); }));
  CHECK(rc::check([] { agree_often(PolicyKind::easy, preempting(true)); }));
}

TEST_CASE("Conservative backfilling agrees with its slow twin when owners take nodes back") {
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, preempting()); }));
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, preempting(true)); }));
}

TEST_CASE("Conservative backfilling with few reservations agrees with its twin when owners take nodes back") {
  const FewReservations few;
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, preempting(), FewReservations::kDepth); }));
}

TEST_CASE("Only overflow jobs are sent away, each for a job of the owners that starts at once on its node") {
  CHECK(rc::check([] {
    Case c;
    any_case(c);
    const EngineResult result = run_engine(c.input);
    for (const Attempt& a : result.attempts) {
      RC_ASSERT(a.preempted && a.requeued && a.reason == StartReason::overflow);
      const auto nodes = nodes_of(result.jobs, a.first_slice, a.node_count);
      bool found = false;
      const auto look = [&](std::size_t j, Instant start, PoolId pool, std::uint32_t first,
                            std::int32_t count) {
        const auto& own = c.input.queues[index(c.workload.requests.queue[j])].own;
        if (start != a.end || pool != a.pool || std::find(own.begin(), own.end(), pool) == own.end()) return;
        for (const std::uint32_t node : nodes_of(result.jobs, first, count))
          found = found || nodes.count(node) != 0;
      };
      const JobOutcome& jobs = result.jobs;
      for (std::size_t j = 0; j < jobs.state.size(); ++j)
        look(j, jobs.start[j], jobs.pool[j], jobs.first_slice[j], jobs.node_count[j]);
      RC_ASSERT(found);
      const auto& own = c.input.queues[index(c.workload.requests.queue[index(a.job)])].own;
      RC_ASSERT(std::find(own.begin(), own.end(), a.pool) == own.end());
    }
  }));
}

namespace {

struct Stay {
  std::size_t job = 0;
  Instant start{}, end{};
  PoolId pool = kNoPool;
  bool guest = false;
  std::uint32_t first_slice = 0;
  std::int32_t node_count = 0;
};

/// Every stay of every job on GPUs.
std::vector<Stay> stays(const EngineResult& result) {
  std::vector<Stay> out;
  const JobOutcome& jobs = result.jobs;
  for (const Attempt& a : result.attempts)
    out.push_back({index(a.job), a.start, a.end, a.pool, a.reason == StartReason::overflow, a.first_slice,
                   a.node_count});
  for (std::size_t j = 0; j < jobs.state.size(); ++j) {
    if (jobs.start[j] == kNever) continue;
    out.push_back({j, jobs.start[j], jobs.end[j], jobs.pool[j], jobs.reason[j] == StartReason::overflow,
                   jobs.first_slice[j], jobs.node_count[j]});
  }
  return out;
}

/// GPUs of the pool's nodes that no job of the owners holds just after the instant.
std::vector<int> left_by_owners(const Case& c, const EngineResult& result, const std::vector<Stay>& all,
                                std::size_t pool, Instant at) {
  const EnginePool& p = c.input.pools[pool];
  std::vector<int> left(static_cast<std::size_t>(p.nodes), p.gpus_per_node);
  for (const Stay& stay : all) {
    if (index(stay.pool) != pool || stay.guest || stay.start > at || stay.end <= at) continue;
    for (std::int32_t k = 0; k < stay.node_count; ++k) {
      const NodeSlice& s = result.jobs.slices[stay.first_slice + static_cast<std::uint32_t>(k)];
      left[index(s.node) - static_cast<std::size_t>(p.first_node)] -= s.gpus;
    }
  }
  return left;
}

/// Pools of which no other queue is an owner, so that nothing stands before the queue's head there.
bool owns_alone(const Case& c, std::size_t queue) {
  for (const PoolId pool : c.input.queues[queue].own) {
    for (std::size_t other = 0; other < c.input.queues.size(); ++other) {
      const auto& own = c.input.queues[other].own;
      if (other != queue && std::find(own.begin(), own.end(), pool) != own.end()) return false;
    }
  }
  return !c.input.queues[queue].own.empty();
}

/// Whether the job can run on the empty pool.
bool can_run(const Case& c, std::size_t j, std::size_t pool, const std::vector<int>& room) {
  const std::size_t job_class = index(c.workload.requests.job_class[j]);
  const int leaves = job_class < c.input.max_leaves.size() ? c.input.max_leaves[job_class] : 1'000'000;
  return c.input.run_time.one_leaf[c.workload.truth.shape[j] * c.input.pools.size() + pool] >= 0.0 &&
         twin::choose(c.input.pools[pool], room, c.workload.requests.gpus[j], leaves).has_value();
}

}  // namespace

TEST_CASE("No head of a queue waits while its own nodes, freed of overflow jobs, suffice for it") {
  CHECK(rc::check([] {
    Case c;
    Options options = preempting();
    options.horizon = false;
    fill(c, options);
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy);
    const EngineResult result = run_engine(c.input);
    const std::vector<Stay> all = stays(result);
    std::set<Instant> instants;
    for (const Stay& stay : all) instants.insert({stay.start, stay.end});
    for (const Instant at : result.jobs.submit)
      if (at != kNever) instants.insert(at);
    for (std::size_t q = 0; q < c.input.queues.size(); ++q) {
      if (!owns_alone(c, q)) continue;
      std::vector<std::pair<Instant, std::size_t>> order;
      for (std::size_t j = 0; j < result.jobs.submit.size(); ++j) {
        bool possible = false;
        for (const PoolId pool : c.input.queues[q].own) {
          const EnginePool& p = c.input.pools[index(pool)];
          const std::vector<int> empty(static_cast<std::size_t>(p.nodes), p.gpus_per_node);
          possible = possible || can_run(c, j, index(pool), empty);
        }
        if (possible && index(c.workload.requests.queue[j]) == q && result.jobs.submit[j] != kNever)
          order.emplace_back(result.jobs.submit[j], j);
      }
      std::sort(order.begin(), order.end());
      for (const Instant at : instants) {
        for (const auto& [submit, job] : order) {
          const std::size_t j = job;
          const bool holds = std::any_of(all.begin(), all.end(), [&](const Stay& stay) {
            return stay.job == j && stay.start <= at && stay.end > at;
          });
          if (submit > at || holds || result.jobs.end[j] <= at) continue;
          for (const PoolId pool : c.input.queues[q].own) {
            const bool fits = can_run(c, j, index(pool), left_by_owners(c, result, all, index(pool), at));
            if (fits) RC_LOG() << describe(c) << "job " << j << " at " << to_seconds(at.time_since_epoch());
            RC_ASSERT(!fits);
          }
          break;  // the head only
        }
      }
    }
  }));
}

TEST_CASE("Each job ends once, its attempts add up to its work, and no law is broken with preemption") {
  CHECK(rc::check([] {
    Case c;
    any_case(c);
    c.input.kill_at_limit = false;
    if (random_case::in(0, 1) == 1) c.input.checkpoint = {random_case::seconds(3), random_case::seconds(1)};
    for (double& ratio : c.input.run_time.one_leaf) ratio = ratio < 0.0 ? ratio : 1.0;
    for (double& ratio : c.input.run_time.several_leaves) ratio = ratio < 0.0 ? ratio : 1.0;
    Ledger ledger(c.input);
    const EngineResult result = run_engine(c.input, &ledger);
    std::vector<Duration> kept(c.workload.requests.size());
    for (const Attempt& a : result.attempts) {
      RC_ASSERT(a.kept + a.overhead + a.lost == a.end - a.start);
      kept[index(a.job)] += a.kept;
    }
    for (std::size_t j = 0; j < kept.size(); ++j) {
      RC_ASSERT(result.jobs.state[j] != JobState::pending && result.jobs.state[j] != JobState::running);
      if (result.jobs.state[j] != JobState::completed) continue;
      const WorkSplit last = split_as_planned(result.jobs.end[j] - result.jobs.start[j], c.input.checkpoint);
      RC_ASSERT(kept[j] + last.kept == c.workload.truth.wall[j]);
    }
    for (const Ledger::PoolBook& book : ledger.pools()) RC_ASSERT(book.over <= 0);
  }));
}

TEST_CASE("Where nobody may overflow the rule changes nothing") {
  CHECK(rc::check([] {
    Case c;
    any_case(c);
    for (EngineQueue& queue : c.input.queues) queue.overflow.clear();
    const std::uint64_t preempting_hash = run_engine(c.input).replay_hash;
    c.input.preempt = false;
    RC_ASSERT(run_engine(c.input).replay_hash == preempting_hash);
  }));
}
