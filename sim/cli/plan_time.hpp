// How long what a plan lists will take.
#pragma once

#include <cstdint>
#include <string>

#include "sim/study/study.hpp"

namespace fleetsim::cli {

struct ExpectedTime {
  double run_s = 0.0;  ///< one simulation on one core
  int threads = 1;
  std::string basis;  ///< where run_s is from
  [[nodiscard]] double total_s(std::int64_t runs) const {
    return run_s * static_cast<double>(runs) / threads;
  }
};

/// From what the rows of the store took, where there are any; else from one shortened replication of the
/// candidate in the middle of the list, simulated now and stretched to the whole time. Both are of the
/// scenario's own demand: cells of a higher load take longer. Precondition: `source` has a candidate.
[[nodiscard]] ExpectedTime expected_time(const Scenario& base, const CandidateSource& source,
                                         const StudyOptions& options);

/// `about 40 s`, `about 3 min`, `about 2.5 h`.
[[nodiscard]] std::string about(double seconds);

}  // namespace fleetsim::cli
