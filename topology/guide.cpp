#include "topology/guide.hpp"

#include <cmath>

#include "sim/base/assert.hpp"

namespace fleetsim::guide {

int matrix_product_cycles(bool tensor_cores, const Latencies& latencies) {
  if (tensor_cores) return latencies.global_memory + latencies.shared_memory + latencies.tensor_multiply;
  return latencies.global_memory + 8 * latencies.shared_memory + 8 * latencies.multiply_add;
}

int arithmetic_cycles(bool tensor_cores, const Latencies& latencies) {
  return tensor_cores ? 8 * latencies.tensor_multiply : 32 * latencies.multiply_add;
}

double debiased(const PublishedRatio& published, double growth) {
  FLEETSIM_ASSERT(published.batch_a > 0.0 && published.batch_b > 0.0 && published.speedup_a > 0.0 &&
                  published.speedup_b > 0.0 && growth > 0.0);
  const double doublings = std::log2(published.batch_a / published.batch_b);
  return published.ratio / std::pow(growth, doublings) * published.speedup_b / published.speedup_a;
}

}  // namespace fleetsim::guide
