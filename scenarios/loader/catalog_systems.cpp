// Systems: whole installations by name. Their fabric is written as in a scenario.
#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

using namespace figure;

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
  return node == nullptr ? std::nullopt : faultless.give(std::move(system));
}

}  // namespace fleetsim
