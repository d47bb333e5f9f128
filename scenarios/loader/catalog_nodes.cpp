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
  } else if (price && !is_word(price, "unpriced")) {
    read_figure(*price, kMoney, part.unit_price);
  }
  item.finish();
  return part;
}

/// Parts at the card's own price are all of the node's GPUs, or none is.
void check_cards(Reader& item, int cards, const NodeType& node) {
  if (cards == 0 || cards == node.gpus) return;
  const auto quantity = item.find("quantity");
  (quantity ? *quantity : item)
      .error(fmt::format("{} cards are bought for a node of {}", cards, node.gpus),
             "leave 'quantity' out: it is the number of GPUs");
}

/// A node is bought in parts, or rented by the hour.
void read_money(Reader& file, NodeType& node, bool gpus_known) {
  if (const auto list = file.find("price")) {
    int cards = 0;
    std::optional<Reader> last;
    if (!list->is_sequence()) {
      list->error("'price' must be a list of parts",
                  "write '- {item: ..., quantity: ..., unit_price: {value: ...}}'");
    } else {
      for (Reader& item : list->items()) {
        node.price_parts.push_back(read_price_part(item, node));
        if (!is_word(item.find("unit_price"), "card")) continue;
        cards += node.price_parts.back().quantity;
        last = item;
      }
    }
    if (last && gpus_known) check_cards(*last, cards, node);
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

/// Which version of the card the node takes, and the room for it.
void read_cards(Reader& file, CardMount& cards) {
  auto r = file.find("cards");
  if (!r || !r->expect_map()) return;
  need(*r, "cooling");
  cards.cooling = r->word<CardCooling>("cooling", {{"open-air", CardCooling::open_air},
                                                   {"blower", CardCooling::blower},
                                                   {"passive", CardCooling::passive},
                                                   {"water", CardCooling::water}})
                      .value_or(CardCooling::unknown);
  cards.slot_width = static_cast<int>(r->integer("slot_width", between<std::int64_t>(1, 8)).value_or(0));
  cards.slots = static_cast<int>(r->integer("slots", between<std::int64_t>(1, 256)).value_or(0));
  cards.from = read_map_provenance(*r);
  r->finish();
}

void read_supplies(Reader& file, PowerSupplies& supplies) {
  auto r = file.find("power_supplies");
  if (!r || !r->expect_map()) return;
  need(*r, "count");
  const auto count = r->integer("count", between<std::int64_t>(1, 64));
  const auto redundant = r->integer("redundant", between<std::int64_t>(0, 63));
  figure_at(*r, "rating", kPower, supplies.rating);
  if (count && redundant && *redundant >= *count)
    r->find("redundant")
        ->error("at least one supply must carry the load", "'redundant' is how many of 'count' may fail");
  supplies.count = static_cast<int>(count.value_or(0));
  supplies.redundant = static_cast<int>(redundant.value_or(0));
  r->finish();
}

/// The link at `key`, which must be of one kind; null when it is not (reported).
const LinkType* look_up_link(Reader& parent, const std::string& key, LinkKind kind, const Catalog& catalog,
                             const Broken& broken) {
  const LinkType* link = look_up(parent, key, catalog, CatalogKind::links, &Catalog::link, broken, "link");
  if (link == nullptr || link->kind == kind) return link;
  std::vector<std::string> fitting;
  for (const std::string& name : catalog.names(CatalogKind::links))
    if (catalog.link(name)->kind == kind) fitting.push_back(name);
  parent.find(key)->error(fmt::format("'{}' is of kind {}, and '{}' takes a link of kind {}", link->name,
                                      to_string(link->kind), key, to_string(kind)),
                          fmt::format("fitting: {}", fmt::join(fitting, ", ")));
  return nullptr;
}

/// A card in a slot of a later generation, or of more lanes, runs at its own: the slower of the two links.
void fit_card_to_slot(Reader& pcie, NodeType& node, const Catalog& catalog) {
  const std::string own = fmt::format("pcie{}-x{}", node.gpu.pcie_generation, node.gpu.pcie_lanes);
  const LinkType* card = catalog.link(own);
  if (node.gpu.name.empty() || card == nullptr || node.pcie.name.empty() ||
      card->usable_rate.value >= node.pcie.usable_rate.value)
    return;
  const auto slot = pcie.find("slot");
  pcie.context().diagnostics.warning(
      slot->position(), slot->path(),
      fmt::format("the {} has an interface of {}, so it runs at that in a slot of {}", node.gpu.name, own,
                  node.pcie.name),
      fmt::format("write slot: {}", own));
  node.pcie = *card;
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
  if (const auto* link = look_up_link(*pcie, "slot", LinkKind::pcie, catalog, broken)) node.pcie = *link;
  fit_card_to_slot(*pcie, node, catalog);
  if (const auto* link = look_up_link(*pcie, "cpu_link", LinkKind::cpu, catalog, broken))
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
  if (const auto* link = look_up_link(*links, "link", LinkKind::nvlink, catalog, broken))
    node.gpu_link = *link;
  if (node.gpu_link && !node.gpu.name.empty() && node.gpu.nvlink_bandwidth.value.count() <= 0)
    links->context().diagnostics.warning(
        links->key_position(), links->path(),
        fmt::format("the {} has no NVLink by its entry, and the node joins it by {}", node.gpu.name,
                    node.gpu_link->name),
        "'nvlink_bandwidth' of the GPU says that it has");
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
  const auto gpus = file.integer("gpus", between<std::int64_t>(1, 64));
  node.gpus = static_cast<int>(gpus.value_or(1));
  read_pcie(file, node, catalog, broken);
  read_gpu_links(file, node, catalog, broken);
  node.cooling = file.word<Cooling>("cooling", {{"air", Cooling::air}, {"water", Cooling::water}})
                     .value_or(Cooling::air);
  read_cards(file, node.cards);
  read_supplies(file, node.supplies);
  figure_at(file, "host_staging", kRate, node.host_staging);
  read_power(file, node);
  Figure<int> units;
  figure_at(file, "rack_units", kCount, units);
  node.rack_units = units.value;
  node.rack_units_from = units.from;
  read_money(file, node, gpus.has_value());
  read_adapters_included(file, node, catalog, broken);
  file.finish();
  const bool adapters_known = node.adapters_included == 0 || !node.adapters_included_link.empty();
  const bool whole = gpu != nullptr && adapters_known && !node.pcie.name.empty() &&
                     !node.cpu_link.name.empty() &&
                     (node.gpu_links == GpuLinkTopology::none || node.gpu_link);
  if (whole && faultless.so_far()) report_wiring(file, node);
  return whole ? faultless.give(std::move(node)) : std::nullopt;
}
}  // namespace fleetsim
