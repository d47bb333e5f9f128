// Electric circuits of an office. Each node hangs on one circuit; nodes are set one after the other, the
// largest first, on the first circuit that has room.
//
// A circuit carries volts x amperes x the share that a load of hours may take. Source of the usual share,
// 0.8: US National Electrical Code, sections 210.19 and 210.20: circuit sized at 125 % of the continuous
// load, which is one of three hours or more; entered from memory. Other countries state their own:
// site.circuits.continuous. Hard: training runs for days.
#include <fmt/format.h>

#include <algorithm>

#include "sim/economics/economics.hpp"
#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

void check_circuits(const Scenario& scenario, std::vector<Finding>& out) {
  const FacilitySpec& facility = scenario.site.facility;
  const std::vector<const NodePool*> pools = own_pools(scenario);
  if (!facility.circuit) {
    if (facility.room == RoomKind::office && !pools.empty())
      out.push_back({Severity::note, "", "site.circuits", watts_text(peak_it_power(scenario)), "",
                     fmt::format("the circuits of the office are not known; the nodes draw {} at load",
                                 watts_text(peak_it_power(scenario))),
                     "write site.circuits: {volts, amperes, count}"});
    return;
  }
  const CircuitSpec& circuit = *facility.circuit;
  const Watts carries{circuit.volts * circuit.amperes * circuit.continuous};
  const std::string one = fmt::format("{:g} V x {:g} A x {:g} = {}", circuit.volts, circuit.amperes,
                                      circuit.continuous, watts_text(carries));
  std::vector<double> loads;
  bool each_fits = true;
  for (const NodePool* pool : pools) {
    const Watts load = load_power(*pool);
    loads.insert(loads.end(), static_cast<std::size_t>(pool->count), load.count());
    if (load.count() <= carries.count() * (1.0 + 1e-9)) continue;
    each_fits = false;
    out.push_back({Severity::hard, "", place_of(*pool), watts_text(load), watts_text(carries),
                   fmt::format("a node of {} draws {} at load, and a circuit carries {}", pool->name,
                               watts_text(load), one),
                   "a stronger circuit, fewer GPUs a node, or a lower 'gpu_power_limit'"});
  }
  if (!each_fits || loads.empty()) return;
  std::sort(loads.begin(), loads.end(), std::greater<>());
  std::vector<double> taken;
  for (const double load : loads) {
    const auto room = std::find_if(taken.begin(), taken.end(),
                                   [&](double t) { return t + load <= carries.count() * (1.0 + 1e-9); });
    if (room == taken.end()) {
      taken.push_back(load);
    } else {
      *room += load;
    }
  }
  const int needed = static_cast<int>(taken.size());
  if (needed <= circuit.count) return;
  out.push_back({Severity::hard, "", "site.circuits", fmt::format("{} circuits", needed),
                 fmt::format("{}", circuit.count),
                 fmt::format("{} draw {} at load and need {} circuits of {}; the office has {}",
                             nodes_text(static_cast<int>(loads.size())), watts_text(peak_it_power(scenario)),
                             needed, one, circuit.count),
                 "more circuits, fewer nodes, or a lower 'gpu_power_limit'"});
}

}  // namespace fleetsim::facility
