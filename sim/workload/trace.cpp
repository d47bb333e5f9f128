#include "sim/workload/trace.hpp"

#include <algorithm>

namespace fleetsim {

std::int64_t cut_to_window(Trace& trace, std::optional<Duration> from, std::optional<Duration> to) {
  std::vector<TraceJob>& jobs = trace.jobs;
  const auto at = [&](Duration since_first) {
    return std::partition_point(jobs.begin(), jobs.end(),
                                [&](const TraceJob& job) { return job.submit < kStart + since_first; });
  };
  const auto first = from ? at(*from) : jobs.begin();
  const auto last = std::max(first, to ? at(*to) : jobs.end());
  const auto before = static_cast<std::size_t>(first - jobs.begin()),
             kept = static_cast<std::size_t>(last - first);
  const auto left_out = static_cast<std::int64_t>(jobs.size() - kept);
  jobs.erase(last, jobs.end());
  jobs.erase(jobs.begin(), first);
  if (!trace.groups.empty()) {
    trace.groups.resize(before + kept);
    trace.groups.erase(trace.groups.begin(), trace.groups.begin() + static_cast<std::ptrdiff_t>(before));
  }
  if (jobs.empty()) return left_out;
  const Duration origin = jobs.front().submit.time_since_epoch();
  trace.origin_s += to_seconds(origin);
  for (TraceJob& job : jobs) job.submit -= origin;
  return left_out;
}

}  // namespace fleetsim
