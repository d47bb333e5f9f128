// Nodes: a GPU, its links and what the machine around them draws and costs.
#include <fmt/format.h>

#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"
#include "topology/node_wiring.hpp"

namespace fleetsim {

using namespace figure;
namespace {

bool is_word(const std::optional<Reader>& value, const char* word) {
  return value && value->is_scalar() && value->raw() == word;
}

/// `unit_price: card` is the GPU's own price, by default for all GPUs of the node; `unit_price: unpriced` a
/// part that is bought but whose price nobody publishes.
PricePart read_price_part(Reader& item, const NodeType& node) {
  PricePart part;
  auto price = item.require("unit_price");
  const bool card = is_word(price, "card");
  if (!card) need(item, "item");
  part.item = item.text("item").value_or(card ? node.gpu.title : "");
  part.quantity = kCount(item, "quantity").value_or(card ? node.gpus : 1);
  if (card) {
    part.unit_price = node.gpu.price;
    if (part.quantity > node.gpus)
      item.error(fmt::format("{} cards are bought for a node of {}", part.quantity, node.gpus),
                 "leave 'quantity' out: it is the number of GPUs");
  } else if (price && !is_word(price, "unpriced")) {
    read_figure(*price, kMoney, part.unit_price);
  }
  item.finish();
  return part;
}

/// A node is bought in parts, or rented by the hour.
void read_money(Reader& file, NodeType& node) {
  if (const auto list = file.find("price")) {
    if (!list->is_sequence()) {
      list->error("'price' must be a list of parts",
                  "write '- {item: ..., quantity: ..., unit_price: {value: ...}}'");
    } else {
      for (Reader& item : list->items()) node.price_parts.push_back(read_price_part(item, node));
    }
  }
  auto rate = file.find("cloud_rate");
  if (!rate) return;
  if (file.has("price"))
    rate->error_at_key("a node is either bought ('price') or rented ('cloud_rate')", "leave one of them out");
  if (!is_word(rate, "card")) {
    read_figure(*rate, kMoney, node.cloud_rate);
  } else if (node.gpu.cloud_rate.value > Money{}) {
    node.cloud_rate = node.gpu.cloud_rate;
  } else {
    rate->error(fmt::format("the GPU {} has no cloud rate", node.gpu.name));
  }
}

void read_adapters_included(Reader& file, NodeType& node, const Catalog& catalog, const Broken& broken) {
  auto r = file.find("adapters_included");
  if (!r || !r->expect_map()) return;
  need(*r, "value");
  node.adapters_included = kCount(*r, "value").value_or(0);
  const LinkType* link = look_up(*r, "link", catalog, CatalogKind::links, &Catalog::link, broken, "link");
  if (link != nullptr && link->kind != LinkKind::network)
    r->find("link")->error(fmt::format("'{}' does not join nodes", link->name));
  if (link != nullptr) {
    node.adapters_included_link = link->name;
    node.adapters_included_rate = link->wire_rate.value;
  }
  node.adapters_included_from = read_map_provenance(*r);
  r->finish();
}

void read_power(Reader& file, NodeType& node) {
  auto r = file.require("base_power");
  if (!r || !r->expect_map()) return;
  figure_at(*r, "load", kPower, node.base_power_load);
  figure_at(*r, "idle", kPower, node.base_power_idle);
  if (node.base_power_idle.value > node.base_power_load.value && node.base_power_load.value > Watts{})
    r->error_at_key("the node draws more power idle than at load");
  r->finish();
}

/// Slots are counted; the link of a slot stands at `slot`, one letter away.
int read_slots(Reader& pcie, const Catalog& catalog) {
  const auto written = pcie.find("slots");
  if (!written) return 0;
  if (written->is_map() || written->is_sequence() || catalog.link(written->raw()) != nullptr) {
    written->error("'slots' is the number of slots of the board",
                   "write 'slots: 9', a number alone; the link of a slot is 'slot: pcie4-x16'");
    return 0;
  }
  return static_cast<int>(written->integer(between<std::int64_t>(1, 64)).value_or(0));
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
  node.slots = read_slots(*pcie, catalog);
  node.lanes_per_cpu =
      static_cast<int>(pcie->integer("lanes_per_cpu", between<std::int64_t>(1, 1024)).value_or(0));
  node.adapters_on_cpu = pcie->word<bool>("adapters", {{"switch", false}, {"cpu", true}}).value_or(false);
  node.wiring_from = read_map_provenance(*pcie);
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
  node.gpu_links_from = read_map_provenance(*links);
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
  read_power(file, node);
  Figure<int> units;
  figure_at(file, "rack_units", kCount, units);
  node.rack_units = units.value;
  node.rack_units_from = units.from;
  read_money(file, node);
  read_adapters_included(file, node, catalog, broken);
  file.finish();
  const bool adapters_known = node.adapters_included == 0 || !node.adapters_included_link.empty();
  const bool whole = gpu != nullptr && adapters_known && !node.pcie.name.empty() &&
                     !node.cpu_link.name.empty() &&
                     (node.gpu_links == GpuLinkTopology::none || node.gpu_link);
  if (whole) report_wiring(file, node);
  return whole ? faultless.give(std::move(node)) : std::nullopt;
}
}  // namespace fleetsim
