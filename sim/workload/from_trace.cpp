#include "sim/workload/from_trace.hpp"

namespace fleetsim {

Workload workload_from_trace(const Trace& trace, QueueId queue) {
  Workload workload;
  const std::size_t n = trace.jobs.size();
  JobRequests& requests = workload.requests;
  JobTruth& truth = workload.truth;
  requests.submit.resize(n);
  requests.gpus.resize(n);
  requests.limit.resize(n);
  requests.job_class.assign(n, kNoClass);
  requests.queue.assign(n, queue);
  requests.user.resize(n);
  requests.parent.assign(n, kNoJob);
  truth.wall.resize(n);
  truth.limit_factor.assign(n, 1.0);
  truth.child.assign(n, kNoJob);
  truth.pause.assign(n, Duration::zero());
  truth.shape.assign(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    const TraceJob& job = trace.jobs[j];
    requests.submit[j] = job.submit;
    requests.gpus[j] = job.processors;
    requests.limit[j] = job.has_limit ? job.limit : job.run;
    requests.user[j] = job.user;
    truth.wall[j] = job.run;
    if (job.has_limit && job.run > Duration::zero()) {
      truth.limit_factor[j] = to_seconds(job.limit) / to_seconds(job.run);
    }
  }
  workload.shapes.push_back({kNoClass, 1});
  return workload;
}

double recorded_time_ratio(const WorkloadSpec& workload, const GpuType& gpu) {
  if (!workload.trace_recorded_on) return 1.0;
  const double there = gpu.memory_bandwidth.value.count();
  const double recorded = workload.trace_recorded_on->memory_bandwidth.value.count();
  return there > 0.0 && recorded > 0.0 ? recorded / there : 1.0;
}

}  // namespace fleetsim
