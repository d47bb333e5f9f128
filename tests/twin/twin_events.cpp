// The slow simulator: the run, event by event, in the order of the tie rules.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/twin/twin.hpp"

namespace twin {

std::vector<Record> Simulator::run() {
  for (;;) {
    Instant next = Instant::max();
    for (const auto& e : submits_) next = std::min(next, e.first);
    for (const auto& e : ends_) next = std::min(next, std::get<0>(e));
    for (const std::size_t j : waiting_) next = std::min(next, deadline(j));
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

std::optional<Instant> Simulator::promised(std::size_t j) const {
  const auto found = first_promise_.find(j);
  return found == first_promise_.end() ? std::nullopt : std::optional(found->second);
}

bool Simulator::take_submit() {
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

std::vector<std::size_t> Simulator::take_ends() {
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

bool Simulator::something_now() const {
  return std::any_of(submits_.begin(), submits_.end(), [&](const auto& e) { return e.first == now_; }) ||
         std::any_of(ends_.begin(), ends_.end(), [&](const auto& e) { return std::get<0>(e) == now_; });
}

void Simulator::instant() {
  node_events();
  ties();
  while (send_due()) {
    pass();
    if (something_now()) ties();
  }
}

void Simulator::ties() {
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
    due_.clear();
    const auto collect = [&] {
      for (const std::size_t j : take_ends()) {
        const bool foreseen = estimate(j) <= now_;
        if (foreseen) finish(j);
        due_.emplace_back(j, foreseen);
      }
    };
    const auto submissions = [&] {
      for (collect(); take_submit(); collect()) pass();
    };
    submissions();
    for (std::size_t k = 0; k < due_.size(); ++k) {  // grows
      if (!due_[k].second) finish(due_[k].first);
      pass();
      submissions();
    }
  }
}

void Simulator::submit(std::size_t j) {
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
  wait_begins(j);
}

bool Simulator::is_possible(std::size_t j) const {
  bool possible = false;
  for (const PoolId p : queue(j).own) possible = possible || can_run(j, index(p));
  for (const auto& o : queue(j).overflow) possible = possible || may_overflow(j, o);
  return possible;
}

void Simulator::finish(std::size_t j) {
  Record& job = jobs_[j];
  if (job.pool == kCloud && taken_away_[j]) return taken_away(j);
  job.end = now_;
  job.state = times_out_[j] ? JobState::timeout : JobState::completed;
  for (const NodeSlice& s : job.slices) free_[job.pool][node(job.pool, s)] += s.gpus;
  if (!is_guest(j) && job.pool != kCloud) plans_[job.pool].known = false;
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
}  // namespace twin
