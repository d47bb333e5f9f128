// Who belongs to which group of users.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim {

/// Users and recorded jobs that are in no group of the scenario.
inline constexpr const char* kNoGroupScope = "no group";

/// Names of the groups in the order of the file, and kNoGroupScope behind them where somebody may be in none.
/// Empty where the scenario names no groups.
[[nodiscard]] std::vector<std::string> group_scopes(const WorkloadSpec& workload);

/// By user of the classes: users are numbered group after group. Those beyond the groups, all of them without
/// groups, have the number of groups. No draw depends on it.
[[nodiscard]] std::vector<std::uint16_t> group_by_user(const WorkloadSpec& workload);

/// The groups of recorded jobs, by the ids that the scenario gives its groups. Holds on to the workload.
class TraceGroups {
 public:
  explicit TraceGroups(const WorkloadSpec& workload);
  /// `job`: row of the trace. As many as there are groups: nobody's.
  [[nodiscard]] std::uint16_t of(std::size_t job) const;

 private:
  const WorkloadSpec& workload_;
  std::vector<std::pair<std::int32_t, std::uint16_t>> by_id_;  ///< ascending
};

}  // namespace fleetsim
