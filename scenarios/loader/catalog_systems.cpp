// Nodes and models: records that name other records.
#include <fmt/format.h>

#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"

namespace fleetsim {

using namespace figure;
namespace {

/// The name at `key`, one of `kind`; null when absent, unknown (reported) or broken (reported elsewhere).
template <class T>
const T* look_up(Reader& parent, const std::string& key, const Catalog& catalog, CatalogKind kind,
                 const T* (Catalog::*get)(std::string_view) const, const Broken& broken, const char* what) {
  const auto r = parent.require(key);
  if (!r || broken.count(fmt::format("{}/{}", to_string(kind), r->raw())) != 0) return nullptr;
  const std::vector<std::string> names = catalog.names(kind);
  const auto i = r->choose(names, what);
  return i ? (catalog.*get)(names[*i]) : nullptr;
}

bool is_broken(const Broken& broken, CatalogKind kind, const std::string& name) {
  return broken.count(fmt::format("{}/{}", to_string(kind), name)) != 0;
}

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
  node.wiring_from = read_provenance(*pcie);
  pcie->finish();
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

template <class Get>
void read_by_gpu(Reader& file, const std::string& key, const Get& get, const Catalog& catalog,
                 const Broken& broken, std::map<std::string, Figure<double>>& out) {
  auto map = file.find(key);
  if (!map || !map->expect_map()) return;
  const std::vector<std::string> names = catalog.names(CatalogKind::gpus);
  for (Reader& entry : map->entries()) {
    const std::string name = entry.name();
    if (catalog.gpu(name) == nullptr && !is_broken(broken, CatalogKind::gpus, name)) {
      const std::string near = did_you_mean(name, names);
      entry.error_at_key(fmt::format("unknown GPU '{}'", name),
                         near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    read_figure(entry, get, out[name]);
  }
}

void read_reference(Reader& file, ModelType& model, const Catalog& catalog, const Broken& broken) {
  auto r = file.require("reference");
  if (!r || !r->expect_map()) return;
  if (const auto* gpu = look_up(*r, "gpu", catalog, CatalogKind::gpus, &Catalog::gpu, broken, "GPU")) {
    model.reference_gpu = gpu->name;
    model.reference_bandwidth = gpu->memory_bandwidth;
  }
  figure_at(*r, "batch", kPositive, model.batch_per_gpu);
  figure_at(*r, "throughput", kPositive, model.reference_throughput);
  need(*r, "unit");
  model.throughput_unit = r->text("unit").value_or("samples");
  model.units_per_sample.value = model.units_per_sample.low = model.units_per_sample.high = 1.0;
  optional_figure(*r, "units_per_sample", kPositive, model.units_per_sample);
  r->finish();

  const auto pass = [&](double units) {
    const double rate = model.reference_throughput.value;
    return rate > 0.0 ? from_seconds(model.batch_per_gpu.value * units / rate) : Duration{};
  };
  model.reference_step = {pass(model.units_per_sample.value), pass(model.units_per_sample.low),
                          pass(model.units_per_sample.high), model.reference_throughput.from};
  model.reference_step.from.estimate |= model.units_per_sample.from.estimate;
  model.reference_step.from.note =
      fmt::format("derived: {:g} samples x {:g} {} over {:g} {}/s", model.batch_per_gpu.value,
                  model.units_per_sample.value, model.throughput_unit, model.reference_throughput.value,
                  model.throughput_unit);
  if (model.reference_throughput.value > 0.0 && model.reference_step.value <= Duration{})
    r->error("a pass over the batch takes less than a microsecond");
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
  return whole ? faultless.give(std::move(node)) : std::nullopt;
}

std::optional<ModelType> read_model(Reader& file, const std::string& name, const Catalog& catalog,
                                    const Broken& broken) {
  const Faultless faultless(file);
  ModelType model;
  model.name = name;
  model.title = title_of(file);
  need(file, "domain");
  model.domain =
      file.word<std::string>("domain", {{"vision", "vision"}, {"language", "language"}}).value_or("");
  figure_at(file, "parameters", kPositive, model.parameters);
  figure_at(file, "gradient", kBytes, model.gradient);
  Figure<double> embedding;
  optional_figure(file, "input_embedding_share", kShare, embedding);
  model.input_embedding_share = embedding.value;
  model.input_embedding_from = embedding.from;
  if (auto r = file.require("training"); r && r->expect_map()) {
    model.variable_shape = r->boolean("variable_shape").value_or(false);
    model.overlap = r->boolean("overlap").value_or(true);
    model.accumulation_steps = kCount(*r, "accumulation_steps").value_or(1);
    model.training_from = read_provenance(*r);
    r->finish();
  }
  read_reference(file, model, catalog, broken);
  read_by_gpu(file, "relative_speed", kPositive, catalog, broken, model.relative_speed);
  read_by_gpu(file, "batch_on", kPositive, catalog, broken, model.batch_on);
  optional_figure(file, "input_limit", kPositive, model.input_limit);
  file.finish();
  return model.reference_gpu.empty() ? std::nullopt : faultless.give(std::move(model));
}

}  // namespace fleetsim
