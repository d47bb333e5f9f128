#include "sim/workload/groups.hpp"

#include <algorithm>
#include <numeric>

namespace fleetsim {

std::vector<std::string> group_scopes(const WorkloadSpec& workload) {
  std::vector<std::string> names;
  for (const UserGroup& group : workload.groups) names.push_back(group.name);
  if (names.empty()) return names;
  const int users = std::accumulate(workload.groups.begin(), workload.groups.end(), 0,
                                    [](int sum, const UserGroup& g) { return sum + g.users; });
  const bool all_users = workload.classes.empty() || users >= workload.users;
  if (!all_users || workload.trace != nullptr) names.emplace_back(kNoGroupScope);
  return names;
}

std::vector<std::uint16_t> group_by_user(const WorkloadSpec& workload) {
  std::vector<std::uint16_t> groups;
  for (std::size_t g = 0; g < workload.groups.size(); ++g)
    groups.insert(groups.end(), static_cast<std::size_t>(workload.groups[g].users),
                  static_cast<std::uint16_t>(g));
  groups.resize(static_cast<std::size_t>(std::max(0, workload.users)),
                static_cast<std::uint16_t>(workload.groups.size()));
  return groups;
}

TraceGroups::TraceGroups(const WorkloadSpec& workload) : workload_(workload) {
  for (std::size_t g = 0; g < workload.groups.size(); ++g)
    for (const std::int32_t id : workload.groups[g].ids)
      by_id_.emplace_back(id, static_cast<std::uint16_t>(g));
  std::sort(by_id_.begin(), by_id_.end());
}

std::uint16_t TraceGroups::of(std::size_t job) const {
  const auto nobody = static_cast<std::uint16_t>(workload_.groups.size());
  const auto& ids = workload_.trace->groups;  // hand-made traces may hold none
  if (job >= ids.size()) return nobody;
  const auto found = std::lower_bound(by_id_.begin(), by_id_.end(), std::pair{ids[job], std::uint16_t{0}});
  return found != by_id_.end() && found->first == ids[job] ? found->second : nobody;
}

}  // namespace fleetsim
