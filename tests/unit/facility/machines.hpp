// Machines made by hand for the checks of the room.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/facility/facility.hpp"

namespace fleetsim::facility {

template <class T>
Figure<T> exactly(T value) {
  return {value, value, value, {"data sheet", "2020-09", false, ""}};
}

/// `gpus` cards of `board` watts, two slots wide, blowers with room for them, and `base` for the rest.
inline NodeType machine(int gpus, double board, double base) {
  NodeType node;
  node.name = node.title = "machine";
  node.gpu.name = node.gpu.title = "card";
  node.gpu.board_power = exactly(Watts{board});
  node.gpu.idle_power_share = exactly(0.08);
  node.gpu.memory = exactly(Bytes{10'000'000'000});
  node.gpu.slot_width = exactly(2);
  node.gpus = gpus;
  node.base_power_load = exactly(Watts{base});
  node.base_power_idle = exactly(Watts{base / 2});
  node.cards = {CardCooling::blower, 2, 2 * gpus, {}};
  node.supplies = {2, 0, exactly(Watts{100e3})};
  node.price_parts = {{"all of it", 1, exactly(usd(1000L))}};
  return node;
}

inline Scenario fleet_of(const NodeType& node, int count = 1) {
  Scenario scenario;
  NodePool pool;
  pool.name = "pool";
  pool.node = node;
  pool.count = count;
  scenario.pools = {pool};
  scenario.site.geforce_in_datacentre = GeforceRule::allowed;
  scenario.site.rack.power = Watts{100e3};
  return scenario;
}

/// Findings of one check, e.g. "soft fleet.pool".
inline std::vector<std::string> found(const Scenario& scenario, const std::string& check_id) {
  std::vector<std::string> out;
  for (const Finding& f : check(scenario))
    if (f.check == check_id) out.push_back(std::string(to_string(f.severity)) + " " + f.place);
  return out;
}

using Found = std::vector<std::string>;

}  // namespace fleetsim::facility
