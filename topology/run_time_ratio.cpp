// Run time on one node type over run time on another, by the step time of both.
#include "topology/run_time_ratio.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"
#include "topology/step_time_book.hpp"

namespace fleetsim {

Placement packed_placement(int gpus, int gpus_per_node, int first) {
  FLEETSIM_ASSERT(gpus >= 1 && gpus_per_node >= 1 && first >= 0);
  Placement placement;
  for (int left = gpus; left > 0; left -= gpus_per_node, ++first) {
    placement.push_back({NodeId{static_cast<std::uint32_t>(first)}, std::min(left, gpus_per_node)});
  }
  return placement;
}

double run_time_ratio(const ModelType& model, int gpus, const NodeType& target, const NodeType& reference,
                      const FabricSpec& fabric, bool crosses_leaves) {
  return StepTimeBook(fabric).run_time_ratio(model, gpus, target, reference, crosses_leaves);
}

}  // namespace fleetsim
