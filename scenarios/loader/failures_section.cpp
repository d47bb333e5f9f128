// When nodes are there: `failures`, `fleet.deliveries` and what dates need.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/economics/economics.hpp"

namespace fleetsim {

namespace {

void check_failures(Reader& section, const FailureSpec& spec) {
  Diagnostics& diagnostics = section.context().diagnostics;
  const bool fails = spec.node_mtbf > Duration{} || spec.gpu_mtbf > Duration{};
  if (fails && !section.has("repair"))
    section.error_at_key("nodes fail, but 'repair' does not say how long they are missing",
                         "e.g. repair: 24 h (4 to 120 h are usual)");
  const auto idle = [&](const std::string& key, const std::string& without) {
    if (const auto value = section.find(key))
      diagnostics.warning(value->key_position(), value->path(),
                          fmt::format("'{}' changes nothing without '{}'", key, without));
  };
  if (!fails) idle("repair", "node_mtbf' or 'gpu_mtbf");
  if (spec.checkpoint_interval == Duration{}) idle("checkpoint_cost", "checkpoint_interval");
  if (spec.checkpoint_interval > Duration{} && spec.checkpoint_cost >= spec.checkpoint_interval)
    if (const auto cost = section.find("checkpoint_cost"))
      cost->error(
          fmt::format("writing a checkpoint takes {}, no less than the {} of work between two of them",
                      to_text(spec.checkpoint_cost), to_text(spec.checkpoint_interval)),
          "a longer checkpoint_interval");
}

}  // namespace

void read_failures(Reader& file, Draft& draft) {
  auto section = file.find("failures");
  if (!section || !section->expect_map()) return;
  FailureSpec spec;
  assign(spec.node_mtbf, section->duration("node_mtbf"));
  assign(spec.gpu_mtbf, section->duration("gpu_mtbf"));
  assign(spec.repair, section->duration("repair"));
  assign(spec.checkpoint_interval, section->duration("checkpoint_interval"));
  assign(spec.checkpoint_cost, section->duration("checkpoint_cost"));
  assign(spec.requeue, section->boolean("requeue"));
  check_failures(*section, spec);
  section->finish();
  // A section in which nothing fails and nothing is written is none.
  if (spec.node_mtbf > Duration{} || spec.gpu_mtbf > Duration{} || spec.checkpoint_interval > Duration{})
    draft.scenario.availability.failures = spec;
}

void read_deliveries(Reader& fleet, Draft& draft) {
  auto list = fleet.find("deliveries");
  if (!list) return;
  for (Reader item : list->items()) {
    if (!item.expect_map()) continue;
    Delivery delivery;
    bool fine = true;
    if (item.require("pool")) {
      const auto pool = item.choose("pool", draft.pools, "pool");
      fine = pool.has_value();
      delivery.pool = pool.value_or(0);
    }
    if (item.require("nodes")) {
      if (const auto nodes = item.integer("nodes")) delivery.nodes = static_cast<int>(*nodes);
    }
    if (item.require("at")) {
      if (const auto at = item.duration("at")) delivery.at = *at;
    }
    item.finish();
    if (fine) draft.scenario.availability.deliveries.push_back(delivery);
  }
}

void check_deliveries(Reader& file, const Scenario& scenario) {
  auto fleet = file.find("fleet");
  auto list = fleet ? fleet->find("deliveries") : std::nullopt;
  if (!list) return;
  for (const Delivery& delivery : scenario.availability.deliveries) {
    if (delivery.at < scenario.economics.years * 365 * kDay) continue;
    list->error_at_key(
        fmt::format("nodes of pool '{}' are delivered after {}, but the cost is counted over {}",
                    scenario.pools.at(delivery.pool).name, to_text(delivery.at),
                    years_text(static_cast<std::size_t>(scenario.economics.years))),
        "deliver them earlier, or raise economics.years");
  }
  for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
    int nodes = 0;
    for (const Delivery& delivery : scenario.availability.deliveries)
      if (delivery.pool == p) nodes += delivery.nodes;
    if (nodes <= scenario.pools[p].count) continue;
    const std::string problem =
        fmt::format("{} nodes of pool '{}' are delivered, but the fleet has {} of them", nodes,
                    scenario.pools[p].name, scenario.pools[p].count);
    const std::string hint = "deliveries are a part of the fleet's nodes, not more of them";
    const auto counts = fleet->find("counts");
    if (counts && counts->key_position().file != "--set") {
      list->error_at_key(problem, hint);
    } else {  // a split of a budget, or a fleet of a study: not the file's own counts
      file.context().diagnostics.warning(list->key_position(), list->path(),
                                         problem + "; none of them is there before", hint);
    }
  }
}

void tell_dates(Draft& draft) {
  const Scenario& s = draft.scenario;
  const bool retires =
      std::any_of(s.pools.begin(), s.pools.end(), [](const NodePool& pool) { return !pool.retires.empty(); });
  if (retires && s.availability.starts.empty())
    draft.later("fleet.existing[].retires", "a date needs the date of the start: time.starts");
}

}  // namespace fleetsim
