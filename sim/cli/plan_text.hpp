// What `study --plan` prints.
#pragma once

#include <optional>
#include <string>

#include "sim/cli/plan_time.hpp"
#include "sim/study/cells.hpp"

namespace fleetsim::cli {

struct WholePlan {
  StudyPlan study;                   ///< of the scenario itself
  std::optional<CellsPlan> cells;    ///< of its axes of conditions
  std::optional<ExpectedTime> time;  ///< empty: nothing is to run
  std::string store;
  /// Of this shard, still to be simulated.
  [[nodiscard]] std::int64_t to_run() const;
};

/// Candidates with their replications, sums, rejected fleets with reasons, axes and cells, expected time. Of
/// a long list the first candidates alone.
[[nodiscard]] std::string plan_text(const WholePlan& plan);
/// The same for programs, whole; `total` is that of the study, the other sums are of this shard; those of
/// cells stand beside them.
[[nodiscard]] std::string plan_json(const WholePlan& plan);

}  // namespace fleetsim::cli
