// Nodes that come and go: who is stopped, what is kept, and where a stopped job waits.
#include "sim/engine/run.hpp"

namespace fleetsim {

void Run::prepare_stops() {
  if (input_.checkpoint.interval < Duration::zero() || input_.checkpoint.cost < Duration::zero())
    throw std::invalid_argument("checkpoints have no sensible interval or cost");
  outages_ = std::make_unique<OutageState>(input_);
  if (input_.preempt) cluster_.expect_guests();
  if (input_.burst) cloud_ = std::make_unique<CloudState>(requests_.size());
  if (input_.node_events.empty()) return;
  cluster_.expect_outages();
  for (const NodeId node : outages_->book.absent_at_start()) {
    const NodeBook::Place place = outages_->book.place(node);
    cluster_.close(place.pool, place.node);
  }
}

Instant Run::next_outage() const {
  return outages_->next < input_.node_events.size() ? input_.node_events[outages_->next].at : Instant::max();
}

/// Whatever the tie rule, ends of this instant come first, and submissions see the nodes as they are then.
void Run::change_nodes() {
  while (finish_due()) finish(heap_.pop().job());
  while (next_outage() == now_) change_node(input_.node_events[outages_->next++]);
  if (input_.ties == TieRule::submit_first) pass();  // the other rules make one in any case
}

void Run::change_node(const NodeEvent& event) {
  count_event();
  const NodeBook::Place place = outages_->book.place(event.node);
  hash_.mix(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  hash_.mix(std::uint64_t{static_cast<std::uint32_t>(event.node)} << 8 | 0x80 |
            static_cast<std::uint8_t>(event.cause));
  const bool changes = outages_->book.apply(event);
  const bool goes = event.cause == NodeCause::failure || event.cause == NodeCause::retirement;
  if (event.cause == NodeCause::retirement) eligibility_.retire(place.pool, place.node);
  if (changes && goes) {
    std::vector<JobId> hit;
    const auto look = [&](const auto& jobs) {
      for (const auto& job : jobs) {
        const auto slices = cluster_.slices(job);
        if (std::any_of(slices.begin(), slices.end(),
                        [&](const NodeSlice& s) { return s.node == event.node; }))
          hit.push_back(job.job);
      }
    };
    look(cluster_.releases(place.pool));
    look(cluster_.guests(place.pool));
    std::sort(hit.begin(), hit.end());
    for (const JobId job : hit) interrupt(job, event.cause);
    cluster_.close(place.pool, place.node);
  } else if (changes) {
    cluster_.open(place.pool, place.node);
  } else {
    cluster_.void_plans(place.pool);  // a failed node retires: jobs that waited for it may have to leave
  }
  if (event.cause == NodeCause::retirement) reconsider_waiting();
  if (observer_ != nullptr) observer_->on_node(event);
}

/// A failure takes the work since the last checkpoint; a retirement is planned, so that nothing is lost.
void Run::interrupt(JobId job, NodeCause cause) {
  const std::size_t j = index(job);
  JobOutcome& jobs = result_.jobs;
  FLEETSIM_ASSERT(jobs.state[j] == JobState::running);
  const bool planned = cause == NodeCause::retirement;
  Attempt attempt{job,
                  jobs.pool[j],
                  jobs.reason[j],
                  planned || input_.requeue,
                  outages_->crosses[j] != 0,
                  false,
                  cause,
                  jobs.start[j],
                  now_};
  const Duration held = now_ - jobs.start[j];
  WorkSplit split;
  if (planned) {
    split = split_as_planned(held, input_.checkpoint);
  } else if (input_.requeue) {
    split = split_at_failure(held, input_.checkpoint);
  } else {
    split.lost = held;
  }
  attempt.kept = split.kept;
  attempt.overhead = split.overhead;
  attempt.lost = split.lost;
  const Release where =
      cluster_.stop(job, jobs.pool[j], estimated_end(jobs.start[j], requests_.limit[j]), attempt.requeued);
  attempt.first_slice = where.first_slice;
  attempt.node_count = where.slice_count;
  result_.attempts.push_back(attempt);
  if (!attempt.requeued) {
    jobs.end[j] = now_;
    end(job, JobState::node_fail);
    return;
  }
  wait_again(attempt);
  put_back(job);
}

/// What the attempt has kept need not be done again.
void Run::wait_again(const Attempt& attempt) {
  const std::size_t j = index(attempt.job);
  const Duration saved =
      eligibility_.wall_time(attempt.job, attempt.pool, attempt.crosses_leaves, attempt.kept);
  outages_->left[j] = std::max(outages_->left[j] - saved, Duration::zero());
  result_.jobs.start[j] = kNever;
  result_.jobs.pool[j] = kNoPool;
  result_.jobs.reason[j] = StartReason::none;
  move(attempt.job, JobState::pending);
  if (input_.burst) set_deadline(attempt.job);
}

/// To the place in its queue that its submission gave it, with its whole limit.
void Run::put_back(JobId job) {
  const std::size_t j = index(job);
  const Duration limit = std::min(requests_.limit[j], kForever);
  const auto masks = eligibility_.of(job, limit);
  if (masks.own == 0 && masks.overflow == 0) {  // nodes have retired
    result_.jobs.end[j] = now_;
    end(job, JobState::impossible);
    return;
  }
  waiting_.put_back(requests_.queue[j], job, {masks.own, masks.overflow, eligibility_.max_leaves(job)},
                    requests_.gpus[j], limit, outages_->order[j]);
}

/// Nodes have retired: waiting jobs that the others can never hold are impossible now, and no job looks at a
/// pool any more that can never hold it.
void Run::reconsider_waiting() {
  std::vector<JobId> changed;
  for (std::size_t q = 0; q < input_.queues.size(); ++q) {
    for (Lane& lane : waiting_.lanes(QueueId{static_cast<std::uint16_t>(q)})) {
      for (std::size_t at = lane.jobs.first(); at != WaitingList::kEnd; at = lane.jobs.first(at + 1)) {
        const auto masks = eligibility_.of(lane.jobs.job(at), lane.jobs.limit(at));
        if (masks.own == lane.own && masks.overflow == lane.overflow) continue;
        changed.push_back(lane.jobs.job(at));
        waiting_.remove(lane, at);
      }
    }
  }
  std::sort(changed.begin(), changed.end());
  for (const JobId job : changed) put_back(job);
}

Duration Run::run_of_rest(const Decisions::Start& start) {
  const std::size_t j = index(start.job);
  outages_->sequence[j] = starts_;
  outages_->crosses[j] = start.crosses_leaves ? 1 : 0;
  return eligibility_.run_time(start.job, start.pool, start.crosses_leaves, outages_->left[j]);
}

}  // namespace fleetsim
