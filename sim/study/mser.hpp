// Where a simulation that starts empty has settled: how much of its beginning is to be cut off.
#pragma once

#include <cstddef>
#include <vector>

namespace fleetsim {

struct MserCut {
  std::size_t observations = 0;  ///< to be cut off, a multiple of 5
  bool settled =
      false;  ///< false: the least statistic lies in the second half, or there are fewer than 10 batches
};

/// MSER-5: of the means of batches of 5 observations, b[0] to b[n - 1] (a rest of less than 5 is left out),
/// the cut d that makes
///     z(d) = sum over j >= d of (b[j] - mean)^2 / (n - d)^2,     mean that of b[d] to b[n - 1],
/// least, the first of equals: the squared standard error of the mean that is left, as if batches were
/// independent. The last five batches are no cut: few numbers are alike by chance. A least z beyond n / 2
/// means that the run has not settled. Precondition: finite observations. Cost: O(n), one pass from the end
/// (Welford). Source: White, An effective truncation heuristic for bias reduction in simulation output,
/// Simulation 69 (1997) 323-334; White, Cobb and Spratt, A comparison of five steady-state truncation
/// heuristics for simulation, Winter Simulation Conference 2000, 755-760.
[[nodiscard]] MserCut mser5(const std::vector<double>& observations);

}  // namespace fleetsim
