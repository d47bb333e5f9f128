// Replications of one scenario, spread over threads.
#include <omp.h>

#include <atomic>

#include "sim/study/parallel.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

int thread_count(int asked) {
  return asked > 0 ? asked : omp_get_num_procs();
}

std::vector<RunResult> replicate(const Scenario& scenario, int first, int count, int threads,
                                 const std::function<void(const StudyProgress&)>& progress,
                                 const std::atomic<bool>* stop) {
  if (count <= 0) return {};
  std::vector<RunResult> results(static_cast<std::size_t>(count));
  std::vector<char> finished(results.size(), 0);
  std::atomic<int> done{0};
  FirstFault fault;
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count(threads))
  for (int i = 0; i < count; ++i) {
    if (fault.any() || (stop != nullptr && stop->load())) continue;
    fault.guard([&] {
      results[static_cast<std::size_t>(i)] = simulate(scenario, static_cast<std::uint32_t>(first + i));
      finished[static_cast<std::size_t>(i)] = 1;
      const int now = ++done;
      if (progress && omp_get_thread_num() == 0) progress({now, count});
    });
  }
  fault.rethrow();
  // Replication first + i stands at i: what was finished behind a gap is given up.
  std::size_t whole = 0;
  while (whole < results.size() && finished[whole] != 0) ++whole;
  results.resize(whole);
  if (progress) progress({static_cast<std::int64_t>(whole), count});
  return results;
}

}  // namespace fleetsim
