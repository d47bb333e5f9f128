// fleet.existing: nodes that the lab owns already become pools behind those that are bought.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"

namespace fleetsim {

namespace {

/// `existing`, or the first of existing-2, existing-3, ... that no pool has.
std::string free_name(const Draft& draft) {
  std::string name = "existing";
  for (int i = 2; index_of(draft.pools, name); ++i) name = fmt::format("existing-{}", i);
  return name;
}

void read_dates(Reader& item, NodePool& pool) {
  if (auto bought = item.find("bought")) pool.bought = read_date(*bought).value_or("");
  if (auto retires = item.find("retires")) {
    pool.retires = read_date(*retires).value_or("");
    if (!pool.retires.empty() && pool.retires.substr(0, 7) < pool.bought.substr(0, 7))
      retires->error("the nodes retire before they were bought");
  }
}

void read_name(Reader& item, const Draft& draft, NodePool& pool) {
  auto name = item.find("name");
  if (!name) {
    pool.name = free_name(draft);
    return;
  }
  pool.name = name->text().value_or(free_name(draft));
  if (index_of(draft.pools, pool.name))
    name->error(fmt::format("a pool '{}' is there already", pool.name), "give these nodes another name");
  if (pool.name == "split" || pool.name == "counts" || pool.name == "deliveries")
    name->error(fmt::format("no pool can be called '{}'", pool.name), "a name of your own, e.g. old");
}

}  // namespace

std::optional<std::string> read_date(const Reader& reader) {
  const auto text = reader.text();
  if (!text) return std::nullopt;
  if (is_date(*text)) return *text;
  reader.error(fmt::format("'{}' is not a date", *text), "write YYYY-MM or YYYY-MM-DD");
  return std::nullopt;
}

bool is_date(const std::string& t) {
  bool good = t.size() == 7 || t.size() == 10;
  for (std::size_t i = 0; good && i < t.size(); ++i)
    good = (i == 4 || i == 7) ? t[i] == '-' : std::isdigit(static_cast<unsigned char>(t[i])) != 0;
  if (!good) return false;
  const auto number = [&](std::size_t at) { return (t[at] - '0') * 10 + (t[at + 1] - '0'); };
  using namespace std::chrono;
  const year_month month{year(100 * number(0) + number(2)),
                         std::chrono::month(static_cast<unsigned>(number(5)))};
  return month.ok() && (t.size() == 7 || (month / day(static_cast<unsigned>(number(8)))).ok());
}

void read_existing(const Reader& list, Draft& draft) {
  for (Reader item : list.items()) {
    if (!item.expect_map()) continue;
    NodePool pool;
    pool.existing = true;
    read_name(item, draft, pool);
    if (item.require("node")) {
      if (const auto node = catalog_name(item, "node", draft, CatalogKind::nodes, "node"))
        pool.node = *draft.catalog.node(*node);
    }
    if (item.require("count")) {
      if (const auto n = item.integer("count")) pool.count = static_cast<int>(*n);
    }
    read_dates(item, pool);
    pool.resale = item.money("resale");
    if (pool.node.rented())
      item.error(fmt::format("node {} is rented by the hour, so nobody owns it", pool.node.name),
                 "name a node that is bought");
    item.finish();
    if (draft.pools.size() == kMostPools) {
      item.error(fmt::format("a fleet has at most {} pools", kMostPools), "name fewer types of node");
      return;
    }
    draft.pools.push_back(pool.name);
    draft.scenario.pools.push_back(pool);
  }
}

void read_alternatives(Reader& study, Draft& draft) {
  const auto list = study.find("alternatives");
  if (!list) return;
  auto& all = draft.scenario.study.alternatives;
  for (const Reader& item : list->items()) {
    const auto one = item.word(alternative_words());
    if (!one) continue;
    if (std::find(all.begin(), all.end(), *one) != all.end())
      item.error(fmt::format("'{}' is listed twice", item.raw()));
    all.push_back(*one);
  }
  if (all.empty()) return;
  // Doing nothing is what every other choice is measured against.
  if (std::find(all.begin(), all.end(), Alternative::keep) == all.end()) all.push_back(Alternative::keep);
  std::sort(all.begin(), all.end());
  const auto& pools = draft.scenario.pools;
  const std::size_t bought = bought_pools(draft.scenario);
  if (bought == pools.size()) {
    list->error_at_key("there are no existing nodes to keep, to add to or to replace",
                       "list them under fleet.existing, or leave 'alternatives' out");
  }
  if (draft.scenario.study.price_draws > 0)
    list->error_at_key("drawn prices are not built for a study of alternatives",
                       "leave 'price_draws' out, or study one alternative at a time");
  const bool replaces = std::find(all.begin(), all.end(), Alternative::replace) != all.end();
  for (std::size_t i = bought; replaces && i < pools.size(); ++i)
    if (!pools[i].resale)
      list->error(
          fmt::format("'replace' sells the nodes '{}', and nothing says what they bring", pools[i].name),
          "give them 'resale: ... USD' under fleet.existing; 0 USD where they are scrapped");
}

std::string existing_text(const Scenario& scenario) {
  std::string text;
  for (const NodePool& pool : scenario.pools) {
    if (!pool.existing) continue;
    if (text.empty()) text = "  existing:\n";
    text += fmt::format("    - {{node: {}, count: {}, name: {}", yaml_word(pool.node.name),
                        pool.count + pool.sold, yaml_word(pool.name));
    if (!pool.bought.empty()) text += ", bought: " + pool.bought;
    if (!pool.retires.empty()) text += ", retires: " + pool.retires;
    if (pool.resale) text += ", resale: " + to_text(*pool.resale);
    text += "}\n";
  }
  return text;
}

}  // namespace fleetsim
