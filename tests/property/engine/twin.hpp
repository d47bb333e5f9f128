// A second, slow simulator with the same rules: plain vectors, every pass over every waiting job, every
// placement by trying all nodes. Written to be read, and to disagree with the fast one where that is wrong.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/engine/engine.hpp"

namespace twin {

using namespace fleetsim;
using Count = std::int64_t;

struct Record {
  Instant submit = kNever, start = kNever, end = kNever;
  JobState state = JobState::dormant;
  int pool = -1;
  StartReason reason = StartReason::none;
  std::vector<NodeSlice> slices;
  Count held = 0, kept = 0, overhead = 0, lost = 0;  ///< us, of the attempts that outages ended
  int attempts = 0;                                  ///< of those
};

/// The placement rule, on the free GPUs of one pool's nodes.
inline std::optional<std::vector<NodeSlice>> choose(const EnginePool& pool, const std::vector<int>& free,
                                                    int gpus, int max_leaves = 1'000'000) {
  const auto slice = [&](int node, int count) {
    return NodeSlice{NodeId{static_cast<std::uint32_t>(pool.first_node + node)}, count};
  };
  const auto best = [&](int count, const auto& allowed) {
    int found = -1;
    for (int n = 0; n < pool.nodes; ++n) {
      const bool pack = pool.placement == PlacementRule::pack;
      const bool better = found < 0 || (pack ? free[n] < free[found] : free[n] > free[found]);
      if (allowed(n) && free[n] >= count && better) found = n;
    }
    return found;
  };
  const int g = pool.gpus_per_node;
  if (gpus <= g) {
    const int node = best(gpus, [](int) { return true; });
    if (node < 0) return std::nullopt;
    return std::vector{slice(node, gpus)};
  }
  const int whole = gpus / g, rest = gpus % g;
  std::map<int, std::vector<int>> leaves;  // whole nodes free on each leaf
  const auto leaf_of = [&](int n) { return (pool.first_node + n) / pool.nodes_per_leaf; };
  for (int n = 0; n < pool.nodes; ++n) {
    auto& nodes = leaves[leaf_of(n)];
    if (free[n] == g) nodes.push_back(n);
  }
  const auto complete = [&](const std::vector<int>& nodes,
                            const auto& allowed) -> std::optional<std::vector<NodeSlice>> {
    std::vector<NodeSlice> out;
    for (const int n : nodes) out.push_back(slice(n, g));
    if (rest == 0) return out;
    const int last = best(
        rest, [&](int n) { return allowed(n) && std::find(nodes.begin(), nodes.end(), n) == nodes.end(); });
    if (last < 0) return std::nullopt;
    out.push_back(slice(last, rest));
    return out;
  };
  for (const auto& [leaf, nodes] : leaves) {
    if (static_cast<int>(nodes.size()) < whole) continue;
    const int here = leaf;
    const auto out =
        complete({nodes.begin(), nodes.begin() + whole}, [&](int n) { return leaf_of(n) == here; });
    if (out) return out;
  }
  std::vector<std::pair<int, int>> order;  // most whole nodes first, then the lower leaf
  for (const auto& [leaf, nodes] : leaves) order.emplace_back(-static_cast<int>(nodes.size()), leaf);
  std::sort(order.begin(), order.end());
  std::vector<int> taken, used;
  for (const auto& [size, leaf] : order) {
    for (const int n : leaves[leaf]) {
      if (static_cast<int>(taken.size()) == whole) break;
      taken.push_back(n);
      if (used.empty() || used.back() != leaf) used.push_back(leaf);
    }
  }
  if (static_cast<int>(taken.size()) < whole) return std::nullopt;
  const int fewest = static_cast<int>(used.size());
  if (fewest > max_leaves) return std::nullopt;
  const auto near =
      complete(taken, [&](int n) { return std::find(used.begin(), used.end(), leaf_of(n)) != used.end(); });
  if (near) return near;
  // All whole nodes of the used leaves are taken. Leaves like the last of them may stand in for it.
  const std::size_t count = leaves[used.back()].size();
  std::optional<std::vector<NodeSlice>> out;
  int held = 0;  // free GPUs of the node that takes the part
  for (const auto& [size, leaf] : order) {
    if (leaves[leaf].size() != count || std::find(used.begin(), used.end(), leaf) != used.end()) continue;
    std::vector<int> other(taken.begin(), taken.end() - static_cast<std::ptrdiff_t>(count));
    other.insert(other.end(), leaves[leaf].begin(), leaves[leaf].end());
    const int here = leaf;
    const auto found = complete(other, [&](int n) { return leaf_of(n) == here; });
    if (!found) continue;
    const int part = free[index(found->back().node) - static_cast<std::size_t>(pool.first_node)];
    const bool pack = pool.placement == PlacementRule::pack;
    if (out && (pack ? part >= held : part <= held)) continue;
    out = found;
    held = part;
  }
  if (out || fewest + 1 > max_leaves) return out;
  return complete(taken, [](int) { return true; });
}

/// GPUs that a job holds, or will hold, on [from, to).
struct Hold {
  Instant from{}, to{};
  std::vector<NodeSlice> slices;
};
inline Instant later(Instant at, Duration length) {
  return length < Instant::max() - at ? at + length : Instant::max();
}

class Simulator {
 public:
  /// `depth`: reservations at most, under the conservative policy.
  explicit Simulator(const EngineInput& input, std::size_t depth = 1000)
      : depth_(depth), in_(input), jobs_(input.requests->size()) {
    for (const EnginePool& pool : in_.pools) {
      free_.emplace_back(static_cast<std::size_t>(pool.nodes), pool.gpus_per_node);
    }
    lasting_ = free_;
    there_ = free_;
    plans_.resize(in_.pools.size());
    left_ = in_.truth->wall;
    for (std::size_t e = in_.node_events.size(); e-- > 0;) {  // the first event of a node decides
      const NodeEvent& event = in_.node_events[e];
      const bool missing = event.cause == NodeCause::repair || event.cause == NodeCause::delivery;
      const auto [pool, n] = place(event.node);
      there_[pool][n] = free_[pool][n] = missing ? 0 : in_.pools[pool].gpus_per_node;
    }
    tagged_.assign(jobs_.size(), false);
    times_out_.assign(jobs_.size(), false);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (in_.requests->submit[j] != kNever) submits_.emplace_back(in_.requests->submit[j], j);
    }
  }

  std::vector<Record> run() {
    for (;;) {
      Instant next = Instant::max();
      for (const auto& e : submits_) next = std::min(next, e.first);
      for (const auto& e : ends_) next = std::min(next, std::get<0>(e));
      if ((next != Instant::max() || !waiting_.empty()) && next_node_event_ < in_.node_events.size())
        next = std::min(next, in_.node_events[next_node_event_].at);
      if (next == Instant::max() || next > in_.stop || (next >= in_.tag_end && open_ == 0)) break;
      now_ = next;
      instant();
      if (now_ >= in_.tag_end && open_ == 0) break;
    }
    for (Record& job : jobs_) {
      if (job.state == JobState::pending || job.state == JobState::running) job.state = JobState::unfinished;
    }
    return jobs_;
  }

  /// Under the conservative policy: the start that a job's first reservation named.
  std::optional<Instant> promised(std::size_t j) const {
    const auto found = first_promise_.find(j);
    return found == first_promise_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  struct Plan {
    bool reserved = false, known = false;
    int gpus = 0, leaves = 0;
    std::size_t holder = 0;
    Instant shadow{};
    std::vector<int> extra;
  };

  // Events --------------------------------------------------------------------------------------------------
  bool take_submit() {
    auto found = submits_.end();
    for (auto e = submits_.begin(); e != submits_.end(); ++e) {
      if (e->first == now_ && (found == submits_.end() || e->second < found->second)) found = e;
    }
    if (found == submits_.end()) return false;
    const std::size_t j = found->second;
    submits_.erase(found);
    submit(j);
    return true;
  }
  /// Ends of this instant in the order of the starts.
  std::vector<std::size_t> take_ends() {
    std::vector<std::pair<int, std::size_t>> due;
    for (const auto& [at, order, j] : ends_) {
      if (at == now_) due.emplace_back(order, j);
    }
    std::sort(due.begin(), due.end());
    ends_.erase(
        std::remove_if(ends_.begin(), ends_.end(), [&](const auto& e) { return std::get<0>(e) == now_; }),
        ends_.end());
    std::vector<std::size_t> out;
    for (const auto& [order, j] : due) out.push_back(j);
    return out;
  }
  bool something_now() const {
    return std::any_of(submits_.begin(), submits_.end(), [&](const auto& e) { return e.first == now_; }) ||
           std::any_of(ends_.begin(), ends_.end(), [&](const auto& e) { return std::get<0>(e) == now_; });
  }

  // Nodes ---------------------------------------------------------------------------------------------------
  std::pair<std::size_t, std::size_t> place(NodeId id) const {
    std::size_t pool = 0, n = index(id);
    while (static_cast<int>(n) < in_.pools[pool].first_node ||
           static_cast<int>(n) >= in_.pools[pool].first_node + in_.pools[pool].nodes)
      ++pool;
    return {pool, n - static_cast<std::size_t>(in_.pools[pool].first_node)};
  }
  void node_events() {
    bool any = false;
    while (next_node_event_ < in_.node_events.size() && in_.node_events[next_node_event_].at == now_) {
      if (!any) {
        for (const std::size_t j : take_ends()) finish(j);
      }
      any = true;
      node_event(in_.node_events[next_node_event_++]);
    }
    if (any && in_.ties == TieRule::submit_first) pass();
  }
  void node_event(const NodeEvent& event) {
    const auto [pool, n] = place(event.node);
    const int g = in_.pools[pool].gpus_per_node;
    const bool was_there = there_[pool][n] > 0;
    const bool is_there = event.cause == NodeCause::repair || event.cause == NodeCause::delivery;
    if (was_there && !is_there) {
      std::vector<std::size_t> hit;
      for (const std::size_t j : running_) {
        for (const NodeSlice& s : jobs_[j].slices) {
          if (s.node == event.node) hit.push_back(j);
        }
      }
      for (const std::size_t j : hit) stop(j, event.cause == NodeCause::retirement);
    }
    there_[pool][n] = free_[pool][n] = is_there ? g : 0;
    if (was_there != is_there) {
      nodes_changed_ = true;
      plans_[pool].known = false;
    }
    if (event.cause != NodeCause::retirement) return;
    nodes_changed_ = true;
    plans_[pool].known = false;
    lasting_[pool][n] = 0;
    for (const std::size_t j : std::vector<std::size_t>(waiting_)) {
      if (!is_possible(j)) give_up(j);
    }
  }
  void give_up(std::size_t j) {
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), j));
    jobs_[j].state = JobState::impossible;
    jobs_[j].end = now_;
    if (tagged_[j]) --open_;
  }
  /// Work and writing in turn, second by second as it were, until the node is gone.
  void stop(std::size_t j, bool planned) {
    Record& job = jobs_[j];
    const Count held = (now_ - job.start).count();
    Count saved = 0, worked = 0, wrote = 0, written = 0;
    const Count tau = in_.checkpoint.interval.count(), cost = in_.checkpoint.cost.count();
    for (Count left = held; left > 0;) {
      const Count work = tau > 0 ? std::min(left, tau) : left;
      worked += work;
      left -= work;
      if (tau <= 0 || work < tau) break;
      const Count write = std::min(left, cost);
      wrote += write;
      left -= write;
      if (write < cost) break;
      saved = worked;
      written = wrote;
    }
    if (planned) saved = worked, written = wrote;
    const bool again = planned || in_.requeue;
    if (!again) saved = written = 0;
    job.held += held;
    job.kept += saved;
    job.overhead += written;
    job.lost += held - saved - written;
    ++job.attempts;
    for (const NodeSlice& s : job.slices) free_[job.pool][node(job.pool, s)] += s.gpus;
    plans_[job.pool].known = false;
    running_.erase(std::find(running_.begin(), running_.end(), j));
    ends_.erase(
        std::remove_if(ends_.begin(), ends_.end(), [&](const auto& e) { return std::get<2>(e) == j; }),
        ends_.end());
    if (!again) {
      job.end = now_;
      job.state = JobState::node_fail;
      if (tagged_[j]) --open_;
      return;
    }
    left_[j] -= std::min(left_[j], Duration(static_cast<Count>(static_cast<double>(saved) / ratio_[j])));
    job.start = kNever;
    job.state = JobState::pending;
    job.pool = -1;
    job.reason = StartReason::none;
    job.slices.clear();
    waiting_.push_back(j);
    std::sort(waiting_.begin(), waiting_.end(),
              [&](std::size_t a, std::size_t b) { return arrived_[a] < arrived_[b]; });
    if (!is_possible(j)) give_up(j);
  }
  /// Whether the nodes that are there could hold it if nothing else ran.
  bool could_hold(std::size_t j, std::size_t pool) const {
    return choose(in_.pools[pool], there_[pool], gpus(j), leaves(j)).has_value();
  }

  void instant() {
    node_events();
    if (in_.ties == TieRule::batch) {
      do {
        for (const std::size_t j : take_ends()) finish(j);
        while (take_submit()) {
        }
        pass();
      } while (something_now());
    } else if (in_.ties == TieRule::end_first) {
      do {
        auto due = take_ends();
        if (due.empty()) {
          take_submit();
        } else {
          // One at a time: a pass may start a job without run time, whose end comes after the others.
          for (std::size_t k = 1; k < due.size(); ++k) ends_.emplace_back(now_, order_of_[due[k]], due[k]);
          finish(due.front());
        }
        pass();
      } while (something_now());
    } else {
      std::vector<std::pair<std::size_t, bool>> due;  // job, ended already
      const auto collect = [&] {
        for (const std::size_t j : take_ends()) {
          const bool foreseen = estimate(j) <= now_;
          if (foreseen) finish(j);
          due.emplace_back(j, foreseen);
        }
      };
      const auto submissions = [&] {
        for (collect(); take_submit(); collect()) pass();
      };
      submissions();
      for (std::size_t k = 0; k < due.size(); ++k) {
        if (!due[k].second) finish(due[k].first);
        pass();
        submissions();
      }
    }
  }

  void submit(std::size_t j) {
    Record& job = jobs_[j];
    job.submit = now_;
    job.state = JobState::pending;
    if (!tagged_[j] && now_ >= in_.tag_begin && now_ < in_.tag_end) {
      tagged_[j] = true;
      ++open_;
    }
    arrived_[j] = arrivals_++;
    if (!is_possible(j)) {
      job.state = JobState::impossible;
      if (tagged_[j]) --open_;
      return;
    }
    waiting_.push_back(j);
  }

  bool is_possible(std::size_t j) const {
    bool possible = false;
    for (const PoolId p : queue(j).own) possible = possible || can_run(j, index(p));
    for (const auto& o : queue(j).overflow) possible = possible || may_overflow(j, o);
    return possible;
  }

  void finish(std::size_t j) {
    Record& job = jobs_[j];
    job.end = now_;
    job.state = times_out_[j] ? JobState::timeout : JobState::completed;
    for (const NodeSlice& s : job.slices) free_[job.pool][node(job.pool, s)] += s.gpus;
    plans_[job.pool].known = false;
    running_.erase(std::find(running_.begin(), running_.end(), j));
    const JobId child = in_.truth->child[j];
    if (!times_out_[j] && child != kNoJob) {
      submits_.emplace_back(now_ + in_.truth->pause[j], index(child));
      if (tagged_[j]) {
        tagged_[index(child)] = true;
        ++open_;
      }
    }
    if (tagged_[j]) --open_;
  }

  // Rules ---------------------------------------------------------------------------------------------------
  const EngineQueue& queue(std::size_t j) const { return in_.queues[index(in_.requests->queue[j])]; }
  int gpus(std::size_t j) const { return in_.requests->gpus[j]; }
  int leaves(std::size_t j) const {
    const std::size_t c = index(in_.requests->job_class[j]);
    return c < in_.max_leaves.size() ? in_.max_leaves[c] : 1'000'000;
  }
  Instant estimate(std::size_t j) const { return jobs_[j].start + in_.requests->limit[j]; }
  std::size_t node(int pool, const NodeSlice& s) const { return index(s.node) - in_.pools[pool].first_node; }
  bool can_run(std::size_t j, std::size_t pool) const {
    return in_.run_time.one_leaf[in_.truth->shape[j] * in_.pools.size() + pool] >= 0.0 &&
           choose(in_.pools[pool], lasting_[pool], gpus(j), leaves(j));
  }
  bool may_overflow(std::size_t j, const EngineQueue::Overflow& o) const {
    return can_run(j, index(o.pool)) && in_.requests->limit[j] <= o.max_limit;
  }
  std::optional<std::vector<NodeSlice>> fits(std::size_t j, std::size_t pool) const {
    return choose(in_.pools[pool], free_[pool], gpus(j), leaves(j));
  }

  void start(std::size_t j, std::size_t pool, const std::vector<NodeSlice>& slices, StartReason reason) {
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
    Duration run(static_cast<Count>(std::floor(static_cast<double>(left_[j].count()) * ratio + 0.5)));
    if (in_.checkpoint.interval > Duration::zero()) {
      const Duration work = run;
      for (Duration at = in_.checkpoint.interval; at < work; at += in_.checkpoint.interval)
        run += in_.checkpoint.cost;
    }
    times_out_[j] = in_.kill_at_limit && run > in_.requests->limit[j];
    order_of_[j] = order_++;
    ends_.emplace_back(now_ + (times_out_[j] ? in_.requests->limit[j] : run), order_of_[j], j);
    running_.push_back(j);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), j));
  }

  void plan(std::size_t pool) {
    Plan& plan = plans_[pool];
    if (plan.known && now_ <= plan.shadow) return;
    plan.known = true;
    std::tie(plan.shadow, plan.extra) = look_ahead(pool, plan.gpus, plan.leaves);
    const auto own = choose(in_.pools[pool], plan.extra, plan.gpus, plan.leaves);
    for (const NodeSlice& s : *own) plan.extra[node(static_cast<int>(pool), s)] -= s.gpus;
  }

  /// When a job of that size would fit, and what is free then.
  std::pair<Instant, std::vector<int>> look_ahead(std::size_t pool, int size, int most_leaves) const {
    std::map<Instant, std::vector<std::size_t>> releases;
    for (const std::size_t j : running_) {
      if (jobs_[j].pool == static_cast<int>(pool)) releases[std::max(now_, estimate(j))].push_back(j);
    }
    std::vector<int> free = free_[pool];
    for (const auto& [at, group] : releases) {
      for (const std::size_t j : group) {
        for (const NodeSlice& s : jobs_[j].slices) free[node(static_cast<int>(pool), s)] += s.gpus;
      }
      if (choose(in_.pools[pool], free, size, most_leaves)) return {at, free};
    }
    throw std::logic_error("a reservation for a job that the nodes that are there could not hold");
  }

  bool try_start(std::size_t j, std::size_t pool, StartReason open, StartReason tested) {
    const auto placement = fits(j, pool);
    if (!placement) return false;
    Plan& p = plans_[pool];
    if (!p.reserved) {
      p.known = false;
      start(j, pool, *placement, open);
      return true;
    }
    plan(pool);
    if (now_ + in_.requests->limit[j] <= p.shadow) {
      start(j, pool, *placement, tested);
      return true;
    }
    std::vector<int> spare = p.extra;
    for (std::size_t n = 0; n < spare.size(); ++n) spare[n] = std::min(spare[n], free_[pool][n]);
    const auto beside = choose(in_.pools[pool], spare, gpus(j), leaves(j));
    if (!beside) return false;
    start(j, pool, *beside, tested);
    for (const NodeSlice& s : *beside) p.extra[node(static_cast<int>(pool), s)] -= s.gpus;
    return true;
  }

  void pass() {
    if (in_.policy == PolicyKind::fifo) return fifo();
    if (in_.policy == PolicyKind::conservative) return conservative();
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
    }
  }

  std::vector<std::size_t> of_queue(std::size_t q) const {
    std::vector<std::size_t> out;
    for (const std::size_t j : waiting_) {
      if (index(in_.requests->queue[j]) == q) out.push_back(j);
    }
    return out;
  }

  void serve(std::size_t q, std::size_t& holder) {
    bool blocked = false;
    for (const std::size_t j : of_queue(q)) {
      bool started = false, wants = false;
      for (const PoolId p : in_.queues[q].own) {
        if (started || !can_run(j, index(p))) continue;
        wants = wants || (!plans_[index(p)].reserved && could_hold(j, index(p)));
        started = try_start(j, index(p), blocked ? StartReason::backfill : StartReason::head,
                            StartReason::backfill);
      }
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

  void fifo() {
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

  // Conservative --------------------------------------------------------------------------------------------

  /// Everything that is promised of a pool or held in it, the given waiting job's own reservation left out.
  std::vector<Hold> holds(std::size_t pool, std::size_t without) const {
    std::vector<Hold> out;
    for (const std::size_t j : running_) {
      if (jobs_[j].pool != static_cast<int>(pool)) continue;
      const Instant end = jobs_[j].start + length(j);
      out.push_back({now_, end < now_ ? now_ + Duration(1) : end, jobs_[j].slices});
    }
    for (std::size_t n = 0; n < there_[pool].size(); ++n) {  // nobody knows when a missing node comes
      const NodeId id{static_cast<std::uint32_t>(static_cast<std::size_t>(in_.pools[pool].first_node) + n)};
      if (there_[pool][n] == 0) out.push_back({now_, Instant::max(), {{id, in_.pools[pool].gpus_per_node}}});
    }
    for (const auto& [j, promise] : promises_) {
      if (promise.pool == pool && j != without) out.push_back(promise.hold);
    }
    return out;
  }
  Duration length(std::size_t j) const { return std::max(in_.requests->limit[j], Duration(1)); }

  /// GPUs of each node that stay free on [from, to).
  std::vector<int> stay(std::size_t pool, const std::vector<Hold>& all, Instant from, Instant to) const {
    std::vector<Instant> instants{from};
    for (const Hold& hold : all) {
      if (hold.from > from && hold.from < to) instants.push_back(hold.from);
    }
    std::vector<int> least(free_[pool].size(), in_.pools[pool].gpus_per_node);
    for (const Instant at : instants) {
      std::vector<int> free(least.size(), in_.pools[pool].gpus_per_node);
      for (const Hold& hold : all) {
        if (hold.from > at || hold.to <= at) continue;
        for (const NodeSlice& s : hold.slices) free[node(static_cast<int>(pool), s)] -= s.gpus;
      }
      for (std::size_t n = 0; n < free.size(); ++n) least[n] = std::min(least[n], free[n]);
    }
    return least;
  }

  /// The first instant from which on the job fits for its whole length.
  Instant anchor(std::size_t j, std::size_t pool) const {
    const std::vector<Hold> all = holds(pool, j);
    std::vector<Instant> instants{now_};
    for (const Hold& hold : all) instants.push_back(hold.to);
    std::sort(instants.begin(), instants.end());
    for (const Instant at : instants) {
      if (at < now_ || at == Instant::max()) continue;
      if (choose(in_.pools[pool], stay(pool, all, at, later(at, length(j))), gpus(j), leaves(j))) return at;
    }
    return Instant::max();
  }

  /// On GPUs that are also truly free now.
  std::optional<std::vector<NodeSlice>> place_now(std::size_t j, std::size_t pool,
                                                  const std::vector<Hold>& all) const {
    std::vector<int> free = stay(pool, all, now_, later(now_, length(j)));
    for (std::size_t n = 0; n < free.size(); ++n) free[n] = std::min(free[n], free_[pool][n]);
    return choose(in_.pools[pool], free, gpus(j), leaves(j));
  }

  /// Gives the job the earliest place, the preferred pool among equals. False: it keeps the one it has.
  bool promise(std::size_t j) {
    const bool has = promises_.count(j) != 0;
    Instant best = has ? promises_[j].hold.from : Instant::max();
    int where = -1;
    for (const PoolId p : queue(j).own) {
      if (!can_run(j, index(p))) continue;
      const Instant at = anchor(j, index(p));
      if (at < best || (!has && where < 0)) where = static_cast<int>(index(p));
      best = std::min(best, at);
    }
    if (where < 0) return false;
    promises_.erase(j);
    const auto pool = static_cast<std::size_t>(where);
    Hold hold{best, later(best, length(j)), {}};
    if (best != Instant::max()) {
      const std::vector<Hold> all = holds(pool, j);
      auto slices = best == now_ ? place_now(j, pool, all) : std::nullopt;
      if (!slices) slices = choose(in_.pools[pool], stay(pool, all, hold.from, hold.to), gpus(j), leaves(j));
      hold.slices = *slices;
    }
    promises_[j] = {pool, hold};
    first_promise_.emplace(j, best);
    return true;
  }

  bool has_own(std::size_t j) const {
    const auto& own = queue(j).own;
    return std::any_of(own.begin(), own.end(), [&](PoolId p) { return can_run(j, index(p)); });
  }
  std::vector<std::size_t> in_queue_order() const {
    std::vector<std::size_t> out;
    for (std::size_t q = 0; q < in_.queues.size(); ++q) {
      for (const std::size_t j : of_queue(q)) out.push_back(j);
    }
    return out;
  }

  void conservative() {
    if (nodes_changed_) promises_.clear();
    nodes_changed_ = false;
    const auto order = in_queue_order();
    bool broken = false;
    for (const std::size_t j : running_) broken = broken || jobs_[j].start + length(j) < now_;
    for (const auto& [j, promise] : promises_) broken = broken || promise.hold.from < now_;
    if (broken) {
      const auto old = std::move(promises_);
      promises_.clear();
      for (const std::size_t j : order) {
        if (old.count(j) != 0) promise(j);
      }
    }
    compress();
    do {
      start_due();
      for (const std::size_t j : in_queue_order()) {
        if (promises_.count(j) != 0 || !has_own(j) || promises_.size() >= depth_) continue;
        promise(j);
        start_due(j);
      }
      for (const std::size_t j : in_queue_order()) {
        if (promises_.count(j) == 0) beside(j, StartReason::backfill);
      }
    } while (overflow_beside());
  }

  void compress() {
    for (bool moved = true; moved;) {
      moved = false;
      for (const std::size_t j : in_queue_order()) {
        if (promises_.count(j) != 0) moved = promise(j) || moved;
      }
    }
  }

  void start_due(std::optional<std::size_t> only = std::nullopt) {
    std::vector<std::size_t> passed;
    for (const std::size_t j : in_queue_order()) {
      const auto found = promises_.find(j);
      if (found == promises_.end()) continue;
      const Promise promise = found->second;
      bool head = true, free = promise.hold.from <= now_ && (!only || *only == j);
      for (const std::size_t k : passed) {
        const bool same_queue = in_.requests->queue[k] == in_.requests->queue[j];
        head = head && !same_queue && promises_[k].pool != promise.pool;
      }
      for (const NodeSlice& s : promise.hold.slices) {
        free = free && free_[promise.pool][node(static_cast<int>(promise.pool), s)] >= s.gpus;
      }
      if (!free) {
        passed.push_back(j);
        continue;
      }
      promises_.erase(j);
      start(j, promise.pool, promise.hold.slices, head ? StartReason::head : StartReason::backfill);
    }
  }

  bool beside(std::size_t j, StartReason reason) {
    std::vector<std::size_t> pools;
    for (const PoolId p : queue(j).own) {
      if (reason == StartReason::backfill && can_run(j, index(p))) pools.push_back(index(p));
    }
    for (const auto& o : queue(j).overflow) {
      if (reason == StartReason::overflow && may_overflow(j, o)) pools.push_back(index(o.pool));
    }
    for (const std::size_t pool : pools) {
      // Its own reservation stands in its way like everybody's.
      const auto slices = place_now(j, pool, holds(pool, jobs_.size()));
      if (!slices) continue;
      start(j, pool, *slices, reason);
      return true;
    }
    return false;
  }

  bool overflow_beside() {
    std::vector<std::size_t> left;
    for (const std::size_t j : in_queue_order()) {
      if (beside(j, StartReason::overflow) && promises_.count(j) != 0) left.push_back(j);
    }
    for (const std::size_t j : left) promises_.erase(j);
    if (!left.empty()) compress();
    return !left.empty();
  }

  struct Promise {
    std::size_t pool = 0;
    Hold hold;
  };
  std::map<std::size_t, Promise> promises_;
  std::map<std::size_t, Instant> first_promise_;
  std::size_t depth_;

  const EngineInput& in_;
  std::vector<Record> jobs_;
  std::vector<std::vector<int>> free_;
  std::vector<std::vector<int>> there_, lasting_;  ///< GPUs of nodes that are there, that have not retired
  std::vector<Duration> left_;                     ///< wall time that no checkpoint has saved
  std::map<std::size_t, double> ratio_;            ///< of the last start
  std::map<std::size_t, int> arrived_;
  int arrivals_ = 0;
  std::size_t next_node_event_ = 0;
  bool nodes_changed_ = false;
  std::vector<Plan> plans_;
  std::vector<bool> tagged_, times_out_;
  std::vector<std::pair<Instant, std::size_t>> submits_;
  std::vector<std::tuple<Instant, int, std::size_t>> ends_;
  std::map<std::size_t, int> order_of_;
  std::vector<std::size_t> waiting_, running_;
  int open_ = 0, order_ = 0;
  Instant now_ = kStart;
};

}  // namespace twin
