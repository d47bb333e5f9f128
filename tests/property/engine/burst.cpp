// Properties of runs in which jobs that wait too long go to rented GPUs.
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

Options bursting(bool outages = false, bool preempt = false) {
  Options options;
  options.burst = true;
  options.outages = outages;
  options.preempt = preempt;
  return options;
}

void agree_always(PolicyKind policy) {
  CHECK(rc::check([policy] { agree_often(policy, bursting()); }));
  CHECK(rc::check([policy] { agree_often(policy, bursting(true, true)); }));
}

}  // namespace

TEST_CASE("FIFO agrees with its slow twin when jobs go to rented GPUs") {
  agree_always(PolicyKind::fifo);
}

TEST_CASE("EASY agrees with its slow twin when jobs go to rented GPUs") {
  agree_always(PolicyKind::easy);
}

TEST_CASE("Conservative backfilling agrees with its slow twin when jobs go to rented GPUs") {
  agree_always(PolicyKind::conservative);
}

TEST_CASE(
    "Nobody that can run on rented GPUs waits longer than the limit, and those that go waited just so") {
  CHECK(rc::check([] {
    Case c;
    fill(c, bursting());
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    c.input.burst->interruptions = {};
    Ledger ledger(c.input);
    const EngineResult result = run_engine(c.input, &ledger);
    const JobOutcome& jobs = result.jobs;
    for (std::size_t j = 0; j < jobs.state.size(); ++j) {
      if (jobs.state[j] == JobState::dormant || jobs.state[j] == JobState::impossible) continue;
      const bool may = c.input.burst->ratio[c.workload.truth.shape[j]] >= 0.0;
      const Instant until = jobs.start[j] == kNever ? result.ended : jobs.start[j];
      if (may) RC_ASSERT(until - jobs.submit[j] <= c.input.burst->above_wait);
      RC_ASSERT((jobs.reason[j] == StartReason::burst) == (jobs.pool[j] == kCloudPool));
      if (jobs.pool[j] != kCloudPool) continue;
      RC_ASSERT(may && until - jobs.submit[j] == c.input.burst->above_wait);
      RC_ASSERT(jobs.node_count[j] == 0);
    }
    for (const Ledger::PoolBook& book : ledger.pools()) RC_ASSERT(book.over <= 0);
  }));
}

TEST_CASE("Attempts on rented GPUs add up to the job's work, however often it is interrupted") {
  CHECK(rc::check([] {
    Case c;
    fill(c, bursting());
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    c.input.kill_at_limit = false;
    c.input.checkpoint = {random_case::seconds(2), random_case::seconds(random_case::in(0, 1))};
    for (double& ratio : c.input.run_time.one_leaf) ratio = ratio < 0.0 ? ratio : 1.0;
    for (double& ratio : c.input.run_time.several_leaves) ratio = ratio < 0.0 ? ratio : 1.0;
    for (double& ratio : c.input.burst->ratio) ratio = ratio < 0.0 ? ratio : 1.0;
    const EngineResult result = run_engine(c.input);
    std::vector<Duration> kept(c.workload.requests.size());
    for (const Attempt& a : result.attempts) {
      RC_ASSERT(a.kept + a.overhead + a.lost == a.end - a.start);
      RC_ASSERT(a.pool == kCloudPool && a.requeued && !a.preempted);
      kept[index(a.job)] += a.kept;
    }
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (result.jobs.state[j] != JobState::completed) continue;
      const WorkSplit last = split_as_planned(result.jobs.end[j] - result.jobs.start[j], c.input.checkpoint);
      RC_ASSERT(kept[j] + last.kept == c.workload.truth.wall[j]);
    }
  }));
}

TEST_CASE("A limit that nobody reaches changes nothing") {
  CHECK(rc::check([] {
    Case c;
    fill(c, bursting());
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    c.input.burst->above_wait = kForever;
    const std::uint64_t with = run_engine(c.input).replay_hash;
    c.input.burst.reset();
    RC_ASSERT(run_engine(c.input).replay_hash == with);
  }));
}
