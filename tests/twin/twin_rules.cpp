// The slow simulator: who may run where; fifo and EASY.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/twin/twin.hpp"

namespace twin {

bool Simulator::could_hold(std::size_t j, std::size_t pool) const {
  return choose(in_.pools[pool], there_[pool], gpus(j), leaves(j)).has_value();
}

int Simulator::leaves(std::size_t j) const {
  const std::size_t c = index(in_.requests->job_class[j]);
  return c < in_.max_leaves.size() ? in_.max_leaves[c] : 1'000'000;
}

bool Simulator::can_run(std::size_t j, std::size_t pool) const {
  return in_.run_time.one_leaf[in_.truth->shape[j] * in_.pools.size() + pool] >= 0.0 &&
         choose(in_.pools[pool], lasting_[pool], gpus(j), leaves(j));
}

bool Simulator::may_overflow(std::size_t j, const EngineQueue::Overflow& o) const {
  return can_run(j, index(o.pool)) && in_.requests->limit[j] <= o.max_limit;
}

std::optional<std::vector<NodeSlice>> Simulator::fits(std::size_t j, std::size_t pool) const {
  return choose(in_.pools[pool], free_[pool], gpus(j), leaves(j));
}

void Simulator::start(std::size_t j, std::size_t pool, const std::vector<NodeSlice>& slices,
                      StartReason reason) {
  Record& job = jobs_[j];
  job.start = now_;
  job.state = JobState::running;
  job.pool = static_cast<int>(pool);
  job.reason = reason;
  job.slices = slices;
  int first_leaf = -1;
  bool crosses = false;
  for (const NodeSlice& s : slices) {
    free_[pool][node(job.pool, s)] -= s.gpus;
    const int leaf = static_cast<int>(index(s.node)) / in_.pools[pool].nodes_per_leaf;
    crosses = crosses || (first_leaf >= 0 && leaf != first_leaf);
    first_leaf = leaf;
  }
  const auto& table = crosses ? in_.run_time.several_leaves : in_.run_time.one_leaf;
  const double ratio = table[in_.truth->shape[j] * in_.pools.size() + pool];
  ratio_[j] = ratio;
  const Duration run = time_needed(j);
  times_out_[j] = in_.kill_at_limit && run > in_.requests->limit[j];
  order_of_[j] = order_++;
  ends_.emplace_back(now_ + (times_out_[j] ? in_.requests->limit[j] : run), order_of_[j], j);
  running_.push_back(j);
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), j));
}

void Simulator::plan(std::size_t pool) {
  Plan& plan = plans_[pool];
  if (plan.known && now_ <= plan.shadow) return;
  plan.known = true;
  std::tie(plan.shadow, plan.extra) = look_ahead(pool, plan.gpus, plan.leaves);
  const auto own = choose(in_.pools[pool], plan.extra, plan.gpus, plan.leaves);
  for (const NodeSlice& s : *own) plan.extra[node(static_cast<int>(pool), s)] -= s.gpus;
}

std::pair<Instant, std::vector<int>> Simulator::look_ahead(std::size_t pool, int size,
                                                           int most_leaves) const {
  std::map<Instant, std::vector<std::size_t>> releases;
  for (const std::size_t j : running_) {
    if (jobs_[j].pool == static_cast<int>(pool) && !is_guest(j))
      releases[std::max(now_, estimate(j))].push_back(j);
  }
  std::vector<int> free = claimable(pool);
  if (choose(in_.pools[pool], free, size, most_leaves)) return {now_, free};
  for (const auto& [at, group] : releases) {
    for (const std::size_t j : group) {
      for (const NodeSlice& s : jobs_[j].slices) free[node(static_cast<int>(pool), s)] += s.gpus;
    }
    if (choose(in_.pools[pool], free, size, most_leaves)) return {at, free};
  }
  throw std::logic_error("a reservation for a job that the nodes that are there could not hold");
}

bool Simulator::try_start(std::size_t j, std::size_t pool, StartReason open, StartReason tested) {
  const auto placement = fits(j, pool);
  if (!placement) return false;
  Plan& p = plans_[pool];
  const bool guest = in_.preempt && open == StartReason::overflow;
  if (!p.reserved) {
    p.known = p.known && guest;
    start(j, pool, *placement, open);
    return true;
  }
  plan(pool);
  if (now_ + in_.requests->limit[j] <= p.shadow) {
    start(j, pool, *placement, tested);
    return true;
  }
  std::vector<int> spare = p.extra;
  for (const Sitting& other : guests(pool)) {
    if (!guest || estimate(other.job) <= p.shadow) continue;
    for (const auto& [n, count] : other.gpus) spare[n] -= count;
  }
  for (std::size_t n = 0; n < spare.size(); ++n) spare[n] = std::clamp(spare[n], 0, free_[pool][n]);
  const auto beside = choose(in_.pools[pool], spare, gpus(j), leaves(j));
  if (!beside) return false;
  start(j, pool, *beside, tested);
  if (guest) return true;
  for (const NodeSlice& s : *beside) p.extra[node(static_cast<int>(pool), s)] -= s.gpus;
  return true;
}

void Simulator::pass() {
  if (in_.policy == PolicyKind::conservative) return conservative();
  if (in_.policy == PolicyKind::fifo) {
    do fifo();
    while (return_victims());
    return;
  }
  for (bool again = true; again;) {
    again = false;
    for (Plan& p : plans_) p.reserved = false;
    std::vector<std::size_t> holder(in_.queues.size(), jobs_.size());
    for (std::size_t q = 0; q < in_.queues.size(); ++q) serve(q, holder[q]);
    for (std::size_t q = 0; q < in_.queues.size(); ++q) {
      for (const std::size_t j : of_queue(q)) {
        bool started = false;
        for (const auto& o : in_.queues[q].overflow) {
          if (started || !may_overflow(j, o)) continue;
          started = try_start(j, index(o.pool), StartReason::overflow, StartReason::overflow);
        }
        again = again || (started && holder[q] == j);
      }
    }
    again = return_victims() || again;
  }
}

std::vector<std::size_t> Simulator::of_queue(std::size_t q) const {
  std::vector<std::size_t> out;
  for (const std::size_t j : waiting_) {
    if (index(in_.requests->queue[j]) == q) out.push_back(j);
  }
  return out;
}

void Simulator::serve(std::size_t q, std::size_t& holder) {
  bool blocked = false;
  for (const std::size_t j : of_queue(q)) {
    bool started = false, wants = false;
    for (const PoolId p : in_.queues[q].own) {
      if (started || !can_run(j, index(p))) continue;
      wants = wants || (!plans_[index(p)].reserved && could_hold(j, index(p)));
      started =
          try_start(j, index(p), blocked ? StartReason::backfill : StartReason::head, StartReason::backfill);
    }
    started = started || claim(j, blocked ? StartReason::backfill : StartReason::head);
    if (started || !wants || holder < jobs_.size()) continue;
    blocked = true;
    holder = j;
    int best = -1;
    Instant first = Instant::max();
    for (const PoolId p : in_.queues[q].own) {
      if (!can_run(j, index(p)) || plans_[index(p)].reserved || !could_hold(j, index(p))) continue;
      const Instant at = look_ahead(index(p), gpus(j), leaves(j)).first;
      if (at < first) {
        first = at;
        best = static_cast<int>(index(p));
      }
    }
    plans_[best].reserved = true;
    plans_[best].known = plans_[best].known && plans_[best].holder == j;
    plans_[best].holder = j;
    plans_[best].gpus = gpus(j);
    plans_[best].leaves = leaves(j);
    plan(best);
  }
}

void Simulator::fifo() {
  std::vector<bool> wanted(in_.pools.size(), false);
  for (std::size_t q = 0; q < in_.queues.size(); ++q) {
    for (const std::size_t j : of_queue(q)) {
      bool started = false, eligible = false;
      for (const PoolId p : in_.queues[q].own) {
        if (started || !can_run(j, index(p))) continue;
        eligible = eligible || could_hold(j, index(p));
        if (const auto placement = fits(j, index(p))) {
          start(j, index(p), *placement, StartReason::head);
          started = true;
        }
      }
      if (!started) {
        if (const auto room = take_back(j, [&](std::size_t pool) { return claimable(pool); })) {
          start(j, room->first, room->second, StartReason::head);
          started = true;
        }
      }
      if (started || !eligible) continue;
      for (const PoolId p : in_.queues[q].own) {
        if (can_run(j, index(p))) wanted[index(p)] = true;
      }
      break;
    }
  }
  for (std::size_t q = 0; q < in_.queues.size(); ++q) {
    for (const std::size_t j : of_queue(q)) {
      bool started = false, eligible = false;
      for (const auto& o : in_.queues[q].overflow) {
        if (started || !may_overflow(j, o)) continue;
        eligible = eligible || could_hold(j, index(o.pool));
        if (wanted[index(o.pool)]) continue;
        if (const auto placement = fits(j, index(o.pool))) {
          start(j, index(o.pool), *placement, StartReason::overflow);
          started = true;
        }
      }
      if (eligible && !started) break;
    }
  }
}
}  // namespace twin
