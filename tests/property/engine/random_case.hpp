// Random fleets, queues and jobs for rapidcheck: small, with many equal instants.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "tests/property/draw.hpp"

namespace random_case {

using namespace fleetsim;
using draw::in;

struct Case {
  EngineInput input;
  Workload workload;
};

inline Duration seconds(int s) {
  return Duration(std::int64_t{s} * 1'000'000);
}

struct Options {
  bool exact_limits = false;  ///< run = limit on every pool
  bool one_pool = false;
  int shortest = 0;      ///< run time, seconds
  bool horizon = true;   ///< sometimes a tag window and a stop
  bool outages = false;  ///< nodes come and go
  bool burst = false;    ///< jobs that wait too long go to rented GPUs
  bool preempt = false;  ///< owners take nodes back, and many jobs overflow
};

inline void add_fleet(Case& c, const Options& options) {
  const int pools = options.one_pool ? 1 : in(options.preempt ? 2 : 1, 3);
  std::int32_t node = 0;
  for (int p = 0; p < pools; ++p) {
    EnginePool pool{"pool", in(p == 0 ? 1 : 0, 6), in(1, 5), node};
    if (in(0, 1) == 1) pool.nodes_per_leaf = in(1, 3);
    if (in(0, 3) == 0) pool.placement = PlacementRule::spread;
    node += pool.nodes;
    c.input.pools.push_back(pool);
  }
  for (int q = in(options.preempt ? 2 : 1, options.one_pool ? 1 : 3); q > 0; --q) {
    EngineQueue queue{"queue", {}, {}};
    for (int p = 0; p < pools; ++p) {
      int use = options.one_pool ? 0 : in(0, 3);
      if (options.preempt && use > 0) use = p + 1 == q ? 0 : 2;  // most have a pool and borrow the others
      const PoolId id{static_cast<std::uint16_t>(p)};
      if (use <= 1) queue.own.push_back(id);
      if (use == 2) queue.overflow.push_back({id, options.preempt ? seconds(in(4, 20)) : seconds(in(0, 12))});
    }
    if (in(0, 1) == 1) std::reverse(queue.own.begin(), queue.own.end());
    c.input.queues.push_back(queue);
  }
  if (in(0, 1) == 1) c.input.max_leaves = {in(1, 2), in(1, 3)};
  c.input.run_time.pools = static_cast<std::size_t>(pools);
  for (int shape = 0; shape < 3; ++shape) {
    for (int p = 0; p < pools; ++p) {
      const double ratio = options.exact_limits ? 1.0 : *rc::gen::element(1.0, 1.0, 0.5, 2.0, -1.0);
      c.input.run_time.one_leaf.push_back(ratio);
      c.input.run_time.several_leaves.push_back(options.exact_limits ? ratio : ratio * 1.5);
    }
  }
}

inline void add_job(Case& c, Instant submit, JobId parent, const Options& options) {
  JobRequests& r = c.workload.requests;
  JobTruth& t = c.workload.truth;
  const int run = in(options.shortest, 12);
  r.submit.push_back(submit);
  r.gpus.push_back(in(0, 3) == 0 ? in(1, 14) : in(1, 4));
  const bool unlimited = !options.exact_limits && in(0, 24) == 0;
  r.limit.push_back(unlimited ? kForever : seconds(options.exact_limits ? run : in(0, 16)));
  r.job_class.push_back(in(0, 2) == 0 ? ClassId{static_cast<std::uint16_t>(in(0, 1))} : kNoClass);
  r.queue.push_back(QueueId{static_cast<std::uint16_t>(in(0, static_cast<int>(c.input.queues.size()) - 1))});
  r.user.push_back(0);
  r.parent.push_back(parent);
  t.wall.push_back(seconds(run));
  t.limit_factor.push_back(1.0);
  t.child.push_back(kNoJob);
  t.pause.push_back(Duration::zero());
  t.shape.push_back(static_cast<std::uint16_t>(in(0, 2)));
}

/// Each node by itself: sometimes it is delivered late, fails and is repaired a few times, retires.
inline void add_outages(Case& c) {
  for (const EnginePool& pool : c.input.pools) {
    for (int n = 0; n < pool.nodes; ++n) {
      const NodeId node{static_cast<std::uint32_t>(pool.first_node + n)};
      int at = 0;
      if (in(0, 3) == 0)
        c.input.node_events.push_back({Instant(seconds(at += in(0, 20))), node, NodeCause::delivery});
      for (int k = in(0, 2); k > 0; --k) {
        c.input.node_events.push_back({Instant(seconds(at += in(0, 25))), node, NodeCause::failure});
        if (in(0, 9) == 0) break;  // for ever
        c.input.node_events.push_back({Instant(seconds(at += in(1, 15))), node, NodeCause::repair});
      }
      if (in(0, 7) == 0)
        c.input.node_events.push_back({Instant(seconds(at + in(1, 40))), node, NodeCause::retirement});
    }
  }
  std::sort(c.input.node_events.begin(), c.input.node_events.end());
  c.input.requeue = in(0, 3) != 0;
  if (in(0, 1) == 1) c.input.checkpoint = {seconds(in(1, 4)), seconds(in(0, 1))};
}

inline void add_burst(Case& c) {
  Bursting burst{seconds(in(0, 12)), {}};
  for (int shape = 0; shape < 3; ++shape) burst.ratio.push_back(*rc::gen::element(1.0, 1.0, 0.5, 2.0, -1.0));
  if (in(0, 1) == 1) burst.interruptions = PerSecond{in(1, 10) / 1000.0};
  burst.seed = static_cast<std::uint64_t>(in(0, 1000));
  c.input.burst = burst;
}

/// The pointers of the result's input stay those of `c`.
inline void fill(Case& c, const Options& options) {
  add_fleet(c, options);
  const int jobs = in(1, 40);
  int at = in(0, 3);
  for (int j = 0; j < jobs; ++j) {
    at += *rc::gen::element(0, 0, 1, 1, 2, 5);
    add_job(c, Instant(seconds(at)), kNoJob, options);
    if (options.exact_limits || in(0, 4) != 0) continue;
    const auto parent = static_cast<std::uint32_t>(c.workload.requests.size() - 1);
    add_job(c, kNever, JobId{parent}, options);
    c.workload.truth.child[parent] = JobId{parent + 1};
    c.workload.truth.pause[parent] = seconds(in(0, 4));
  }
  c.input.requests = &c.workload.requests;
  c.input.truth = &c.workload.truth;
  c.input.ties = *rc::gen::element(TieRule::batch, TieRule::end_first, TieRule::submit_first);
  c.input.kill_at_limit = options.exact_limits || in(0, 1) == 1;
  if (options.outages) add_outages(c);
  c.input.preempt = options.preempt;
  if (options.burst) add_burst(c);
  if (options.preempt && in(0, 2) == 0) c.input.checkpoint = {seconds(in(1, 4)), seconds(in(0, 1))};
  if (options.horizon && in(0, 2) == 0) {
    c.input.tag_begin = Instant(seconds(in(0, 10)));
    c.input.tag_end = c.input.tag_begin + seconds(in(0, 20));
    c.input.stop = c.input.tag_end + seconds(in(0, 30));
  }
}

/// For the log of a failing case.
inline std::string describe(const Case& c) {
  std::string text = fmt::format("ties {}, kill {}\n", to_string(c.input.ties), c.input.kill_at_limit);
  for (const EnginePool& p : c.input.pools) {
    text += fmt::format("pool {} x {}, leaf {}, {}\n", p.nodes, p.gpus_per_node, p.nodes_per_leaf,
                        to_string(p.placement));
  }
  for (const EngineQueue& q : c.input.queues) {
    text += "queue own";
    for (const PoolId p : q.own) text += fmt::format(" {}", index(p));
    text += ", overflow";
    for (const auto& o : q.overflow) text += fmt::format(" {}<={}s", index(o.pool), to_seconds(o.max_limit));
    text += "\n";
  }
  text += fmt::format("leaves by class {}\n", fmt::join(c.input.max_leaves, " "));
  text += fmt::format("ratios {}\n", fmt::join(c.input.run_time.one_leaf, " "));
  for (const NodeEvent& e : c.input.node_events)
    text += fmt::format("{} s: {} of node {}\n", to_seconds(e.at), to_string(e.cause), index(e.node));
  text +=
      fmt::format("checkpoints every {} s for {} s, requeue {}\n", to_seconds(c.input.checkpoint.interval),
                  to_seconds(c.input.checkpoint.cost), c.input.requeue);
  for (std::size_t j = 0; j < c.workload.requests.size(); ++j) {
    text += fmt::format("job {}: class {}, queue {}, submit {} s, gpus {}, limit {} s, wall {} s, shape {}\n",
                        j, index(c.workload.requests.job_class[j]), index(c.workload.requests.queue[j]),
                        to_seconds(c.workload.requests.submit[j]), c.workload.requests.gpus[j],
                        to_seconds(c.workload.requests.limit[j]), to_seconds(c.workload.truth.wall[j]),
                        c.workload.truth.shape[j]);
  }
  return text;
}

}  // namespace random_case
