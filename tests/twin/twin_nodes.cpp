// The slow simulator: nodes that come and go, and jobs that they stop.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/twin/twin.hpp"

namespace twin {

std::pair<std::size_t, std::size_t> Simulator::place(NodeId id) const {
  std::size_t pool = 0, n = index(id);
  while (static_cast<int>(n) < in_.pools[pool].first_node ||
         static_cast<int>(n) >= in_.pools[pool].first_node + in_.pools[pool].nodes)
    ++pool;
  return {pool, n - static_cast<std::size_t>(in_.pools[pool].first_node)};
}

void Simulator::node_events() {
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

void Simulator::node_event(const NodeEvent& event) {
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

void Simulator::give_up(std::size_t j) {
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), j));
  jobs_[j].state = JobState::impossible;
  jobs_[j].end = now_;
  if (tagged_[j]) --open_;
}

void Simulator::stop(std::size_t j, bool planned, bool by_owner) {
  Record& job = jobs_[j];
  auto [saved, written] = secured((now_ - job.start).count(), planned);
  const bool again = planned || by_owner || in_.requeue;
  if (!again) saved = written = 0;
  note_attempt(j, {saved, written});
  for (const NodeSlice& s : job.slices) free_[job.pool][node(job.pool, s)] += s.gpus;
  if (!by_owner) plans_[job.pool].known = false;
  running_.erase(std::find(running_.begin(), running_.end(), j));
  ends_.erase(std::remove_if(ends_.begin(), ends_.end(), [&](const auto& e) { return std::get<2>(e) == j; }),
              ends_.end());
  if (!again) {
    job.end = now_;
    job.state = JobState::node_fail;
    if (tagged_[j]) --open_;
    return;
  }
  job.start = kNever;
  job.state = JobState::pending;
  job.pool = -1;
  job.reason = StartReason::none;
  job.slices.clear();
  if (by_owner) {
    for (auto& [due, ended] : due_) ended = ended || due == j;  // it would have ended at this instant
    returned_.push_back(j);
  } else {
    wait_again(j);
  }
}

void Simulator::wait_again(std::size_t j) {
  waiting_.push_back(j);
  std::sort(waiting_.begin(), waiting_.end(),
            [&](std::size_t a, std::size_t b) { return arrived_[a] < arrived_[b]; });
  wait_begins(j);
  if (!is_possible(j)) give_up(j);
}

std::pair<Count, Count> Simulator::secured(Count held, bool planned) const {
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
  return planned ? std::pair(worked, wrote) : std::pair(saved, written);
}

void Simulator::note_attempt(std::size_t j, std::pair<Count, Count> safe) {
  Record& job = jobs_[j];
  const Count held = (now_ - job.start).count();
  job.held += held;
  job.kept += safe.first;
  job.overhead += safe.second;
  job.lost += held - safe.first - safe.second;
  ++job.attempts;
  left_[j] -= std::min(left_[j], Duration(static_cast<Count>(static_cast<double>(safe.first) / ratio_[j])));
}

Duration Simulator::time_needed(std::size_t j) const {
  Duration run(static_cast<Count>(std::floor(static_cast<double>(left_[j].count()) * ratio_.at(j) + 0.5)));
  if (in_.checkpoint.interval > Duration::zero()) {
    const Duration work = run;
    for (Duration at = in_.checkpoint.interval; at < work; at += in_.checkpoint.interval)
      run += in_.checkpoint.cost;
  }
  return run;
}
}  // namespace twin
