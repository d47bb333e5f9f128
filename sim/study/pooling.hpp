// Desktops or a pool: how many shared machines serve the users of private ones, waiting no longer.
#pragma once

#include <string>
#include <vector>

#include "sim/base/quantity.hpp"

namespace fleetsim {

struct StudyResult;

/// Mean with its 95 % t interval over replications, as Summary.
struct WaitSummary {
  double mean_s = 0.0, low_s = 0.0, high_s = 0.0;
  int n = 0;  ///< replications in which it was defined
};

/// A shared pool of so many machines beside the private ones.
struct PoolSize {
  int candidate = 0;  ///< index into StudyResult::candidates
  int machines = 0;
  WaitSummary p95;         ///< wait that 19 in 20 jobs of a replication do not exceed
  WaitSummary difference;  ///< to the private machines, replication by replication
  /// "no longer": the whole interval of the difference is at most 0; "longer": all of it is above; else
  /// "undecided".
  std::string answer;
  double utilisation = 0.0;  ///< allocated GPU time
  Money purchase, three_year_cost;
};

struct Pooling {
  PoolSize apart;               ///< the private machines themselves; answer and difference mean nothing
  std::vector<PoolSize> sizes;  ///< 1, 2, ... machines
  /// From so many machines on the pool waits no longer; 0: not even as many as there are users.
  int least = 0;
  /// With fewer than so many it waits longer. Between the two the intervals are too wide to say.
  int first_open = 0;
};

/// `p95_s`: by candidate, then by replication; the first candidate is the private machines, the others are
/// pools by size. Each comparison has its own interval of 95 %, paired: all candidates face the same jobs.
[[nodiscard]] Pooling compare_pools(const StudyResult& study, const std::vector<std::vector<double>>& p95_s);

/// One sentence or two: the least pool, its wait, what it saves. "undecided" where the intervals say so.
[[nodiscard]] std::string pooling_verdict(const Pooling& pooling, int years);

/// Which pool the study proposes: the least; null when there is none.
[[nodiscard]] const PoolSize* least_pool(const Pooling& pooling);

/// The guide's bands of utilisation, one sentence.
[[nodiscard]] std::string utilisation_bands();

}  // namespace fleetsim
