// The slow simulator: jobs that have waited too long go to rented GPUs.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/twin/twin.hpp"

namespace twin {

Instant Simulator::deadline(std::size_t j) const {
  const auto found = deadline_.find(j);
  return found == deadline_.end() ? Instant::max() : found->second;
}

void Simulator::wait_begins(std::size_t j) {
  if (!in_.burst || in_.burst->ratio[in_.truth->shape[j]] < 0.0) return;
  deadline_[j] = now_ + std::min(in_.burst->above_wait, kForever);
  set_.push_back(j);
}

bool Simulator::send_due() {
  bool any = false;
  const std::vector<std::size_t> order = set_;
  for (const std::size_t j : order) {
    const auto here = std::find(waiting_.begin(), waiting_.end(), j);
    if (here == waiting_.end() || deadline(j) != now_) continue;
    any = true;
    promises_.erase(j);
    waiting_.erase(here);
    start_on_cloud(j);
  }
  return any;
}

void Simulator::start_on_cloud(std::size_t j) {
  Record& job = jobs_[j];
  job.start = now_;
  job.state = JobState::running;
  job.pool = kCloud;
  job.reason = StartReason::burst;
  ratio_[j] = in_.burst->ratio[in_.truth->shape[j]];
  Duration lasts = time_needed(j);
  times_out_[j] = in_.kill_at_limit && lasts > in_.requests->limit[j];
  if (times_out_[j]) lasts = in_.requests->limit[j];
  taken_away_[j] = false;
  const double rate = in_.burst->interruptions.count() * gpus(j);
  if (rate > 0.0) {
    Rng stream(in_.burst->seed, in_.burst->replication, "interruption", (interruptions_[j] << 32) + j);
    const Duration taken = std::max(from_seconds(stream.exponential(1.0 / rate)), Duration(1));
    taken_away_[j] = taken < lasts;
    lasts = std::min(lasts, taken);
  }
  order_of_[j] = order_++;
  ends_.emplace_back(now_ + lasts, order_of_[j], j);
  running_.push_back(j);
}

void Simulator::taken_away(std::size_t j) {
  ++interruptions_[j];
  note_attempt(j, secured((now_ - jobs_[j].start).count(), false));
  running_.erase(std::find(running_.begin(), running_.end(), j));
  start_on_cloud(j);
}
}  // namespace twin
