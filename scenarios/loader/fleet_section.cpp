// The fleet: pools of nodes, and the split or the counts that were asked for.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/sections.hpp"

namespace fleetsim {

namespace {

constexpr double kShareTolerance = 1e-9;

bool is_reserved(const std::string& key) {
  return key == "split" || key == "counts" || key == "existing" || key == "deliveries";
}

/// A key of the fleet that cannot be a pool: a slip of the pen in `split`, or a key of another section.
bool is_stray(const Reader& entry) {
  if (entry.has("node")) return false;
  if (!did_you_mean(entry.name(), {"split", "counts", "existing", "deliveries"}).empty()) return true;
  const auto& keys = scenario_schema().keys();
  return !entry.is_map() && std::any_of(keys.begin(), keys.end(), [&](const SchemaKey& legal) {
    return legal.path.ends_with("." + entry.name()) || legal.path == entry.name();
  });
}

void read_pools(Reader& fleet, Draft& draft) {
  for (Reader& pool : fleet.entries()) {
    if (is_reserved(pool.name())) continue;
    if (is_stray(pool)) {
      fleet.refuse(pool.name());
      continue;
    }
    NodePool made;
    made.name = pool.name();
    if (pool.expect_map() && pool.require("node")) {
      if (const auto node = catalog_name(pool, "node", draft, CatalogKind::nodes, "node"))
        made.node = *draft.catalog.node(*node);
      read_power_limit(pool, made);
    }
    if (pool.is_map()) {
      const auto idle = pool.word("when_idle", idle_words());
      made.off_when_idle = idle.value_or(false);
    }
    pool.finish();
    if (draft.pools.size() == kMostPools) {
      pool.error_at_key(fmt::format("a fleet has at most {} pools", kMostPools), "buy fewer types of node");
      return;
    }
    draft.pools.push_back(made.name);
    draft.scenario.pools.push_back(made);
  }
}

void read_split(Reader& split, Draft& draft) {
  if (!split.expect_map()) return;
  const std::size_t n = draft.pools.size();
  std::vector<std::optional<double>> share(n);
  std::vector<bool> named(n, false);
  bool fine = true;
  double sum = 0.0;
  for (const Reader& entry : split.entries()) {
    const auto pool = index_of(draft.pools, entry.name());
    const auto value = entry.ratio();
    fine = fine && pool && value;
    if (!pool) {
      split.refuse(entry.name());
      continue;
    }
    named[*pool] = true;
    share[*pool] = value;
    sum += value.value_or(0.0);
  }
  for (const std::string& pool : draft.pools) split.accept(pool);
  split.finish();
  if (!fine) return;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < n; ++i)
    if (!named[i]) rest.push_back(draft.pools[i]);
  if (sum > 1.0 + kShareTolerance) {
    split.error_at_key(fmt::format("the shares of 'split' sum to {:.6g} %, more than 100 %", 100.0 * sum));
  } else if (rest.empty() && sum < 1.0 - kShareTolerance) {
    split.error_at_key(fmt::format("the shares of 'split' sum to {:.6g} %, not 100 %", 100.0 * sum),
                       "leave one pool out to give it the rest");
  } else if (rest.size() > 1) {
    split.error_at_key(fmt::format("'split' gives no share for {}", fmt::join(rest, ", ")),
                       "one pool at most takes the rest");
  } else {
    for (const auto& value : share)
      draft.scenario.request.share.push_back(value.value_or(std::max(0.0, 1.0 - sum)));
  }
}

void read_counts(Reader& counts, Draft& draft) {
  if (!counts.expect_map()) return;
  std::vector<std::optional<int>> count(draft.pools.size());
  bool fine = true;
  for (const Reader& entry : counts.entries()) {
    const auto pool = index_of(draft.pools, entry.name());
    const auto value = entry.integer();
    fine = fine && pool && value;
    if (pool) {
      if (value) count[*pool] = static_cast<int>(*value);
    } else {
      counts.refuse(entry.name());
    }
  }
  for (const std::string& pool : draft.pools) counts.accept(pool);
  counts.finish();
  if (!fine) return;
  std::vector<int> all;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (!count[i]) {
      counts.error_at_key(fmt::format("'counts' lacks pool '{}'", draft.pools[i]), "write 0 for no nodes");
      return;
    }
    all.push_back(*count[i]);
  }
  if (std::all_of(all.begin(), all.end(), [](int n) { return n == 0; })) {
    counts.error_at_key("the fleet has no node");
    return;
  }
  draft.scenario.request.counts = all;
}

}  // namespace

void read_fleet(Reader& file, Draft& draft) {
  auto fleet = file.require("fleet");
  if (!fleet || !fleet->expect_map()) return;
  auto split = fleet->find("split");
  auto counts = fleet->find("counts");
  const auto existing = fleet->find("existing");
  read_pools(*fleet, draft);
  read_deliveries(*fleet, draft);

  // An option of the command line replaces what the file asks for.
  if (split && counts && counts->key_position().file == "--set") split.reset();
  if (split && counts && split->key_position().file == "--set") counts.reset();
  if (split && counts) counts->error_at_key("the fleet has both 'split' and 'counts'", "keep one of them");
  if (split) read_split(*split, draft);
  if (counts) read_counts(*counts, draft);
  if (!split && !counts) {
    if (draft.pools.size() == 1) {
      draft.scenario.request.share = {1.0};
    } else if (!fleet->has("split") && !fleet->has("counts") && !fleet->misspelled({"split", "counts"}) &&
               !draft.pools.empty()) {
      fleet->error_at_key("the fleet has neither 'split' nor 'counts'",
                          fmt::format("write e.g. split: {{{}: 27 %}}", draft.pools.back()));
    }
  }
  if (existing) read_existing(*existing, draft);
  if (draft.pools.empty()) fleet->error_at_key("the fleet has no pool", "write e.g. proto: {node: NAME}");
  fleet->finish();
}

}  // namespace fleetsim
