// Laws that hold in every run, whatever the policy. The ledger's integrals come from the stream of
// transitions, the sums from the job table; both are exact integers, so equality is exact.
#include <fmt/format.h>

#include "sim/metrics/run_view.hpp"

namespace fleetsim {

void check_laws(const RunView& run, Metrics& metrics) {
  std::int64_t in_system_us = 0, rented_us = 0;
  std::vector<std::int64_t> held_us(run.input.pools.size());
  for (std::size_t job = 0; job < run.requests.size(); ++job) {
    if (!run.submitted(job)) continue;
    // Impossible at once, unless nodes retired while it waited.
    if (run.jobs.state[job] == JobState::impossible && run.jobs.end[job] == kNever) continue;
    in_system_us += (run.last(job) - run.jobs.submit[job]).count();
    if (!run.started(job)) continue;
    const bool rented = run.jobs.pool[job] == kCloudPool;
    (rented ? rented_us : held_us[index(run.jobs.pool[job])]) +=
        (run.last(job) - run.jobs.start[job]).count() * run.requests.gpus[job];
  }
  for (const Attempt& attempt : run.result.attempts) {
    const Duration held = attempt.end - attempt.start;
    if (attempt.requeued)
      (attempt.pool == kCloudPool ? rented_us : held_us[index(attempt.pool)]) +=
          held.count() * run.requests.gpus[index(attempt.job)];
    if (attempt.kept + attempt.overhead + attempt.lost != held || attempt.lost < Duration::zero())
      metrics.broken_laws.push_back(fmt::format(
          "what job {} held before an outage is not work, checkpoints and lost work", index(attempt.job)));
  }
  // Little: L = lambda W. Times the length of the run: jobs in the system, integrated = their times, summed.
  if (in_system_us != run.ledger.job_us())
    metrics.broken_laws.push_back(fmt::format(
        "Little's law: the jobs spent {:.6f} h in the system, the number in the system adds up to "
        "{:.6f} h",
        to_hours(Duration{in_system_us}), to_hours(Duration{run.ledger.job_us()})));
  if (rented_us != run.ledger.rented_us())
    metrics.broken_laws.push_back(
        fmt::format("GPU-second conservation on rented GPUs: the jobs held {:.6f} GPU-hours, rented GPUs add "
                    "up to {:.6f}",
                    to_hours(Duration{rented_us}), to_hours(Duration{run.ledger.rented_us()})));
  for (std::size_t p = 0; p < held_us.size(); ++p) {
    const Ledger::PoolBook& book = run.ledger.pools()[p];
    const std::string& name = run.input.pools[p].name;
    if (held_us[p] != book.busy_us)
      metrics.broken_laws.push_back(
          fmt::format("GPU-second conservation in {}: the jobs held {:.6f} GPU-hours, busy GPUs add up to "
                      "{:.6f}",
                      name, to_hours(Duration{held_us[p]}), to_hours(Duration{book.busy_us})));
    if (book.over > 0)
      metrics.broken_laws.push_back(fmt::format("capacity of {}: {} GPUs were held at once, it has {}", name,
                                                book.over + book.had, book.had));
    if (book.up_us > book.present_us)
      metrics.broken_laws.push_back(fmt::format("more nodes of {} are up than there are", name));
  }
}

}  // namespace fleetsim
