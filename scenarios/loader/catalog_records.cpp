// GPUs, links and prices.
#include "scenarios/loader/catalog_records.hpp"

#include <fmt/format.h>

#include "scenarios/loader/figure_reader.hpp"

namespace fleetsim {

using namespace figure;
namespace {

void read_interface(Reader& file, GpuType& gpu) {
  auto r = file.require("interface");
  if (!r || !r->expect_map()) return;
  need(*r, "pcie_generation");
  need(*r, "pcie_lanes");
  gpu.pcie_generation =
      static_cast<int>(r->integer("pcie_generation", between<std::int64_t>(1, 7)).value_or(3));
  gpu.pcie_lanes = static_cast<int>(r->integer("pcie_lanes", between<std::int64_t>(1, 32)).value_or(16));
  gpu.interface_from = read_map_provenance(*r);
  r->finish();
}

bool read_yes_no(Reader& file, const std::string& key, Provenance& from) {
  Figure<bool> answer;
  figure_at(file, key, kBool, answer);
  from = answer.from;
  return answer.value;
}

void read_tensor_cores(Reader& file, GpuType& gpu) {
  const auto cores = file.find("tensor_cores");
  if (cores) gpu.tensor_cores = read_yes_no(file, "tensor_cores", gpu.tensor_cores_from);
  const bool has_rate = optional_figure(file, "tensor_rate", kFlops, gpu.tensor_flops);
  if (has_rate && !gpu.tensor_cores)
    file.find("tensor_rate")
        ->error_at_key("a card without tensor cores has no tensor rate",
                       "leave 'tensor_rate' out, or write 'tensor_cores: {value: true, ...}'");
}

void read_street_prices(Reader& file, GpuType& gpu) {
  const auto list = file.find("street_prices");
  if (!list) return;
  if (!list->is_sequence()) {
    list->error("'street_prices' must be a list", "write '- {value: 750 USD, source: ..., as_of: ...}'");
    return;
  }
  for (Reader& item : list->items()) read_figure(item, kMoney, gpu.street_prices.emplace_back());
}

}  // namespace

std::optional<GpuType> read_gpu(Reader& file, const std::string& name) {
  const Faultless faultless(file);
  GpuType gpu;
  gpu.name = name;
  gpu.title = title_of(file);
  need(file, "architecture");
  gpu.architecture = file.text("architecture").value_or("");
  optional_figure(file, "streaming_multiprocessors", kCount, gpu.streaming_multiprocessors);
  figure_at(file, "memory", kBytes, gpu.memory);
  figure_at(file, "memory_bandwidth", kRate, gpu.memory_bandwidth);
  optional_figure(file, "shared_memory_per_sm", kBytes, gpu.shared_memory_per_sm);
  read_tensor_cores(file, gpu);
  figure_at(file, "board_power", kPower, gpu.board_power);
  figure_at(file, "idle_power_share", kShare, gpu.idle_power_share);
  gpu.priced = optional_figure(file, "price", kMoney, gpu.price);
  read_street_prices(file, gpu);
  optional_figure(file, "cloud_rate", kMoney, gpu.cloud_rate);
  read_interface(file, gpu);
  optional_figure(file, "slot_width", kCount, gpu.slot_width);
  optional_figure(file, "nvlink_bandwidth", kRate, gpu.nvlink_bandwidth);
  gpu.peer_to_peer = read_yes_no(file, "peer_to_peer", gpu.peer_to_peer_from);
  gpu.geforce_licence = read_yes_no(file, "geforce_licence", gpu.geforce_licence_from);
  file.finish();
  return faultless.give(std::move(gpu));
}

/// Told, or as a name like pcie4-x8 tells; 0: unknown.
static int lanes_of(Reader& file, const std::string& name) {
  if (const auto lanes = file.integer("lanes", between<std::int64_t>(1, 32))) return static_cast<int>(*lanes);
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    if (name.ends_with(fmt::format("-x{}", lanes))) return lanes;
  return 0;
}

std::optional<LinkType> read_link(Reader& file, const std::string& name) {
  const Faultless faultless(file);
  LinkType link;
  link.name = name;
  link.title = title_of(file);
  need(file, "kind");
  link.kind = file.word<LinkKind>("kind", {{"pcie", LinkKind::pcie},
                                           {"nvlink", LinkKind::nvlink},
                                           {"cpu", LinkKind::cpu},
                                           {"network", LinkKind::network}})
                  .value_or(LinkKind::pcie);
  figure_at(file, "wire_rate", kRate, link.wire_rate);
  figure_at(file, "usable_rate", kRate, link.usable_rate);
  optional_figure(file, "latency", kLatency, link.latency);
  if (link.kind == LinkKind::pcie) link.lanes = lanes_of(file, name);
  if (link.kind == LinkKind::network) {
    // A torus has no switch; shapes with switches refuse a link without ports.
    if (auto r = file.find("switch"); r && r->expect_map()) {
      Figure<int> ports;
      figure_at(*r, "ports", kCount, ports);
      link.switch_ports = ports.value;
      link.switch_ports_from = ports.from;
      link.switch_priced = optional_figure(*r, "price", kMoney, link.switch_price);
      r->finish();
    } else {
      link.switch_priced = false;
    }
    if (auto r = file.find("adapter"); r && r->expect_map()) {
      link.adapter_priced = optional_figure(*r, "price", kMoney, link.adapter_price);
      r->finish();
    } else {
      link.adapter_priced = false;
    }
  }
  if (link.usable_rate.value > link.wire_rate.value && link.wire_rate.value.count() > 0)
    file.error("the usable rate is above the wire rate");
  file.finish();
  return faultless.give(std::move(link));
}

bool read_price(Reader& file, const std::string& name, Prices& prices) {
  const Faultless faultless(file);
  static_cast<void>(title_of(file));
  Prices next = prices;
  if (name == "management-switch") {
    figure_at(file, "price", kMoney, next.management_switch);
  } else if (name == "rack") {
    figure_at(file, "price", kMoney, next.rack);
  } else if (name == "support") {
    figure_at(file, "share", kShare, next.support_per_year);
  } else if (name == "embodied") {
    figure_at(file, "card", kKilograms, next.embodied.card);
    figure_at(file, "server", kKilograms, next.embodied.server);
    figure_at(file, "workstation", kKilograms, next.embodied.workstation);
  } else {
    file.error(fmt::format("'{}' is not a price that is used", name),
               "known are cloud, embodied, management-switch, rack and support");
    return false;
  }
  file.finish();
  if (!faultless.give(0)) return false;
  prices = next;
  return true;
}

}  // namespace fleetsim
