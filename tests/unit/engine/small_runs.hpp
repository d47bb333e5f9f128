// Runs that fit a page: jobs as a table, the schedule as text.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "tests/catch.hpp"

namespace small_runs {

using namespace fleetsim;

inline Duration s(int seconds) {
  return Duration(std::int64_t{seconds} * 1'000'000);
}

struct Job {
  int submit = 0, gpus = 1, limit = 1, run = 1;
  int queue = 0, shape = 0;
  bool child = false;  ///< dormant, behind its parent; `submit` is then the pause
};

class Setup {
 public:
  EngineInput input;

  Setup& pool(int nodes, int gpus_per_node, std::vector<double> ratios = {1.0}) {
    std::int32_t first = 0;
    for (const EnginePool& p : input.pools) first += p.nodes;
    input.pools.push_back({fmt::format("pool{}", input.pools.size()), nodes, gpus_per_node, first});
    ratios_.push_back(std::move(ratios));
    return *this;
  }
  Setup& queue(std::vector<int> own, std::vector<std::pair<int, Duration>> overflow = {}) {
    EngineQueue queue{fmt::format("queue{}", input.queues.size()), {}, {}};
    for (const int p : own) queue.own.push_back(PoolId{static_cast<std::uint16_t>(p)});
    for (const auto& [p, limit] : overflow) {
      queue.overflow.push_back({PoolId{static_cast<std::uint16_t>(p)}, limit});
    }
    input.queues.push_back(queue);
    return *this;
  }
  EngineResult run(const std::vector<Job>& jobs, Observer* observer = nullptr) {
    if (input.queues.empty()) queue({0});
    requests_ = {};
    truth_ = {};
    for (const Job& job : jobs) {
      const auto parent = static_cast<std::uint32_t>(requests_.size() - 1);
      requests_.submit.push_back(job.child ? kNever : Instant(s(job.submit)));
      requests_.gpus.push_back(job.gpus);
      requests_.limit.push_back(s(job.limit));
      requests_.job_class.push_back(kNoClass);
      requests_.queue.push_back(QueueId{static_cast<std::uint16_t>(job.queue)});
      requests_.user.push_back(0);
      requests_.parent.push_back(job.child ? JobId{parent} : kNoJob);
      truth_.wall.push_back(s(job.run));
      truth_.limit_factor.push_back(1.0);
      truth_.child.push_back(kNoJob);
      truth_.pause.push_back(Duration::zero());
      truth_.shape.push_back(static_cast<std::uint16_t>(job.shape));
      if (!job.child) continue;
      truth_.child[parent] = JobId{parent + 1};
      truth_.pause[parent] = s(job.submit);
    }
    input.run_time = {input.pools.size(), {}, {}};
    const std::size_t shapes = ratios_.front().size();
    for (std::size_t shape = 0; shape < shapes; ++shape) {
      for (const auto& ratios : ratios_) input.run_time.one_leaf.push_back(ratios[shape]);
    }
    input.requests = &requests_;
    input.truth = &truth_;
    return run_engine(input, observer);
  }

 private:
  std::vector<std::vector<double>> ratios_;
  JobRequests requests_;
  JobTruth truth_;
};

inline std::string second(Instant t) {
  return t == kNever ? "-" : fmt::format("{:g}", to_seconds(t));
}

/// One word a job: START-END/state@nodes/reason, e.g. `3-8/completed@0/head`.
inline std::string schedule(const EngineResult& result) {
  std::string out;
  const JobOutcome& jobs = result.jobs;
  for (std::size_t j = 0; j < jobs.state.size(); ++j) {
    std::string nodes;
    for (std::int32_t k = 0; k < jobs.node_count[j]; ++k) {
      nodes += (k > 0 ? "+" : "@") + std::to_string(index(jobs.slices[jobs.first_slice[j] + k].node));
    }
    const char* reason = jobs.reason[j] == StartReason::none ? "" : to_string(jobs.reason[j]);
    out += fmt::format("{}{}-{}/{}{}{}{}", j > 0 ? " " : "", second(jobs.start[j]), second(jobs.end[j]),
                       to_string(jobs.state[j]), nodes, *reason != 0 ? "/" : "", reason);
  }
  return out;
}

/// JOB:START-END@NODES of a stay that was ended.
inline std::string stay_text(const EngineResult& result, const Attempt& a) {
  std::string out = fmt::format("{}:{}-{}@", index(a.job), second(a.start), second(a.end));
  for (std::int32_t k = 0; k < a.node_count; ++k)
    out += fmt::format("{}{}", k > 0 ? "+" : "", index(result.jobs.slices[a.first_slice + k].node));
  return out;
}

inline constexpr PolicyKind kPolicies[] = {PolicyKind::fifo, PolicyKind::easy, PolicyKind::conservative};
inline constexpr TieRule kTies[] = {TieRule::batch, TieRule::end_first, TieRule::submit_first};

/// What `tell` says of the result, the same under every policy and tie rule.
template <class Tell>
std::string always(Setup& setup, const std::vector<Job>& jobs, const Tell& tell) {
  std::string first;
  for (const PolicyKind policy : kPolicies) {
    for (const TieRule ties : kTies) {
      setup.input.policy = policy;
      setup.input.ties = ties;
      const std::string found = tell(setup.run(jobs));
      if (first.empty()) first = found;
      INFO(to_string(policy) << ", " << to_string(ties));
      CHECK(found == first);
    }
  }
  return first;
}

/// The schedule, the same under every policy and tie rule.
inline std::string always_schedule(Setup& setup, const std::vector<Job>& jobs) {
  return always(setup, jobs, schedule);
}

}  // namespace small_runs
