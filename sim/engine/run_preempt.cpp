// Owners that take nodes back: passes in which guests must go.
#include "sim/engine/run.hpp"

namespace fleetsim {

/// A victim goes before the job that it goes for starts. It waits again only when the pass is over, since
/// policies hold places in the queues while they work; so the pass is made again until no guest goes.
void Run::pass_with_claims() {
  for (;;) {
    schedule();
    const auto victims = decisions_.victims();
    std::size_t gone = 0;
    for (const Decisions::Start& start : decisions_.starts()) {
      while (gone < start.victims) preempt(victims[gone++]);
      begin(start);
    }
    FLEETSIM_ASSERT(gone == victims.size());  // none goes in vain
    for (const Decisions::Victim& victim : victims) put_back(victim.job);
    if (!decisions_.again() || waiting_.size() == 0) return;
  }
}

void Run::preempt(const Decisions::Victim& victim) {
  const std::size_t j = index(victim.job);
  const JobOutcome& jobs = result_.jobs;
  FLEETSIM_ASSERT(jobs.state[j] == JobState::running && jobs.reason[j] == StartReason::overflow);
  Attempt attempt{victim.job, jobs.pool[j], jobs.reason[j], true, outages_->crosses[j] != 0,
                  true,       {},           jobs.start[j],  now_};
  const WorkSplit split = split_at_failure(now_ - jobs.start[j], input_.checkpoint);
  attempt.kept = split.kept;
  attempt.overhead = split.overhead;
  attempt.lost = split.lost;
  attempt.first_slice = victim.where.first_slice;
  attempt.node_count = victim.where.slice_count;
  result_.attempts.push_back(attempt);
  std::replace(due_.begin(), due_.end(), victim.job, kNoJob);  // it would have ended at this instant
  wait_again(attempt);
}

}  // namespace fleetsim
