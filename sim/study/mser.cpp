#include "sim/study/mser.hpp"

namespace fleetsim {

namespace {

constexpr std::size_t kBatch = 5, kLeastBatches = 10, kNoCut = 5;

}  // namespace

MserCut mser5(const std::vector<double>& observations) {
  std::vector<double> batches;
  for (std::size_t i = 0; i + kBatch <= observations.size(); i += kBatch) {
    double sum = 0.0;
    for (std::size_t j = i; j < i + kBatch; ++j) sum += observations[j];
    batches.push_back(sum / static_cast<double>(kBatch));
  }
  const std::size_t n = batches.size();
  MserCut cut;
  if (n < kLeastBatches) return cut;
  double mean = 0.0, squares = 0.0, left = 0.0, least = 0.0;
  std::size_t best = n;
  for (std::size_t d = n; d-- > 0;) {
    left += 1.0;
    const double before = batches[d] - mean;
    mean += before / left;
    squares += before * (batches[d] - mean);
    if (d > n - kNoCut - 1) continue;
    const double z = squares / (left * left);
    if (best == n || z <= least) {
      best = d;
      least = z;
    }
  }
  cut.settled = 2 * best <= n;
  cut.observations = kBatch * best;
  return cut;
}

}  // namespace fleetsim
