// Properties of every run, on random fleets and jobs, and the fast simulator against its slow twin.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <cmath>

#include "sim/engine/engine.hpp"
#include "tests/catch.hpp"
#include "tests/property/engine/random_case.hpp"
#include "tests/property/engine/twin.hpp"

using namespace fleetsim;
using random_case::Case;
using random_case::describe;
using random_case::fill;
using random_case::Options;

namespace {

std::vector<NodeSlice> slices_of(const JobOutcome& jobs, std::size_t j) {
  const auto begin = jobs.slices.begin() + jobs.first_slice[j];
  return {begin, begin + jobs.node_count[j]};
}

std::string seconds_text(Instant t) {
  return t == kNever ? "never" : fmt::format("{} s", to_seconds(t));
}

void must_agree(const Case& c) {
  const EngineInput& input = c.input;
  const EngineResult fast = run_engine(input);
  const std::vector<twin::Record> slow = twin::Simulator(input).run();
  for (std::size_t j = 0; j < slow.size(); ++j) {
    const JobOutcome& jobs = fast.jobs;
    if (jobs.start[j] != slow[j].start) {
      RC_LOG() << describe(c) << "job " << j << " starts at " << seconds_text(jobs.start[j])
               << ", the twin's at " << seconds_text(slow[j].start) << std::endl;
    }
    RC_ASSERT(jobs.start[j] == slow[j].start);
    RC_ASSERT(jobs.submit[j] == slow[j].submit);
    RC_ASSERT(jobs.end[j] == slow[j].end);
    RC_ASSERT(std::string(to_string(jobs.state[j])) == to_string(slow[j].state));
    RC_ASSERT(std::string(to_string(jobs.reason[j])) == to_string(slow[j].reason));
    const auto placed = slices_of(jobs, j);
    RC_ASSERT(placed.size() == slow[j].slices.size());
    for (std::size_t s = 0; s < placed.size(); ++s) {
      RC_ASSERT(index(placed[s].node) == index(slow[j].slices[s].node));
      RC_ASSERT(placed[s].gpus == slow[j].slices[s].gpus);
    }
  }
}

/// rapidcheck runs a body a hundred times; rare coincidences need more cases than that.
void agree_often(PolicyKind policy, const Options& options) {
  for (int k = 0; k < 20; ++k) {
    Case c;
    fill(c, options);
    c.input.policy = policy;
    must_agree(c);
  }
}

}  // namespace

TEST_CASE("EASY agrees with its slow twin on any fleet, queues and ties") {
  CHECK(rc::check([] { agree_often(PolicyKind::easy, {}); }));
}

TEST_CASE("EASY agrees with its slow twin on one pool under load") {
  CHECK(rc::check([] { agree_often(PolicyKind::easy, {.exact_limits = false, .one_pool = true}); }));
}

TEST_CASE("FIFO agrees with its slow twin on any fleet, queues and ties") {
  CHECK(rc::check([] { agree_often(PolicyKind::fifo, {}); }));
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
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy);
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

TEST_CASE("Every submitted job passes from pending to exactly one final state") {
  CHECK(rc::check([] {
    Case c;
    fill(c, {});
    c.input.policy = *rc::gen::element(PolicyKind::fifo, PolicyKind::easy);
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

TEST_CASE("EASY never delays the head when run times equal limits") {
  CHECK(rc::check([] {
    Case c;
    Options options;
    options.exact_limits = options.one_pool = true;
    options.horizon = false;
    fill(c, options);
    c.input.policy = PolicyKind::easy;
    // With exact estimates the first reservation of a head is a promise: replay the jobs up to each one and
    // let nothing else arrive behind it; later arrivals must not make it start later.
    const EngineResult all = run_engine(c.input);
    const std::size_t n = c.workload.requests.size();
    for (std::size_t j = 0; j < n; ++j) {
      if (all.jobs.start[j] == kNever || all.jobs.start[j] == all.jobs.submit[j]) continue;
      // It is the head from its first pass on when all earlier jobs started before it came.
      bool head = true;
      for (std::size_t k = 0; k < j; ++k) {
        head = head && (all.jobs.state[k] == JobState::impossible || all.jobs.start[k] < all.jobs.submit[j]);
      }
      if (!head) continue;
      Case alone = c;
      const auto cut = [&](auto& column) { column.resize(j + 1); };
      cut(alone.workload.requests.submit);
      cut(alone.workload.requests.gpus);
      cut(alone.workload.requests.limit);
      cut(alone.workload.requests.job_class);
      cut(alone.workload.requests.queue);
      cut(alone.workload.requests.user);
      cut(alone.workload.requests.parent);
      cut(alone.workload.truth.wall);
      cut(alone.workload.truth.limit_factor);
      cut(alone.workload.truth.child);
      cut(alone.workload.truth.pause);
      cut(alone.workload.truth.shape);
      alone.input.requests = &alone.workload.requests;
      alone.input.truth = &alone.workload.truth;
      const Instant promised = run_engine(alone.input).jobs.start[j];
      if (all.jobs.start[j] > promised) RC_LOG() << describe(c) << "job " << j << std::endl;
      RC_ASSERT(all.jobs.start[j] <= promised);
    }
  }));
}
