#include "sim/study/mser.hpp"

namespace fleetsim {

namespace {

constexpr std::size_t kMserBatch = 5, kLeastMserBatches = 10, kMserTail = 5;

}  // namespace

MserCut mser5(const std::vector<double>& observations) {
  std::vector<double> batches;
  for (std::size_t i = 0; i + kMserBatch <= observations.size(); i += kMserBatch) {
    double sum = 0.0;
    for (std::size_t j = i; j < i + kMserBatch; ++j) sum += observations[j];
    batches.push_back(sum / static_cast<double>(kMserBatch));
  }
  const std::size_t n = batches.size();
  MserCut cut;
  if (n < kLeastMserBatches) return cut;
  double mean = 0.0, squares = 0.0, left = 0.0, least = 0.0;
  std::size_t best = n;
  for (std::size_t d = n; d-- > 0;) {
    left += 1.0;
    const double before = batches[d] - mean;
    mean += before / left;
    squares += before * (batches[d] - mean);
    if (d > n - kMserTail - 1) continue;
    const double z = squares / (left * left);
    if (best == n || z <= least) {
      best = d;
      least = z;
    }
  }
  cut.settled = 2 * best <= n;
  cut.observations = kMserBatch * best;
  return cut;
}

}  // namespace fleetsim
