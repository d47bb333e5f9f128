// Width of the cards against the slots of board and case. Hard when they do not fit.
//
// Source: guide 2020 (G14 of the requirements): the RTX 3090 covers three slots; four do not fit a board with
// four pairs of slots without two-slot versions, risers or water. Widths: each GPU's record.
#include <fmt/format.h>

#include "sim/facility/parts.hpp"
#include "topology/card_limits.hpp"

namespace fleetsim::facility {

void check_card_slots(const Scenario& scenario, std::vector<Finding>& out) {
  for (const NodePool* pool : own_pools(scenario)) {
    const NodeType& node = pool->node;
    const int width = card_width(node), sold = node.gpu.slot_width.value;
    if (width == 0) continue;  // a module sits on its own board
    if (node.cards.slots == 0) {
      out.push_back({Severity::note, "", place_of(*pool), fmt::format("{} slots", node.gpus * width), "",
                     fmt::format("the slots of {} are not known; {} cards of {} slots need {}", node.title,
                                 node.gpus, width, node.gpus * width),
                     "ask the vendor which cards the chassis takes"});
      continue;
    }
    if (node.gpus * width > node.cards.slots) {
      out.push_back({Severity::hard, "", place_of(*pool), fmt::format("{} slots", node.gpus * width),
                     fmt::format("{} slots", node.cards.slots),
                     fmt::format("{} cards of {} slots need {} slots, and {} has {}", node.gpus, width,
                                 node.gpus * width, node.title, node.cards.slots),
                     "two-slot cards, risers, water blocks or fewer cards a node"});
    } else if (width < sold && card_cooling(node) != CardCooling::water) {
      out.push_back({Severity::note, "", place_of(*pool), fmt::format("{} slots", sold),
                     fmt::format("{} slots", width),
                     fmt::format("a {} covers {} slots as sold; {} takes a version of {}", node.gpu.title,
                                 sold, node.title, width),
                     fmt::format("order the {}-slot version, and see what it costs", width)});
    }
  }
}

}  // namespace fleetsim::facility
