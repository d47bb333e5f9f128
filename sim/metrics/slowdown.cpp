// Bounded slowdown: max(1, turnaround / max(run, tau)), tau = 10 s, mean over tagged jobs that ended after
// they started (Feitelson and Rudolph 1998).
#include <algorithm>

#include "sim/metrics/run_view.hpp"

namespace fleetsim {

namespace {
constexpr double kTau_s = 10.0;
}

void measure_slowdown(const RunView& run, Metrics& metrics) {
  for_each_scope(run, metrics, [&](const RunView::Rows& rows, MetricSet& set) {
    Mean mean;
    for (const std::uint32_t job : rows)
      if (run.served(job)) mean.add(std::max(1.0, run.turnaround_s(job) / std::max(run.run_s(job), kTau_s)));
    set.values.push_back({"bounded_slowdown", "ratio", mean.value()});
  });
}

}  // namespace fleetsim
