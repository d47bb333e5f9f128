// Jobs that have waited too long: they leave their queue for rented GPUs outside the fleet.
#include <cmath>

#include "sim/base/rng.hpp"
#include "sim/engine/run.hpp"

namespace fleetsim {

/// The wait that begins now may last so long.
void Run::set_deadline(JobId job) {
  const std::size_t j = index(job);
  const std::size_t shape = input_.truth->shape[j];
  FLEETSIM_ASSERT(shape < input_.burst->ratio.size());
  if (input_.burst->ratio[shape] < 0.0) return;
  cloud_->deadline[j] = estimated_end(now_, input_.burst->above_wait);
  cloud_->deadlines.push_back({cloud_->deadline[j], job});
}

/// Deadlines of jobs that have started are dropped.
Instant Run::next_deadline() {
  auto& all = cloud_->deadlines;
  for (; cloud_->next < all.size(); ++cloud_->next) {
    const auto& [at, job] = all[cloud_->next];
    const bool waits = result_.jobs.state[index(job)] == JobState::pending;
    if (waits && cloud_->deadline[index(job)] == at) return at;
  }
  return Instant::max();
}

/// After everything else of the instant: a job that can start in the fleet at its deadline does so.
bool Run::send_due() {
  bool any = false;
  while (next_deadline() == now_) {
    const JobId job = cloud_->deadlines[cloud_->next++].job;
    count_event();
    waiting_.withdraw(requests_.queue[index(job)], outages_->order[index(job)]);
    begin_on_cloud(job);
    any = true;
  }
  return any;
}

void Run::begin_on_cloud(JobId job) {
  const std::size_t j = index(job);
  JobOutcome& jobs = result_.jobs;
  const double ratio = input_.burst->ratio[input_.truth->shape[j]];
  jobs.start[j] = now_;
  jobs.pool[j] = kCloudPool;
  jobs.reason[j] = StartReason::burst;
  const double work = static_cast<double>(outages_->left[j].count()) * ratio;
  Duration run = work < static_cast<double>(kForever.count()) ? Duration(std::llround(work)) : kForever;
  if (checkpoints_) run = with_checkpoints(run, input_.checkpoint);
  times_out_[j] = input_.kill_at_limit && run > requests_.limit[j] ? 1 : 0;
  Duration lasts = times_out_[j] != 0 ? requests_.limit[j] : run;
  cloud_->taken_away[j] = 0;
  if (const double rate = input_.burst->interruptions.count() * requests_.gpus[j]; rate > 0.0) {
    Rng stream(input_.burst->seed, input_.burst->replication, "interruption",
               std::uint64_t{cloud_->interruptions[j]} << 32 | j);
    const double taken_s = stream.exponential(1.0 / rate);
    if (taken_s < to_seconds(lasts)) {
      lasts = std::min(lasts, std::max(from_seconds(taken_s), Duration(1)));
      cloud_->taken_away[j] = 1;
      ++cloud_->interruptions[j];
    }
  }
  outages_->sequence[j] = starts_;
  outages_->crosses[j] = 0;
  heap_.push(Event::make(now_ + lasts, EventRank::finish, starts_++, job));
  move(job, JobState::running);
}

/// An interruption is a failure: the work since the last checkpoint is lost, and other GPUs are rented.
void Run::resume_on_cloud(JobId job) {
  const std::size_t j = index(job);
  JobOutcome& jobs = result_.jobs;
  Attempt attempt{job,   kCloudPool,         StartReason::burst, true, false,
                  false, NodeCause::failure, jobs.start[j],      now_};
  const WorkSplit split = split_at_failure(now_ - jobs.start[j], input_.checkpoint);
  attempt.kept = split.kept;
  attempt.overhead = split.overhead;
  attempt.lost = split.lost;
  result_.attempts.push_back(attempt);
  const double ratio = input_.burst->ratio[input_.truth->shape[j]];
  const double saved = ratio > 0.0 ? std::floor(static_cast<double>(split.kept.count()) / ratio) : 0.0;
  outages_->left[j] =
      std::max(outages_->left[j] - Duration(static_cast<std::int64_t>(saved)), Duration::zero());
  jobs.pool[j] = kNoPool;
  move(job, JobState::pending);
  begin_on_cloud(job);
}

}  // namespace fleetsim
