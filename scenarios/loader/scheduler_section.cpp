// The scheduler: policy, sharing rule, partitions.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

/// One partition over all pools, for files that do not speak of partitions.
void whole_cluster(Draft& draft) {
  Partition all;
  all.name = "all";
  all.is_default = true;
  for (std::size_t i = 0; i < draft.pools.size(); ++i) all.pools.push_back(static_cast<PoolId>(i));
  draft.partitions = {all.name};
  draft.scenario.scheduler.partitions = {all};
}

Partition read_partition(Reader& reader, const Draft& draft) {
  Partition made;
  made.name = reader.name();
  if (auto nodes = reader.require("nodes"); nodes && !draft.pools.empty()) {
    for (const Reader& pool : nodes->one_or_many()) {
      const auto i = pool.choose(draft.pools, "pool of nodes");
      if (!i) continue;
      const auto id = static_cast<PoolId>(*i);
      for (const PoolId other : made.pools)
        if (other == id) pool.error(fmt::format("pool '{}' is listed twice", pool.raw()));
      made.pools.push_back(id);
    }
    if (nodes->is_sequence() && nodes->items().empty())
      nodes->error(fmt::format("partition '{}' has no pool of nodes", made.name),
                   fmt::format("pools: {}", fmt::join(draft.pools, ", ")));
  }
  if (const auto t = reader.limit("max_time")) made.max_time = *t;
  if (const auto t = reader.limit("overflow_max_time")) made.overflow_max_time = *t;
  if (const auto d = reader.boolean("default")) made.is_default = *d;
  reader.finish();
  return made;
}

/// Nodes that are there already and that no partition names serve the default partition, when its own are
/// taken.
void place_existing(Draft& draft) {
  auto& partitions = draft.scenario.scheduler.partitions;
  std::vector<bool> named(draft.scenario.pools.size(), false);
  for (const Partition& p : partitions)
    for (const PoolId id : p.pools) named[index(id)] = true;
  const auto home =
      std::find_if(partitions.begin(), partitions.end(), [](const Partition& p) { return p.is_default; });
  if (home == partitions.end()) return;
  for (std::size_t i = bought_pools(draft.scenario); i < named.size(); ++i)
    if (!named[i]) home->pools.push_back(static_cast<PoolId>(i));
}

/// Without a default partition nobody could use them.
void check_existing_placed(Reader& section, const Draft& draft) {
  const auto& partitions = draft.scenario.scheduler.partitions;
  for (std::size_t i = bought_pools(draft.scenario); i < draft.scenario.pools.size(); ++i) {
    const auto has = [&](const Partition& p) {
      return std::find(p.pools.begin(), p.pools.end(), static_cast<PoolId>(i)) != p.pools.end();
    };
    if (std::none_of(partitions.begin(), partitions.end(), has))
      section.error_at_key(
          fmt::format("no partition has the existing nodes '{}'", draft.scenario.pools[i].name),
          "list them in a partition's 'nodes', or give one partition 'default: true'");
  }
}

void read_partitions(Reader& section, Draft& draft) {
  if (!section.expect_map()) return;
  std::string first_default;
  for (Reader& reader : section.entries()) {
    draft.partitions.push_back(reader.name());
    if (!reader.expect_map()) {
      draft.scenario.scheduler.partitions.emplace_back();
      continue;
    }
    Partition made = read_partition(reader, draft);
    if (made.is_default && !first_default.empty()) {
      auto mark = reader.find("default");
      mark->error(fmt::format("a second default partition; '{}' is one already", first_default));
    }
    if (made.is_default) first_default = made.name;
    draft.scenario.scheduler.partitions.push_back(std::move(made));
  }
  auto& partitions = draft.scenario.scheduler.partitions;
  if (partitions.empty()) section.error_at_key("there is no partition");
  if (partitions.size() == 1) partitions.front().is_default = true;
  place_existing(draft);
  check_existing_placed(section, draft);
}

}  // namespace

void read_scheduler(Reader& file, Draft& draft) {
  auto scheduler = file.find("scheduler");
  if (!scheduler) {
    if (!file.has("scheduler") && !file.misspelled({"scheduler"})) whole_cluster(draft);
    return;
  }
  if (!scheduler->expect_map()) return;
  SchedulerSpec& spec = draft.scenario.scheduler;
  if (const auto v = scheduler->word("type", policy_words())) spec.policy = *v;
  if (const auto v = scheduler->word("sharing", sharing_words())) spec.sharing = *v;
  if (const auto v = scheduler->word("ties", tie_words())) spec.ties = *v;
  if (const auto v = scheduler->word("placement", placement_words())) spec.placement = *v;
  if (const auto v = scheduler->boolean("kill_at_limit")) spec.kill_at_limit = *v;
  if (auto partitions = scheduler->find("partitions")) {
    read_partitions(*partitions, draft);
  } else if (!scheduler->has("partitions") && !scheduler->misspelled({"partitions"})) {
    whole_cluster(draft);
  }
  draft.burst = scheduler->find("burst");  // its keys are read behind the classes that it names
  scheduler->finish();
}

}  // namespace fleetsim
