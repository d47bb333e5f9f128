// Nodes: a GPU, its links and what the machine around them draws and costs.
#include <fmt/format.h>

#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "topology/node_wiring.hpp"

namespace fleetsim {

using namespace figure;
namespace {

void read_price_parts(Reader& list, NodeType& node) {
  if (!list.is_sequence()) {
    list.error("'price' must be a list of parts",
               "write '- {item: ..., quantity: ..., unit_price: {value: ...}}'");
    return;
  }
  for (Reader& item : list.items()) {
    PricePart part;
    need(item, "item");
    part.item = item.text("item").value_or("");
    part.quantity = kCount(item, "quantity").value_or(1);
    if (auto price = item.require("unit_price")) {
      if (price->is_scalar() && price->raw() == "card") {
        if (!node.gpu.priced) price->error(fmt::format("the card {} has no price", node.gpu.name));
        part.unit_price = node.gpu.price;
      } else {
        read_figure(*price, kMoney, part.unit_price);
      }
    }
    item.finish();
    node.price_parts.push_back(std::move(part));
  }
}

void read_pcie(Reader& file, NodeType& node, const Catalog& catalog, const Broken& broken) {
  auto pcie = file.require("pcie");
  if (!pcie || !pcie->expect_map()) return;
  need(*pcie, "topology");
  node.pcie_topology = pcie->word<PcieTopology>("topology", {{"dual-root", PcieTopology::dual_root},
                                                             {"single-root", PcieTopology::single_root},
                                                             {"cascaded", PcieTopology::cascaded},
                                                             {"direct", PcieTopology::direct}})
                           .value_or(PcieTopology::direct);
  if (const auto* link = look_up(*pcie, "slot", catalog, CatalogKind::links, &Catalog::link, broken, "link"))
    node.pcie = *link;
  if (const auto* link =
          look_up(*pcie, "cpu_link", catalog, CatalogKind::links, &Catalog::link, broken, "link"))
    node.cpu_link = *link;
  node.slots = static_cast<int>(pcie->integer("slots", between<std::int64_t>(1, 64)).value_or(0));
  node.lanes_per_cpu =
      static_cast<int>(pcie->integer("lanes_per_cpu", between<std::int64_t>(1, 1024)).value_or(0));
  node.adapters_on_cpu = pcie->word<bool>("adapters", {{"switch", false}, {"cpu", true}}).value_or(false);
  node.wiring_from = read_provenance(*pcie);
  pcie->finish();
}

/// A node that no scenario could use is a fault of its file, at the key that is to blame.
void report_wiring(Reader& file, const NodeType& node) {
  const std::optional<WiringError> fault = wiring_fault(node, 0);
  if (!fault) return;
  const auto blamed = file.find(fault->key);
  (blamed ? *blamed : file).error_at_key(fault->what());
}

void read_gpu_links(Reader& file, NodeType& node, const Catalog& catalog, const Broken& broken) {
  auto links = file.find("gpu_links");
  if (!links || !links->expect_map()) return;
  need(*links, "topology");
  node.gpu_links = links
                       ->word<GpuLinkTopology>("topology", {{"bridge-pairs", GpuLinkTopology::bridge_pairs},
                                                            {"nvswitch", GpuLinkTopology::nvswitch},
                                                            {"cube-mesh", GpuLinkTopology::cube_mesh}})
                       .value_or(GpuLinkTopology::none);
  if (const auto* link = look_up(*links, "link", catalog, CatalogKind::links, &Catalog::link, broken, "link"))
    node.gpu_link = *link;
  node.gpu_links_from = read_provenance(*links);
  links->finish();
}
}  // namespace

std::optional<NodeType> read_node(Reader& file, const std::string& name, const Catalog& catalog,
                                  const Broken& broken) {
  const Faultless faultless(file);
  NodeType node;
  node.name = name;
  node.title = title_of(file);
  const GpuType* gpu = look_up(file, "gpu", catalog, CatalogKind::gpus, &Catalog::gpu, broken, "GPU");
  if (gpu != nullptr) node.gpu = *gpu;
  need(file, "gpus");
  node.gpus = static_cast<int>(file.integer("gpus", between<std::int64_t>(1, 64)).value_or(1));
  read_pcie(file, node, catalog, broken);
  read_gpu_links(file, node, catalog, broken);
  node.cooling = file.word<Cooling>("cooling", {{"air", Cooling::air}, {"water", Cooling::water}})
                     .value_or(Cooling::air);
  figure_at(file, "host_staging", kRate, node.host_staging);
  if (auto r = file.require("base_power"); r && r->expect_map()) {
    figure_at(*r, "load", kPower, node.base_power_load);
    figure_at(*r, "idle", kPower, node.base_power_idle);
    r->finish();
  }
  Figure<int> units;
  figure_at(file, "rack_units", kCount, units);
  node.rack_units = units.value;
  node.rack_units_from = units.from;
  if (auto price = file.find("price")) {
    // A card whose file is broken has no price to complain about.
    if (gpu != nullptr) read_price_parts(*price, node);
  }
  file.finish();
  const bool whole = gpu != nullptr && !node.pcie.name.empty() && !node.cpu_link.name.empty() &&
                     (node.gpu_links == GpuLinkTopology::none || node.gpu_link);
  if (whole) report_wiring(file, node);
  return whole ? faultless.give(std::move(node)) : std::nullopt;
}
}  // namespace fleetsim
