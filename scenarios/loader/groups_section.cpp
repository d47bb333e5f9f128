// Groups of users: workload.groups and, of a recorded workload, workload.trace.groups.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/schema_parts.hpp"
#include "scenarios/loader/sections.hpp"
#include "sim/workload/groups.hpp"

namespace fleetsim {

namespace {

constexpr std::size_t kMostGroups = 1000;

/// Names stand in brackets behind metrics.
bool good_name(const Reader& group) {
  const std::string name = group.name();
  if (name == kNoGroupScope) {
    group.error_at_key(fmt::format("'{}' is what users of no group go by", name), "give the group a name");
    return false;
  }
  if (name.find_first_of("()") == std::string::npos) return true;
  group.error_at_key(fmt::format("the name of the group '{}' holds a bracket", name),
                     "it stands in brackets behind metrics: wait_s_p95(group NAME)");
  return false;
}

void check_number(const Reader& section, const WorkloadSpec& workload) {
  if (workload.groups.size() > kMostGroups)
    section.error_at_key(fmt::format("{} groups, more than {}", workload.groups.size(), kMostGroups),
                         "put some together");
}

/// The group of this name, made where there is none.
UserGroup& group_named(std::vector<UserGroup>& groups, const std::string& name) {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const UserGroup& g) { return g.name == name; });
  return found != groups.end() ? *found : groups.emplace_back(UserGroup{name, 0, {}});
}

/// A group of which the trace has no job is a slip of the pen.
void tell_missing(const Reader& group, const std::vector<std::int32_t>& ids, const Trace* trace) {
  if (trace == nullptr) return;
  for (const std::int32_t id : ids) {
    if (std::find(trace->groups.begin(), trace->groups.end(), id) != trace->groups.end()) continue;
    group.context().diagnostics.warning(group.position(), group.path(),
                                        fmt::format("no job of the trace is of group {}", id),
                                        "group ids are field 13 of the file");
  }
}

}  // namespace

void read_groups(Reader& workload, Draft& draft) {
  auto section = workload.find("groups");
  if (!section || !section->expect_map()) return;
  WorkloadSpec& spec = draft.scenario.workload;
  std::int64_t users = 0;
  bool fine = true;
  for (Reader& group : section->entries()) {
    const auto number = group.integer();
    fine = good_name(group) && number && fine;
    if (!number) continue;
    users += *number;
    spec.groups.push_back({group.name(), static_cast<int>(*number), {}});
  }
  check_number(*section, spec);
  if (spec.groups.empty() && fine)
    section->error_at_key("'groups' names no group", "e.g. {vision: 20, nlp: 10}");
  if (!fine || spec.groups.empty() || users == spec.users) return;
  section->error_at_key(
      fmt::format("the groups have {} users in all, and workload.users is {}", users, spec.users),
      fmt::format("set users to {}, or change the groups", users));
}

void read_trace_groups(Reader& trace, Draft& draft) {
  auto section = trace.find("groups");
  if (!section || !section->expect_map()) return;
  WorkloadSpec& spec = draft.scenario.workload;
  for (Reader& group : section->entries()) {
    if (!good_name(group)) continue;
    std::vector<std::int32_t> ids;
    for (const Reader& item : group.one_or_many()) {
      const auto id = item.integer(between<std::int64_t>(0, 2'147'483'647));
      if (!id) continue;
      const auto number = static_cast<std::int32_t>(*id);
      const auto has = [&](const UserGroup& g) {
        return std::find(g.ids.begin(), g.ids.end(), number) != g.ids.end();
      };
      const auto taken = std::find_if(spec.groups.begin(), spec.groups.end(), has);
      const bool twice = std::find(ids.begin(), ids.end(), number) != ids.end();
      if (twice || taken != spec.groups.end()) {
        item.error(
            fmt::format("group id {} belongs to '{}' already", number, twice ? group.name() : taken->name),
            "each id is of one group");
        continue;
      }
      ids.push_back(number);
    }
    tell_missing(group, ids, spec.trace.get());
    group_named(spec.groups, group.name()).ids = std::move(ids);
  }
  check_number(*section, spec);
}

void schema_parts::group_keys(Keys& k) {
  k.push_back(key("workload.groups", K::section,
                  "the users by group, e.g. departments; waits and use are then also told for each. The "
                  "numbers add up to workload.users; no draw depends on them (docs/groups.md)"));
  k.push_back(
      key("workload.groups.*", K::integer, "users of the group", "20").in(between<Count>(1, 10'000'000)));
}

void schema_parts::trace_group_keys(Keys& k) {
  k.push_back(key("workload.trace.groups", K::section,
                  "which of its jobs are of which group: by the group id, field 13 of the Standard Workload "
                  "Format; names of workload.groups or new ones"));
  k.push_back(key("workload.trace.groups.*", K::values, "ids of the group", "[3, 4]"));
}

}  // namespace fleetsim
