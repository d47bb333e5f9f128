// Share of the free GPU time in the window that the waiting head could not use although it asks for no more
// GPUs than were free in the pool: node borders kept it out (see Ledger). 0 when nothing ever was free.
#include "sim/metrics/run_view.hpp"

namespace fleetsim {

void measure_fragmentation(const RunView& run, Metrics& metrics) {
  double free = 0.0, stranded = 0.0;
  for (const Ledger::PoolBook& pool : run.ledger.pools()) {
    free += static_cast<double>(pool.free_us);
    stranded += static_cast<double>(pool.stranded_us);
  }
  metrics.all.values.push_back({"fragmentation", "ratio", free > 0.0 ? stranded / free : 0.0});
}

}  // namespace fleetsim
