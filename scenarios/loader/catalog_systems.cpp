// Systems: whole installations by name. Their fabric is written as in a scenario.
#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/sections.hpp"
#include "topology/fabric_plan.hpp"

namespace fleetsim {

using namespace figure;
namespace {

/// A system that cannot be wired is a fault of its file.
void report_fabric(Reader& file, const SystemType& system, int gpus) {
  if (system.fabric.shape == FabricShape::none) return;
  const std::string problem = plan_fabric(system.fabric, system.nodes, gpus).problem;
  if (const auto fabric = file.find("fabric"); fabric && !problem.empty()) fabric->error_at_key(problem);
}

}  // namespace

std::optional<SystemType> read_system(Reader& file, const std::string& name, const Catalog& catalog,
                                      const Broken& broken) {
  const Faultless faultless(file);
  SystemType system;
  system.name = name;
  system.title = title_of(file);
  const NodeType* node = look_up(file, "node", catalog, CatalogKind::nodes, &Catalog::node, broken, "node");
  if (node != nullptr) system.node = node->name;
  need(file, "nodes");
  system.nodes = kCount(file, "nodes").value_or(0);
  system.from = read_map_provenance(file);
  need(file, "fabric");
  // Ranges of the fabric's keys are those of a scenario.
  file.context().schema = &scenario_schema();
  Draft draft{catalog, {}, {}, {}, {}, {}, false};
  read_fabric(file, draft);
  system.fabric = draft.scenario.fabric;
  file.finish();
  const bool link_known = system.fabric.shape == FabricShape::none || !system.fabric.link.name.empty();
  if (node == nullptr || !link_known) return std::nullopt;
  if (faultless.so_far()) report_fabric(file, system, node->gpus);
  return faultless.give(std::move(system));
}

}  // namespace fleetsim
