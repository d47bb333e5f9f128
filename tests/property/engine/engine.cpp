// Properties of every run, on random fleets and jobs, and the fast simulator against its slow twin.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <cmath>

#include "sim/engine/engine.hpp"
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
using random_case::seconds;
using random_case::slices_of;

TEST_CASE("EASY agrees with its slow twin on any fleet, queues and ties") {
  CHECK(rc::check([] { agree_often(PolicyKind::easy, {}, kReservationDepth, 20); }));
}

TEST_CASE("EASY agrees with its slow twin on one pool under load") {
  CHECK(rc::check([] {
    agree_often(PolicyKind::easy, {.exact_limits = false, .one_pool = true}, kReservationDepth, 20);
  }));
}

TEST_CASE("Conservative backfilling agrees with its slow twin on any fleet, queues and ties") {
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, {}, kReservationDepth, 20); }));
}

TEST_CASE("Conservative backfilling agrees with its slow twin on one pool under load") {
  CHECK(rc::check([] {
    agree_often(PolicyKind::conservative, {.exact_limits = false, .one_pool = true}, kReservationDepth, 20);
  }));
}

TEST_CASE("Conservative backfilling agrees with its slow twin when reservations run out") {
  const FewReservations few;
  CHECK(rc::check([] { agree_often(PolicyKind::conservative, {}, FewReservations::kDepth, 20); }));
  CHECK(rc::check([] {
    agree_often(PolicyKind::conservative, {.exact_limits = false, .one_pool = true}, FewReservations::kDepth,
                20);
  }));
}

TEST_CASE("FIFO agrees with its slow twin on any fleet, queues and ties") {
  CHECK(rc::check([] { agree_often(PolicyKind::fifo, {}, kReservationDepth, 20); }));
}

namespace {

/// Watches a run: GPUs in use per node, and the states that each job passes through.
class Watch : public Observer {
 public:
  explicit Watch(const EngineInput& input) : states(input.requests->size()) {}
  void on(const Transition& t) override {
    RC_ASSERT(t.at >= last);
    last = t.at;
    states[index(t.job)].push_back(t.to);
  }
  std::vector<std::vector<JobState>> states;
  Instant last = kStart;
};

}  // namespace

TEST_CASE("No GPU is given twice and gangs are all or nothing") {
  CHECK(rc::check([] {
    Case c;
    fill(c, {});
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    const EngineResult result = run_engine(c.input);
    const JobOutcome& jobs = result.jobs;
    // A job of positive length that runs at the start of another one holds its GPUs then.
    for (std::size_t j = 0; j < c.workload.requests.size(); ++j) {
      if (jobs.start[j] == kNever) continue;
      const EnginePool& pool = c.input.pools[index(jobs.pool[j])];
      std::vector<int> used(static_cast<std::size_t>(pool.nodes), 0);
      for (std::size_t k = 0; k < c.workload.requests.size(); ++k) {
        const bool held = jobs.start[k] != kNever && jobs.pool[k] == jobs.pool[j] &&
                          jobs.start[k] <= jobs.start[j] && jobs.end[k] > jobs.start[j];
        if (!held && k != j) continue;
        if (k == j && jobs.end[j] == jobs.start[j]) continue;
        for (const NodeSlice& s : slices_of(jobs, k)) used[index(s.node) - pool.first_node] += s.gpus;
      }
      for (const int gpus : used) RC_ASSERT(gpus <= pool.gpus_per_node);
      int sum = 0;
      for (const NodeSlice& s : slices_of(jobs, j)) sum += s.gpus;
      RC_ASSERT(sum == c.workload.requests.gpus[j]);
      if (sum <= pool.gpus_per_node) RC_ASSERT(jobs.node_count[j] == 1);
    }
  }));
}

TEST_CASE("B029: submitted jobs are completed, killed, impossible or unfinished, each in one state") {
  CHECK(rc::check([] {
    Case c;
    fill(c, {});
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    Watch watch(c.input);
    const EngineResult result = run_engine(c.input, &watch);
    std::size_t submitted = 0, ended = 0;
    for (std::size_t j = 0; j < watch.states.size(); ++j) {
      submitted += watch.states[j].empty() ? 0 : 1;
      const JobState state = result.jobs.state[j];
      ended += state == JobState::completed || state == JobState::timeout || state == JobState::impossible ||
                       state == JobState::unfinished
                   ? 1
                   : 0;
      RC_ASSERT(watch.states[j].empty() == (state == JobState::dormant));
    }
    RC_ASSERT(submitted == ended);
  }));
}

TEST_CASE("B034: counts of running and waiting jobs never fall below nothing, whatever ends in one instant") {
  CHECK(rc::check([] {
    Case c;
    fill(c, {});
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    // All at once: submissions, kills and ends crowd the same few instants.
    for (Instant& submit : c.workload.requests.submit) {
      if (submit != kNever) submit = Instant(seconds(static_cast<int>(to_seconds(submit)) / 10 * 5));
    }
    for (Duration& limit : c.workload.requests.limit) {
      if (limit != kForever) limit = seconds(static_cast<int>(to_seconds(limit)) / 5 * 5);
    }
    for (Duration& wall : c.workload.truth.wall) wall = seconds(static_cast<int>(to_seconds(wall)) / 5 * 5);
    struct Count : Observer {
      int waiting = 0, running = 0;
      std::vector<JobState> was;
      void on(const Transition& t) override {
        JobState& before = was[index(t.job)];
        if (before == JobState::pending) --waiting;
        if (before == JobState::running) --running;
        if (t.to == JobState::pending) ++waiting;
        if (t.to == JobState::running) ++running;
        RC_ASSERT(before < JobState::completed);  // nothing comes after an end
        RC_ASSERT(waiting >= 0 && running >= 0);
        before = t.to;
      }
    } count;
    count.was.assign(c.workload.requests.size(), JobState::dormant);
    (void)run_engine(c.input, &count);
    RC_ASSERT(count.waiting == 0 && count.running == 0);
  }));
}

TEST_CASE("Every submitted job passes from pending to exactly one final state") {
  CHECK(rc::check([] {
    Case c;
    fill(c, {});
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative);
    Watch watch(c.input);
    const EngineResult result = run_engine(c.input, &watch);
    for (std::size_t j = 0; j < watch.states.size(); ++j) {
      auto passed = watch.states[j];
      if (passed.empty()) {
        RC_ASSERT(result.jobs.state[j] == JobState::dormant);
        continue;
      }
      RC_ASSERT(passed.front() == JobState::pending);
      RC_ASSERT(passed.back() == result.jobs.state[j]);
      RC_ASSERT(result.jobs.state[j] > JobState::running);
      RC_ASSERT(passed.size() == (result.jobs.start[j] == kNever ? 2U : 3U));
    }
  }));
}

namespace {

/// The same case without the jobs behind row `last`.
void cut_behind(Case& c, std::size_t last) {
  const auto cut = [&](auto& column) { column.resize(last + 1); };
  cut(c.workload.requests.submit);
  cut(c.workload.requests.gpus);
  cut(c.workload.requests.limit);
  cut(c.workload.requests.job_class);
  cut(c.workload.requests.queue);
  cut(c.workload.requests.user);
  cut(c.workload.requests.parent);
  cut(c.workload.truth.wall);
  cut(c.workload.truth.limit_factor);
  cut(c.workload.truth.child);
  cut(c.workload.truth.pause);
  cut(c.workload.truth.shape);
  c.input.requests = &c.workload.requests;
  c.input.truth = &c.workload.truth;
}

}  // namespace

// With exact estimates the first reservation of a head is a promise: replay the jobs up to each one, so that
// nothing else arrives behind it; later arrivals must not make it start later.
TEST_CASE("B056: EASY never delays the reservation of the head when run times equal limits") {
  CHECK(rc::check([] {
    Case c;
    Options options;
    options.exact_limits = options.one_pool = true;
    options.horizon = false;
    fill(c, options);
    c.input.policy = PolicyKind::easy;
    const EngineResult all = run_engine(c.input);
    for (std::size_t j = 0; j < c.workload.requests.size(); ++j) {
      if (all.jobs.start[j] == kNever || all.jobs.start[j] == all.jobs.submit[j]) continue;
      // It is the head from its first pass on when all earlier jobs started before it came.
      bool head = true;
      for (std::size_t k = 0; k < j; ++k) {
        head = head && (all.jobs.state[k] == JobState::impossible || all.jobs.start[k] < all.jobs.submit[j]);
      }
      if (!head) continue;
      Case alone = c;
      cut_behind(alone, j);
      const Instant promised = run_engine(alone.input).jobs.start[j];
      if (all.jobs.start[j] > promised) RC_LOG() << describe(c) << "job " << j << std::endl;
      RC_ASSERT(all.jobs.start[j] <= promised);
    }
  }));
}

TEST_CASE("No arrival ever delays a job under conservative backfilling when run times equal limits") {
  CHECK(rc::check([] {
    Case c;
    Options options;
    options.exact_limits = options.one_pool = true;
    options.horizon = false;
    options.shortest = 1;  // a limit of nothing is planned as a microsecond, so that such a job ends early
    fill(c, options);
    c.input.policy = PolicyKind::conservative;
    const EngineResult all = run_engine(c.input);
    for (std::size_t j = 0; j < c.workload.requests.size(); ++j) {
      if (all.jobs.start[j] == kNever) continue;
      Case alone = c;
      cut_behind(alone, j);
      const Instant promised = run_engine(alone.input).jobs.start[j];
      if (all.jobs.start[j] > promised) RC_LOG() << describe(c) << "job " << j << std::endl;
      RC_ASSERT(all.jobs.start[j] <= promised);
    }
  }));
}

TEST_CASE(
    "Conservative backfilling keeps the promise made at submission, whenever jobs keep to their limits") {
  CHECK(rc::check([] {
    for (int k = 0; k < 20; ++k) {
      Case c;
      fill(c, {});
      c.input.policy = PolicyKind::conservative;
      c.input.kill_at_limit = true;
      twin::Simulator slow(c.input);  // it agrees with the fast one, and tells what it promised
      slow.run();
      const EngineResult fast = run_engine(c.input);
      for (std::size_t j = 0; j < c.workload.requests.size(); ++j) {
        const auto promised = slow.promised(j);
        if (!promised || fast.jobs.start[j] == kNever) continue;
        if (fast.jobs.start[j] > *promised) RC_LOG() << describe(c) << "job " << j << std::endl;
        RC_ASSERT(fast.jobs.start[j] <= *promised);
      }
    }
  }));
}
