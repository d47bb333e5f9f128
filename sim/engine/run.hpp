// One run: takes events in order, keeps every job's record, and lets the policy decide who starts. The rules
// stand in docs/engine-rules.md. What happens to nodes is in run_outages.cpp, owners that take nodes back in
// run_preempt.cpp, jobs that go to rented GPUs in run_burst.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/assert.hpp"
#include "sim/base/hash.hpp"
#include "sim/engine/eligibility.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/event_heap.hpp"
#include "sim/engine/outages.hpp"
#include "sim/engine/run_state.hpp"

namespace fleetsim {

/// Names the simulated instant in assertions while a run lasts.
class ContextGuard {
 public:
  ContextGuard() : context_(assert_context()), before_(context_) { context_.active = true; }
  ~ContextGuard() { context_ = before_; }
  ContextGuard(const ContextGuard&) = delete;
  ContextGuard& operator=(const ContextGuard&) = delete;
  void at(Instant now, std::uint64_t event) {
    context_.simulated_us = now.time_since_epoch().count();
    context_.event = event;
  }

 private:
  AssertContext& context_;
  AssertContext before_;
};

class Run {
 public:
  Run(const EngineInput& input, Observer* observer)
      : input_(input),
        requests_(*input.requests),
        eligibility_(input),
        policy_(make_policy(input.policy)),
        observer_(observer),
        cluster_(eligibility_.pools(), requests_.size(),
                 !input.node_events.empty() || (policy_ != nullptr && policy_->plans_ahead())),
        waiting_(input.queues.size()),
        decisions_(cluster_, waiting_, checkpoint_period(input)),
        checkpoints_(input.checkpoint.interval > Duration::zero()) {
    if (policy_ == nullptr) throw std::invalid_argument("this scheduling policy is not built");
    const std::size_t n = requests_.size();
    JobOutcome& jobs = result_.jobs;
    jobs.submit.assign(n, kNever);
    jobs.start.assign(n, kNever);
    jobs.end.assign(n, kNever);
    jobs.state.assign(n, JobState::dormant);
    jobs.pool.assign(n, kNoPool);
    jobs.reason.assign(n, StartReason::none);
    jobs.tagged.assign(n, 0);
    times_out_.assign(n, 0);
    if (!input.node_events.empty() || input.preempt || input.burst) prepare_stops();
  }

  EngineResult run() {
    while (!over_) {
      const Instant next = next_event();
      if (next == Instant::max()) break;
      if (next > input_.stop) {
        now_ = std::max(now_, input_.stop);
        break;
      }
      if (next >= input_.tag_end && open_tagged_ == 0) {
        now_ = std::max(now_, input_.tag_end);
        break;
      }
      FLEETSIM_ASSERT(next >= now_);
      now_ = next;
      handle_instant();
      over_ = now_ >= input_.tag_end && open_tagged_ == 0;
    }
    finish_run();
    return std::move(result_);
  }

 private:
  /// Rows that wait for a parent have no submit of their own.
  Instant next_arrival() {
    while (cursor_ < requests_.size() && requests_.submit[cursor_] == kNever) ++cursor_;
    return cursor_ < requests_.size() ? requests_.submit[cursor_] : Instant::max();
  }
  Instant next_instant() {
    const Instant arrival = next_arrival();
    drop_stale();
    return heap_.empty() ? arrival : std::min(arrival, heap_.top().at);
  }
  /// What happens to nodes counts only while there are jobs.
  [[gnu::always_inline]] Instant next_event() {
    Instant next = next_instant();
    if (input_.burst) next = std::min(next, next_deadline());
    if (outages_ == nullptr || (next == Instant::max() && waiting_.size() == 0)) return next;
    return std::min(next, next_outage());
  }
  bool finish_due() {
    drop_stale();
    return !heap_.empty() && heap_.top().at == now_ && heap_.top().rank() == EventRank::finish;
  }

  [[gnu::always_inline]] void handle_instant() {
    if (outages_ != nullptr && next_outage() == now_) change_nodes();
    handle_ties();
    while (input_.burst && send_due()) {
      pass();
      if (next_instant() == now_) handle_ties();
    }
  }
  [[gnu::always_inline]] void handle_ties() {
    switch (input_.ties) {
      case TieRule::batch:
        do {  // again for jobs without run time, which end at the instant of their start
          while (finish_due()) finish(heap_.pop().job());
          while (submit_next()) {
          }
          pass();
        } while (next_instant() == now_);
        break;
      case TieRule::end_first:
        do {
          if (finish_due()) {
            finish(heap_.pop().job());
          } else {
            submit_next();
          }
          pass();
        } while (next_instant() == now_);
        break;
      case TieRule::submit_first:
        submissions_then_ends();
        break;
    }
  }

  /// A job that runs to its estimated end is free at that instant for the submissions, too, although its end
  /// comes after them; one that ends early surprises the scheduler and is free only when its turn has come.
  void submissions_then_ends() {
    due_.clear();
    collect_ends();
    while (submit_next()) {
      pass();
      collect_ends();
    }
    for (std::size_t i = 0; i < due_.size(); ++i) {
      if (due_[i] != kNoJob) finish(due_[i]);
      pass();
      collect_ends();  // of jobs without run time that this pass has started
      while (submit_next()) {
        pass();
        collect_ends();
      }
    }
  }
  void collect_ends() {
    while (finish_due()) {
      const JobId job = heap_.pop().job();
      const std::size_t j = index(job);
      const bool foreseen = estimated_end(result_.jobs.start[j], requests_.limit[j]) <= now_;
      if (foreseen) finish(job);
      due_.push_back(foreseen ? kNoJob : job);
    }
  }

  /// Submissions of one instant come in the order of JobId, from the cursor or from the heap.
  [[gnu::always_inline]] bool submit_next() {
    const bool arrives = next_arrival() == now_;
    drop_stale();
    const bool wakes = !heap_.empty() && heap_.top().at == now_ && heap_.top().rank() == EventRank::submit;
    if (wakes && (!arrives || index(heap_.top().job()) < cursor_)) {
      submit(heap_.pop().job());
      return true;
    }
    if (!arrives) return false;
    submit(JobId{static_cast<std::uint32_t>(cursor_++)});
    return true;
  }

  [[gnu::always_inline]] void submit(JobId job) {
    count_event();
    const std::size_t j = index(job);
    JobOutcome& jobs = result_.jobs;
    FLEETSIM_ASSERT(jobs.state[j] == JobState::dormant && requests_.gpus[j] > 0 &&
                    requests_.limit[j] >= Duration::zero());
    jobs.submit[j] = now_;
    if (jobs.tagged[j] == 0 && now_ >= input_.tag_begin && now_ < input_.tag_end) tag(j);
    move(job, JobState::pending);
    const Duration limit = std::min(requests_.limit[j], kForever);
    const auto masks = eligibility_.of(job, limit);
    if (masks.own == 0 && masks.overflow == 0) {
      end(job, JobState::impossible);
      return;
    }
    const std::int32_t leaves = eligibility_.max_leaves(job);
    const std::uint32_t order = waiting_.submit(requests_.queue[j], job, {masks.own, masks.overflow, leaves},
                                                requests_.gpus[j], limit);
    if (outages_ != nullptr) outages_->order[j] = order;
    if (input_.burst) set_deadline(job);
  }

  [[gnu::always_inline]] void finish(JobId job) {
    count_event();
    const std::size_t j = index(job);
    JobOutcome& jobs = result_.jobs;
    FLEETSIM_ASSERT(jobs.state[j] == JobState::running);
    if (jobs.pool[j] != kCloudPool) {
      cluster_.finish(job, jobs.pool[j], estimated_end(jobs.start[j], requests_.limit[j]));
    } else if (cloud_->taken_away[j] != 0) {
      return resume_on_cloud(job);
    }
    jobs.end[j] = now_;
    if (times_out_[j] == 0 && !input_.truth->child.empty()) wake(j);
    end(job, times_out_[j] != 0 ? JobState::timeout : JobState::completed);
  }

  /// Schedules the submission of the job that this one promotes to.
  void wake(std::size_t parent) {
    const JobId child = input_.truth->child[parent];
    if (child == kNoJob) return;
    const std::size_t c = index(child);
    FLEETSIM_ASSERT(c < requests_.size() && requests_.submit[c] == kNever &&
                    input_.truth->pause[parent] >= Duration::zero());
    heap_.push(Event::make(now_ + std::min(input_.truth->pause[parent], kForever), EventRank::submit,
                           static_cast<std::uint32_t>(c), child));
    if (result_.jobs.tagged[parent] != 0) tag(c);
  }

  [[gnu::always_inline]] void pass() {
    if (waiting_.size() == 0) return;
    if (input_.preempt) return pass_with_claims();
    schedule();
    for (const Decisions::Start& start : decisions_.starts()) begin(start);
  }
  [[gnu::always_inline]] void schedule() {
    ++result_.passes;
    decisions_.clear();
    policy_->schedule({now_, eligibility_.queues()}, decisions_);
  }

  [[gnu::always_inline]] void begin(const Decisions::Start& start) {
    const std::size_t j = index(start.job);
    JobOutcome& jobs = result_.jobs;
    jobs.start[j] = now_;
    jobs.pool[j] = start.pool;
    jobs.reason[j] = start.reason;
    Duration run = outages_ == nullptr ? eligibility_.run_time(start.job, start.pool, start.crosses_leaves)
                                       : run_of_rest(start);
    if (checkpoints_) run = with_checkpoints(run, input_.checkpoint);
    times_out_[j] = input_.kill_at_limit && run > requests_.limit[j] ? 1 : 0;
    const Duration lasts = times_out_[j] != 0 ? requests_.limit[j] : run;
    heap_.push(Event::make(now_ + lasts, EventRank::finish, starts_++, start.job));
    move(start.job, JobState::running, start.crosses_leaves);
  }

  void tag(std::size_t j) {
    result_.jobs.tagged[j] = 1;
    ++open_tagged_;
  }

  void end(JobId job, JobState state) {
    if (result_.jobs.tagged[index(job)] != 0) --open_tagged_;
    move(job, state);
    if (!input_.truth->next.empty() && state != JobState::unfinished) think(index(job));
  }

  /// Schedules the next job of a closed loop. A loop has a row for every job that it can submit before the
  /// end of the run: one that came to the end of its rows would lose jobs.
  void think(std::size_t j) {
    const JobId next = input_.truth->next[j];
    const Duration pause = std::min(input_.truth->think[j], kForever);
    FLEETSIM_ASSERT(pause >= Duration::zero());
    if (next == kNoJob) {
      FLEETSIM_ASSERT(pause == kForever || now_ + pause > input_.stop);
      return;
    }
    FLEETSIM_ASSERT(index(next) > j && index(next) < requests_.size() &&
                    requests_.submit[index(next)] == kNever);
    heap_.push(Event::make(now_ + pause, EventRank::submit, static_cast<std::uint32_t>(index(next)), next));
  }

  /// Every change of state passes here: record, fingerprint, observer.
  void move(JobId job, JobState to, bool crosses_leaves = false) {
    const std::size_t j = index(job);
    JobOutcome& jobs = result_.jobs;
    jobs.state[j] = to;
    hash_.mix(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
    hash_.mix(std::uint64_t{static_cast<std::uint32_t>(job)} << 8 | static_cast<std::uint8_t>(to));
    if (to == JobState::running) {
      for (const NodeSlice& slice : cluster_.slices(job)) {
        hash_.mix(std::uint64_t{static_cast<std::uint32_t>(slice.node)} << 32 |
                  static_cast<std::uint32_t>(slice.gpus));
      }
    }
    if (observer_ == nullptr) return;
    const std::int32_t nodes =
        jobs.pool[j] == kNoPool ? 0 : static_cast<std::int32_t>(cluster_.slices(job).size());
    observer_->on({now_, job, to, jobs.pool[j], nodes, jobs.reason[j], crosses_leaves});
  }

  // Nodes that come and go
  // ------------------------------------------------------------------------------------

  void prepare_stops();
  /// Time from one checkpoint of a job to the next; 0: none are written.
  [[nodiscard]] static Duration checkpoint_period(const EngineInput& input) {
    const Checkpointing& c = input.checkpoint;
    return c.interval > Duration::zero() ? c.interval + c.cost : Duration::zero();
  }
  [[nodiscard]] Instant next_outage() const;
  void change_nodes();
  void change_node(const NodeEvent& event);
  void interrupt(JobId job, NodeCause cause);
  void wait_again(const Attempt& attempt);
  void pass_with_claims();
  void preempt(const Decisions::Victim& victim);
  void put_back(JobId job);
  void reconsider_waiting();
  [[nodiscard]] Duration run_of_rest(const Decisions::Start& start);
  /// Ends of attempts that an outage has ended already.
  void drop_stale() {
    if (outages_ == nullptr) [[likely]]
      return;
    while (!heap_.empty() && is_stale(heap_.top())) heap_.pop();
  }
  [[nodiscard]] bool is_stale(const Event& event) const {
    const std::size_t j = index(event.job());
    return event.rank() == EventRank::finish &&
           (result_.jobs.state[j] != JobState::running || outages_->sequence[j] != event.sequence());
  }

  // Rented GPUs
  // ------------------------------------------------------------------------------------

  void set_deadline(JobId job);
  [[nodiscard]] Instant next_deadline();
  bool send_due();
  void begin_on_cloud(JobId job);
  void resume_on_cloud(JobId job);

  void count_event() { context_.at(now_, ++result_.events); }

  void finish_run() {
    JobOutcome& jobs = result_.jobs;
    for (std::size_t j = 0; j < requests_.size(); ++j) {
      if (jobs.state[j] != JobState::pending && jobs.state[j] != JobState::running) continue;
      // Only a horizon leaves jobs behind: an empty pool starts any job that may run there.
      FLEETSIM_ASSERT(over_ || outages_ != nullptr || !heap_.empty() || next_arrival() != Instant::max());
      end(JobId{static_cast<std::uint32_t>(j)}, JobState::unfinished);
    }
    Placements placed = cluster_.take_placements();
    jobs.first_slice = std::move(placed.first_slice);
    jobs.node_count = std::move(placed.node_count);
    jobs.slices = std::move(placed.slices);
    result_.replay_hash = hash_.value();
    result_.ended = now_;
  }

  const EngineInput& input_;
  const JobRequests& requests_;
  Eligibility eligibility_;
  std::unique_ptr<Policy> policy_;
  Observer* observer_;
  Cluster cluster_;
  Waiting waiting_;
  Decisions decisions_;
  EventHeap heap_;
  ContextGuard context_;
  ReplayHash hash_;
  EngineResult result_;
  std::vector<std::uint8_t> times_out_;
  std::unique_ptr<OutageState> outages_;
  std::unique_ptr<CloudState> cloud_;
  const bool checkpoints_;
  std::vector<JobId> due_;  ///< ends of this instant in order; kNoJob: has ended already
  std::size_t cursor_ = 0;
  std::size_t open_tagged_ = 0;
  std::uint32_t starts_ = 0;
  Instant now_ = kStart;
  bool over_ = false;
};

}  // namespace fleetsim
