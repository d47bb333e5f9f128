// Racks: does a node fit one, and do the racks of the room hold the fleet, by height and by power?
//
// Limits are the scenario's (site.rack). Nodes are set whole, pool after pool, as the bill counts racks.
// Hard: a rack holds no more than its units, and its feed no more than its power.
#include <fmt/format.h>

#include "sim/economics/economics.hpp"
#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

namespace {


void check_node(const RackSpec& rack, const NodePool& pool, std::vector<Finding>& out) {
  const Watts load = load_power(pool);
  if (pool.node.rack_units > rack.units)
    out.push_back(
        {Severity::hard, "", place_of(pool), fmt::format("{} U", pool.node.rack_units),
         fmt::format("{} U", rack.units),
         fmt::format("a node of {} is {} U high, a rack {} U", pool.name, pool.node.rack_units, rack.units),
         "taller racks or flatter nodes"});
  if (load > rack.power * kRounding)
    out.push_back({Severity::hard, "", place_of(pool), watts_text(load), watts_text(rack.power),
                   fmt::format("a node of {} draws {} at load, a rack has {}", pool.name, watts_text(load),
                               watts_text(rack.power)),
                   "a stronger feed to the rack, nodes with fewer GPUs, or a lower 'gpu_power_limit'"});
}

}  // namespace

void check_racks(const Scenario& scenario, std::vector<Finding>& out) {
  const RackSpec& rack = scenario.site.rack;
  const FacilitySpec& facility = scenario.site.facility;
  if (facility.room == RoomKind::office && facility.racks == 0) return;  // desktops stand beside desks
  const std::vector<const NodePool*> pools = own_pools(scenario);
  const std::size_t before = out.size();
  for (const NodePool* pool : pools) check_node(rack, *pool, out);
  if (facility.racks == 0 || out.size() > before) return;
  const int needed = racks_needed(scenario);
  if (needed <= facility.racks) return;
  int units = 0, nodes = 0;
  Watts power;
  for (const NodePool* pool : pools) {
    units += pool->count * pool->node.rack_units;
    nodes += pool->count;
    power += load_power(*pool) * static_cast<double>(pool->count);
  }
  out.push_back({Severity::hard, "", "site.rack", fmt::format("{} racks", needed),
                 fmt::format("{}", facility.racks),
                 fmt::format("{} of {} U and {} together need {} racks of {} U and {}, and the room has {}",
                             nodes_text(nodes), units, watts_text(power), needed, rack.units,
                             watts_text(rack.power), facility.racks),
                 "more racks, more power a rack, fewer nodes, or a lower 'gpu_power_limit'"});
}

}  // namespace fleetsim::facility
