// The room as a whole: power at the meter, and heat that the cooling can take away.
//
// Power: every node at load x PUE against site.power_limit; a limit is of the meter (IT power x PUE), so that
// a fleet may meet it in IT power alone and still be refused. Heat: all electric power of the nodes ends as
// heat in the room; against site.cooling_capacity. Both hard: a fuse and a chiller do not negotiate.
#include <fmt/format.h>

#include "sim/economics/economics.hpp"
#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

void check_room_power(const Scenario& scenario, std::vector<Finding>& out) {
  if (!scenario.site.power_limit) return;
  const Watts it = peak_it_power(scenario), meter = peak_power_at_meter(scenario);
  const Watts limit = *scenario.site.power_limit;
  if (meter <= limit * kRounding) return;
  out.push_back(
      {Severity::hard, "", "site.power_limit", watts_text(meter), watts_text(limit),
       fmt::format("all nodes at load draw {} x PUE {:g} = {} at the meter, more than the {} of the room{}",
                   watts_text(it), scenario.site.pue, watts_text(meter), watts_text(limit),
                   it <= limit * kRounding ? " (the nodes alone would be within it)" : ""),
       "fewer nodes, a lower 'gpu_power_limit', a better PUE or a stronger feed"});
}

void check_room_cooling(const Scenario& scenario, std::vector<Finding>& out) {
  const std::optional<Watts>& capacity = scenario.site.facility.cooling_capacity;
  const Watts heat = peak_it_power(scenario);
  if (!(heat > Watts{})) return;
  if (!capacity) {
    if (scenario.site.facility.room == RoomKind::office)
      out.push_back({Severity::note, "", "site.cooling_capacity", watts_text(heat), "",
                     fmt::format("the nodes heat the office with {} at load, and its cooling is not known",
                                 watts_text(heat)),
                     "write site.cooling_capacity: what the room's cooling takes away"});
    return;
  }
  if (heat <= *capacity * kRounding) return;
  out.push_back({Severity::hard, "", "site.cooling_capacity", watts_text(heat), watts_text(*capacity),
                 fmt::format("the nodes give off {} of heat at load, and the cooling takes away {}",
                             watts_text(heat), watts_text(*capacity)),
                 "more cooling, fewer nodes, or a lower 'gpu_power_limit'"});
}

}  // namespace fleetsim::facility
