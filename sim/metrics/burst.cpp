// Jobs that have waited too long and run on rented GPUs, where the scenario lets them.
//   burst_jobs             = tagged jobs that were sent there
//   burst_gpu_hours        = GPU time that is paid for in the window, of any job, tagged or not: the bill
//   burst_useful_gpu_hours = GPU time that jobs held there in the window x scaling efficiency; whole run only
//   burst_interruptions    = times that rented GPUs were taken away from tagged jobs
//   burst_lost_gpu_hours   = GPU time that this took from them: work and writing since the last checkpoint
// None of it is use of the fleet's GPUs: utilisation, energy and GPU time held do not hold these hours.
#include <algorithm>

#include "sim/metrics/run_view.hpp"

namespace fleetsim {

namespace {

struct Rented {
  bool sent = false;
  double paid_h = 0.0;    ///< in the window
  double useful_h = 0.0;  ///< in the window
  double interruptions = 0.0, lost_h = 0.0;
};

class Book {
 public:
  explicit Book(const RunView& run) : run_(run), of_job_(run.requests.size()) {
    for (std::size_t job = 0; job < of_job_.size(); ++job)
      if (run.started(job) && run.jobs.pool[job] == kCloudPool) stay(job, run.jobs.start[job], run.last(job));
    for (const Attempt& attempt : run.result.attempts) {
      if (attempt.pool != kCloudPool) continue;
      const std::size_t job = index(attempt.job);
      stay(job, attempt.start, attempt.end);
      of_job_[job].interruptions += 1.0;
      of_job_[job].lost_h += static_cast<double>(run.requests.gpus[job]) * to_hours(attempt.lost);
    }
  }
  [[nodiscard]] const Rented& of(std::size_t job) const { return of_job_[job]; }

 private:
  void stay(std::size_t job, Instant start, Instant end) {
    Rented& rented = of_job_[job];
    rented.sent = true;
    const Instant from = std::max(start, run_.begin), until = std::min(end, run_.end);
    if (from >= until) return;
    const std::int32_t gpus = run_.requests.gpus[job];
    const double hours = to_hours(until - from);
    rented.paid_h +=
        hours * (run_.scenario.scheduler.burst ? paid_gpus(*run_.scenario.scheduler.burst, gpus) : gpus);
    const std::size_t shape = run_.truth.shape[job];
    rented.useful_h +=
        hours * gpus * (shape < run_.burst_efficiency.size() ? run_.burst_efficiency[shape] : 1.0);
  }

  const RunView& run_;
  std::vector<Rented> of_job_;
};

}  // namespace

void measure_burst(const RunView& run, Metrics& metrics) {
  if (!run.input.burst) return;
  const Book book(run);
  double useful_h = 0.0, all_h = 0.0;
  std::vector<double> class_h(metrics.classes.size()), group_h(metrics.groups.size());
  for (std::size_t job = 0; job < run.requests.size(); ++job) {
    const Rented& rented = book.of(job);
    all_h += rented.paid_h;
    useful_h += rented.useful_h;
    const ClassId id = run.requests.job_class[job];
    const std::size_t scope = id == kNoClass ? run.scenario.workload.classes.size() : index(id);
    if (scope < class_h.size()) class_h[scope] += rented.paid_h;
    if (!group_h.empty()) group_h[run.requests.group[job]] += rented.paid_h;
  }
  const auto add = [&](const RunView::Rows& rows, double paid_h, MetricSet& set) {
    Rented sum;
    double jobs = 0.0;
    for (const std::uint32_t job : rows) {
      const Rented& rented = book.of(job);
      jobs += rented.sent ? 1.0 : 0.0;
      sum.interruptions += rented.interruptions;
      sum.lost_h += rented.lost_h;
    }
    set.values.push_back({"burst_jobs", "jobs", jobs});
    set.values.push_back({"burst_gpu_hours", "GPU h", paid_h});
    set.values.push_back({"burst_interruptions", "times", sum.interruptions});
    set.values.push_back({"burst_lost_gpu_hours", "GPU h", sum.lost_h});
  };
  add(run.tagged_rows, all_h, metrics.all);
  metrics.all.values.push_back({"burst_useful_gpu_hours", "GPU h", useful_h});
  for (std::size_t c = 0; c < run.tagged_by_class.size(); ++c)
    add(run.tagged_by_class[c], class_h[c], metrics.classes[c]);
  for (std::size_t g = 0; g < run.tagged_by_group.size(); ++g)
    add(run.tagged_by_group[g], group_h[g], metrics.groups[g]);
}

}  // namespace fleetsim
