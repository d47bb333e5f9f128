#include "scenarios/measured/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "topology/run_time_ratio.hpp"

namespace fleetsim {
namespace {

Fabric build(const NodeType& node, const LinkType* link, const MeasuredSystem& system, int nodes) {
  FabricSpec spec;
  if (nodes > 1 && link != nullptr) {
    spec.shape = system.torus ? FabricShape::torus : FabricShape::single_switch;
    spec.link = *link;
    spec.adapters_per_node = system.adapters;
    spec.link.switch_ports = std::max(spec.link.switch_ports, nodes * system.adapters);
  }
  const std::vector<const NodeType*> all(static_cast<std::size_t>(nodes), &node);
  return Fabric::build(spec, all);
}

Placement place(int gpus, int nodes, int most) {
  if (gpus % nodes != 0 || gpus / nodes > most) return packed_placement(gpus, most);
  return packed_placement(gpus, gpus / nodes);
}

}  // namespace

Predictor::Machine::Machine(const NodeType& node, const LinkType* link, const MeasuredSystem& system,
                            int gpus, int nodes)
    : gpus_(gpus), fabric_(build(node, link, system, nodes)), placement_(place(gpus, nodes, node.gpus)) {}

const AllReduce& Predictor::Machine::exchange(const ModelType& model, const ScalingConstants& c) {
  const std::string for_good = fmt::format("{}/{}/{}/{}/{}", model.gradient.value.count(), c.bucket,
                                           c.launch_s, c.pipeline_s, c.in_network_gain);
  if (const auto it = kept_.find(for_good); it != kept_.end()) return it->second;
  const std::string staged = fmt::format("{}/{}/{}", for_good, c.staging_rate, c.epyc_staging);
  if (const auto it = kept_.find(staged); it != kept_.end()) return it->second;
  if (gpus_ < 2 || model.gradient.value.count() <= 0) return kept_[for_good];
  const AllReduce exchange = gradient_exchange(model, fabric_, placement_, c);
  return kept_[exchange.staged ? staged : for_good] = exchange;
}

bool has_word(const std::string& text, std::string_view word) {
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find(word) != std::string::npos;
}

}  // namespace fleetsim
