// The driver licence of GeForce cards in a data centre: hard where the site forbids it, a note where it is
// waived, nothing where it is allowed. An office is no data centre.
//
// Source: NVIDIA GeForce driver licence, section 2.1.3 (guide 2020: G26 of the requirements): no deployment
// in a data centre; universities often get an exemption. A flag of the site's policy, not legal advice.
#include <fmt/format.h>

#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

void check_licence(const Scenario& scenario, std::vector<Finding>& out) {
  const GeforceRule rule = scenario.site.geforce_in_datacentre;
  if (scenario.site.facility.room == RoomKind::office || rule == GeforceRule::allowed) return;
  for (const NodePool* pool : own_pools(scenario)) {
    if (!pool->node.gpu.geforce_licence) continue;
    const bool forbidden = rule == GeforceRule::forbidden;
    out.push_back({forbidden ? Severity::hard : Severity::note, "", place_of(*pool), pool->node.gpu.title,
                   forbidden ? "forbidden" : "waived",
                   forbidden
                       ? fmt::format("the driver licence of the {} bars it from data centres, and the site "
                                     "does not waive it",
                                     pool->node.gpu.title)
                       : fmt::format("the driver licence of the {} bars it from data centres; the site takes "
                                     "that as waived",
                                     pool->node.gpu.title),
                   forbidden ? "cards of the professional line, an office room, or a written exemption"
                             : "get the exemption in writing"});
  }
}

}  // namespace fleetsim::facility
