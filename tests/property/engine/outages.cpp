// Properties of runs in which nodes come and go.
#include <fmt/format.h>
#include <rapidcheck.h>

#include "sim/engine/engine.hpp"
#include "sim/engine/outages.hpp"
#include "sim/metrics/ledger.hpp"
#include "tests/catch.hpp"
#include "tests/property/engine/agree.hpp"

using namespace fleetsim;
using random_case::agree_often;
using random_case::Case;
using random_case::fill;
using random_case::Options;

namespace {

Options outages(bool one_pool = false) {
  Options options;
  options.one_pool = one_pool;
  options.outages = true;
  return options;
}

/// Any case, any policy.
Case any_case() {
  Case c;
  fill(c, outages());
  c.input.requests = &c.workload.requests;
  c.input.truth = &c.workload.truth;
  c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
  return c;
}

struct SpellOnNodes {
  std::size_t job = 0;
  Instant start{}, end{};
  std::uint32_t first_slice = 0;
  std::int32_t node_count = 0;
};

/// Every stay of every job on GPUs.
std::vector<SpellOnNodes> spells_on_nodes(const EngineResult& result) {
  std::vector<SpellOnNodes> out;
  const JobOutcome& jobs = result.jobs;
  for (const Attempt& a : result.attempts)
    if (a.requeued) out.push_back({index(a.job), a.start, a.end, a.first_slice, a.node_count});
  for (std::size_t j = 0; j < jobs.state.size(); ++j) {
    if (jobs.start[j] == kNever) continue;
    const Instant end = jobs.state[j] == JobState::unfinished ? result.ended : jobs.end[j];
    out.push_back({j, jobs.start[j], end, jobs.first_slice[j], jobs.node_count[j]});
  }
  return out;
}

}  // namespace

TEST_CASE("FIFO agrees with its slow twin while nodes come and go") {
  CHECK(rc::check([] { agree_often(PolicyKind::fifo, outages()); }));
}

TEST_CASE("EASY agrees with its slow twin while nodes come and go") {
  CHECK(rc::check([] { agree_often(PolicyKind::easy, outages()); }));
  CHECK(rc::check([] { agree_often(PolicyKind::easy, outages(true)); }));
}

TEST_CASE("Conservative backfilling agrees with its slow twin while nodes come and go") {
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, outages()); }));
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, outages(true)); }));
}

TEST_CASE("No GPU of a node that is not there is held, and none is held twice") {
  CHECK(rc::check([] {
    Case c = any_case();
    c.input.requests = &c.workload.requests;
    c.input.truth = &c.workload.truth;
    const EngineResult result = run_engine(c.input);
    for (const SpellOnNodes& stay : spells_on_nodes(result)) {
      std::int32_t gpus = 0;
      for (std::int32_t k = 0; k < stay.node_count; ++k) {
        const NodeSlice& slice = result.jobs.slices[stay.first_slice + static_cast<std::uint32_t>(k)];
        gpus += slice.gpus;
        // Between the last event of the node before the stay and the next one the node must be there.
        bool there = true, seen = false;
        for (const NodeEvent& e : c.input.node_events) {
          if (e.node != slice.node) continue;
          const bool comes = e.cause == NodeCause::repair || e.cause == NodeCause::delivery;
          if (!seen) there = !comes;
          seen = true;
          if (e.at <= stay.start) there = comes;
          RC_ASSERT(!(e.at > stay.start && e.at < stay.end));
        }
        RC_ASSERT(there || stay.start == stay.end);
      }
      RC_ASSERT(gpus == c.workload.requests.gpus[stay.job]);
    }
    Ledger ledger(c.input);
    const EngineResult again = run_engine(c.input, &ledger);
    RC_ASSERT(again.replay_hash == result.replay_hash);
    for (const Ledger::PoolBook& book : ledger.pools()) RC_ASSERT(book.over <= 0);
  }));
}

TEST_CASE("Each job ends once, and its attempts add up to its work") {
  CHECK(rc::check([] {
    Case c = any_case();
    c.input.requests = &c.workload.requests;
    c.input.truth = &c.workload.truth;
    c.input.kill_at_limit = false;
    for (double& ratio : c.input.run_time.one_leaf) ratio = ratio < 0.0 ? ratio : 1.0;
    for (double& ratio : c.input.run_time.several_leaves) ratio = ratio < 0.0 ? ratio : 1.0;
    const EngineResult result = run_engine(c.input);
    std::vector<Duration> kept(c.workload.requests.size());
    std::vector<int> failed(kept.size());
    for (const Attempt& a : result.attempts) {
      RC_ASSERT(a.kept + a.overhead + a.lost == a.end - a.start);
      RC_ASSERT(a.kept >= Duration::zero() && a.overhead >= Duration::zero() && a.lost >= Duration::zero());
      kept[index(a.job)] += a.kept;
      failed[index(a.job)] += a.requeued ? 0 : 1;
    }
    for (std::size_t j = 0; j < kept.size(); ++j) {
      RC_ASSERT(result.jobs.state[j] != JobState::pending && result.jobs.state[j] != JobState::running);
      RC_ASSERT(failed[j] == (result.jobs.state[j] == JobState::node_fail ? 1 : 0));
      if (result.jobs.state[j] != JobState::completed) continue;
      // All run times are wall times here: work kept before and done in the last attempt is the job's.
      const WorkSplit last = split_as_planned(result.jobs.end[j] - result.jobs.start[j], c.input.checkpoint);
      RC_ASSERT(kept[j] + last.kept == c.workload.truth.wall[j]);
    }
  }));
}
