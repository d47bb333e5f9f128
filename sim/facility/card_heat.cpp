// Steady-state temperature of the cards by cooling, spacing and inlet air. Soft where they throttle, hard
// where they are hotter than anything that was published: then their speed is not known, and the simulation
// with it.
//
// Model, sources and ranges: topology/card_limits.hpp (guide 2020: G15 and G16 of the requirements).
#include <fmt/format.h>

#include "sim/facility/parts.hpp"
#include "topology/card_limits.hpp"

namespace fleetsim::facility {

namespace {

std::string cooling_text(const NodeType& node) {
  const CardCooling cooling = card_cooling(node);
  if (cooling == CardCooling::open_air)
    return cards_touch(node) ? "open-air cards without a free slot between them"
                             : "open-air cards with a free slot between them";
  return fmt::format("{} cards", to_string(cooling));
}

}  // namespace

void check_card_heat(const Scenario& scenario, std::vector<Finding>& out) {
  const Celsius inlet = scenario.site.inlet_temperature;
  for (const NodePool* pool : own_pools(scenario)) {
    const NodeType& node = pool->node;
    const std::optional<Celsius> hot = card_temperature(node, pool->gpu_power_limit, inlet);
    if (!hot) {
      out.push_back(
          {Severity::note, "", place_of(*pool), "", fmt::format("{:.0f} C", kThrottleFrom.count()),
           fmt::format("the cooling of the cards of {} is not known, so whether they throttle is not",
                       node.title),
           "ask the vendor how the cards are cooled"});
      continue;
    }
    if (*hot <= kThrottleFrom) continue;
    const double lost = 100.0 * (1.0 - throttled_speed(*hot));
    const bool hard = *hot > kThrottleUnknown;
    out.push_back(
        {hard ? Severity::hard : Severity::soft, "", place_of(*pool), fmt::format("{:.0f} C", hot->count()),
         fmt::format("{:.0f} C", kThrottleFrom.count()),
         fmt::format("{} of {} would reach {:.0f} C with air of {:.0f} C; from {:.0f} C they throttle, {}",
                     cooling_text(node), node.title, hot->count(), inlet.count(), kThrottleFrom.count(),
                     hard ? fmt::format("by more than the {:.0f} % that anybody measured", lost)
                          : fmt::format("by about {:.0f} %", lost)),
         card_cooling(node) == CardCooling::open_air
             ? "blowers, water, or risers that leave a slot between the cards; a lower 'gpu_power_limit'"
             : "cooler air, water, or a lower 'gpu_power_limit'"});
  }
}

}  // namespace fleetsim::facility
