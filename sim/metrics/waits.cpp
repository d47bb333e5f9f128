// Wait from submit to start, of tagged jobs that started or still wait when the run ends (these enter with
// the time waited so far, a lower bound; leaving them out would flatter a saturated fleet). Jobs that are
// impossible or were cancelled before they started have no wait.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/base/assert.hpp"
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

double percentile(std::vector<double>& values, double p) {
  FLEETSIM_ASSERT(p >= 0.0 && p <= 1.0);
  if (values.empty()) return kUndefined;
  const auto n = static_cast<double>(values.size());
  // 0.9 * 10 must be rank 9 although 0.9 is not a binary fraction.
  const auto rank = static_cast<std::ptrdiff_t>(std::max(1.0, std::ceil(p * n * (1.0 - 1e-12))));
  const auto place = values.begin() + (rank - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

void measure_waits(const RunView& run, Metrics& metrics) {
  std::vector<double> waits;
  waits.reserve(run.tagged_rows.size());
  for_each_scope(run, metrics, [&](const RunView::Rows& rows, MetricSet& set) {
    waits.clear();
    Mean mean;
    for (const std::uint32_t job : rows) {
      if (!run.started(job) && !run.unfinished(job)) continue;
      waits.push_back(run.wait_s(job));
      mean.add(waits.back());
    }
    set.values.push_back({"wait_s", "s", mean.value()});
    set.values.push_back({"wait_s_p50", "s", percentile(waits, 0.50)});
    set.values.push_back({"wait_s_p90", "s", percentile(waits, 0.90)});
    set.values.push_back({"wait_s_p95", "s", percentile(waits, 0.95)});
  });
}

}  // namespace fleetsim
