#include "sim/study/interconnect_value.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/base/assert.hpp"
#include "topology/run_time_ratio.hpp"

namespace fleetsim {
namespace {

Fabric build(const NodeType& node, const FabricSpec& spec, int largest_job) {
  if (node.gpus < 1) throw std::invalid_argument(fmt::format("node {} has no GPU", node.name));
  const int nodes = (largest_job + node.gpus - 1) / node.gpus;
  if (nodes > 1 && spec.shape == FabricShape::none)
    throw std::invalid_argument(
        fmt::format("{} GPUs need {} nodes {}, and no fabric joins them", largest_job, nodes, node.name));
  const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), &node);
  return Fabric::build(spec, all);
}

}  // namespace

Park::Park(NodeType node, FabricSpec fabric, int largest_job)
    : node_(std::move(node)), largest_(largest_job), fabric_(build(node_, fabric, largest_job)) {}

double Park::step_s(const ModelType& model, int gpus) const {
  FLEETSIM_ASSERT(gpus >= 1 && gpus <= largest_);
  return to_seconds(step_time(model, Parallelism{gpus}, fabric_, packed_placement(gpus, node_.gpus)).total);
}

double Park::speedup(const ModelType& model, int gpus) const {
  return gpus * step_s(model, 1) / step_s(model, gpus);
}

double gain_percent(const ModelType& model, int gpus, const Park& with, const Park& without) {
  return 100.0 * (without.step_s(model, gpus) / with.step_s(model, gpus) - 1.0);
}

double mix_gain_percent(const ModelType& model, int largest, const Park& with, const Park& without) {
  double sum = 0.0;
  int sizes = 0;
  for (int gpus = 1; gpus <= largest; gpus *= 2, ++sizes) sum += gain_percent(model, gpus, with, without);
  return sum / sizes;
}

NodeType with_slot(NodeType node, const LinkType& slot) {
  node.name += "+" + slot.name;
  node.pcie = slot;
  return node;
}

NodeType without_gpu_links(NodeType node) {
  node.name += "+no-gpu-links";
  node.gpu_links = GpuLinkTopology::none;
  node.gpu_link.reset();
  return node;
}

NodeType with_bridges(NodeType node, const LinkType& bridge) {
  node.name += "+" + bridge.name;
  node.gpu_links = GpuLinkTopology::bridge_pairs;
  node.gpu_link = bridge;
  return node;
}

FabricSpec spine_fabric(const LinkType& link, int adapters_per_node) {
  FabricSpec spec;
  spec.shape = FabricShape::leaf_spine;
  spec.link = link;
  spec.adapters_per_node = adapters_per_node;
  return spec;
}

ValueCurve value_curve(std::string technology, std::string basis, const ModelType& model, const Park& with,
                       const Park& without, int first, int largest) {
  ValueCurve curve{std::move(technology), std::move(basis), model.title, {}};
  for (int gpus = first; gpus <= largest; gpus *= 2)
    curve.points.push_back({gpus, gain_percent(model, gpus, with, without)});
  return curve;
}

}  // namespace fleetsim
