#include "sim/cli/catalog_entry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fleetsim::cli {

std::string digits(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  return fmt::format("{:.10g}", value.get<double>());
}

std::string usd_text(double usd_value) {
  std::string text = fmt::format("{:.2f}", usd_value);
  if (text.ends_with(".00")) text.resize(text.size() - 3);
  const auto point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > 3 && text[at - 4] != '-'; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

bool price_estimated(const NodeType& node) {
  return std::any_of(node.price_parts.begin(), node.price_parts.end(),
                     [](const PricePart& p) { return p.unit_price.from.estimate; });
}

namespace {

template <class T, class Convert>
void add(std::vector<ShownFigure>& out, const std::string& what, const Figure<T>& f, const std::string& unit,
         const Convert& convert) {
  if (f.from.source.empty()) return;
  out.push_back({what, convert(f.value), convert(f.low), convert(f.high), unit, f.from});
}

void add_words(std::vector<ShownFigure>& out, const std::string& what, const OrderedJson& value,
               const Provenance& from) {
  out.push_back({what, value, nullptr, nullptr, "", from});
}

std::vector<ShownFigure> figures(const GpuType& g) {
  std::vector<ShownFigure> out;
  add(out, "streaming multiprocessors", g.streaming_multiprocessors, "", kPlain);
  add(out, "memory", g.memory, "GB", kGb);
  add(out, "memory bandwidth", g.memory_bandwidth, "GB/s", kGbs);
  add(out, "tensor rate, FP16 with FP32 sums", g.tensor_flops, "TFLOP/s",
      [](double v) { return OrderedJson(v / 1e12); });
  if (!g.tensor_cores_from.source.empty())
    add_words(out, "tensor cores", g.tensor_cores, g.tensor_cores_from);
  add(out, "shared memory a multiprocessor", g.shared_memory_per_sm, "kB",
      [](Bytes b) { return OrderedJson(static_cast<double>(b.count()) / 1e3); });
  add(out, "board power", g.board_power, "W", kWatts);
  add(out, "idle power over board power", g.idle_power_share, "", kPlain);
  if (g.priced) add(out, "price", g.price, "USD", kUsd);
  for (const Figure<Money>& street : g.street_prices) add(out, "street price", street, "USD", kUsd);
  add(out, "cloud rate", g.cloud_rate, "USD per GPU-hour", kUsd);
  add(out, "slots wide", g.slot_width, "", kPlain);
  add(out, "NVLink, all links, both ways", g.nvlink_bandwidth, "GB/s", kGbs);
  add_words(out, "interface", fmt::format("PCIe {}.0 x{}", g.pcie_generation, g.pcie_lanes),
            g.interface_from);
  add_words(out, "peer-to-peer over PCIe", g.peer_to_peer, g.peer_to_peer_from);
  add_words(out, "GeForce licence bars data centres", g.geforce_licence, g.geforce_licence_from);
  return out;
}

std::vector<ShownFigure> figures(const LinkType& l) {
  std::vector<ShownFigure> out;
  add(out, "wire rate each way", l.wire_rate, "GB/s", kGbs);
  add(out, "usable rate each way", l.usable_rate, "GB/s", kGbs);
  add(out, "latency", l.latency, "us", [](Latency t) { return OrderedJson(1e6 * t.count()); });
  if (l.kind == LinkKind::network) {
    if (l.switch_ports > 0) add_words(out, "ports of a switch", l.switch_ports, l.switch_ports_from);
    if (l.switch_priced) add(out, "price of a switch", l.switch_price, "USD", kUsd);
    if (l.adapter_priced) add(out, "price of an adapter with cable", l.adapter_price, "USD", kUsd);
  }
  return out;
}

std::vector<ShownFigure> figures(const NodeType& n) {
  std::vector<ShownFigure> out;
  add_words(out, "PCIe wiring",
            fmt::format("{}, slots {}, sockets joined by {}", to_string(n.pcie_topology), n.pcie.name,
                        n.cpu_link.name),
            n.wiring_from);
  if (n.gpu_link)
    add_words(out, "GPU links", fmt::format("{} over {}", to_string(n.gpu_links), n.gpu_link->name),
              n.gpu_links_from);
  add(out, "staging through host memory", n.host_staging, "GB/s", kGbs);
  add(out, "power without GPUs, load", n.base_power_load, "W", kWatts);
  add(out, "power without GPUs, idle", n.base_power_idle, "W", kWatts);
  add_words(out, "rack units", n.rack_units, n.rack_units_from);
  if (n.cards.cooling != CardCooling::unknown) {
    const int width = n.cards.slot_width > 0 ? n.cards.slot_width : n.gpu.slot_width.value;
    add_words(out, "cards",
              fmt::format("{}, {} slots each{}", to_string(n.cards.cooling), width,
                          n.cards.slots > 0 ? fmt::format(", room for {} slots", n.cards.slots) : ""),
              n.cards.from);
  }
  if (n.supplies.count > 0)
    add(out, fmt::format("power supplies, each of {} ({} redundant)", n.supplies.count, n.supplies.redundant),
        n.supplies.rating, "W", kWatts);
  for (const PricePart& part : n.price_parts) {
    const std::string what = fmt::format("price: {} x {}", part.quantity, part.item);
    if (part.unit_price.value > Money{}) {
      add(out, what, part.unit_price, "USD each", kUsd);
    } else {
      out.push_back({what, "no public price", nullptr, nullptr, "", {}});
    }
  }
  if (n.rented()) add(out, "cloud rate", n.cloud_rate, "USD per GPU-hour", kUsd);
  if (n.adapters_included > 0)
    add_words(out, "network adapters in the price",
              fmt::format("{} for {}", n.adapters_included, n.adapters_included_link),
              n.adapters_included_from);
  return out;
}

std::vector<ShownFigure> figures(const ModelType& m) {
  std::vector<ShownFigure> out;
  add(out, "parameters", m.parameters, "", kPlain);
  add(out, "gradient exchanged a step", m.gradient, "MB", kMb);
  if (!m.input_embedding_from.source.empty())
    add_words(out, "share of the gradient ready last", m.input_embedding_share, m.input_embedding_from);
  add_words(out, "training",
            fmt::format("{} accumulation step{}, all-reduce {}, inputs of {}", m.accumulation_steps,
                        m.accumulation_steps == 1 ? "" : "s",
                        m.overlap ? "overlaps the backward pass" : "afterwards",
                        m.variable_shape ? "varying length" : "one shape"),
            m.training_from);
  add(out, fmt::format("batch on {}", m.reference_gpu), m.batch_per_gpu, "", kPlain);
  add(out, fmt::format("throughput on {}", m.reference_gpu), m.reference_throughput, m.throughput_unit + "/s",
      kPlain);
  add(out, m.throughput_unit + " a sample", m.units_per_sample, "", kPlain);
  add(out, fmt::format("one pass on {}", m.reference_gpu), m.reference_step, "s",
      [](Duration d) { return OrderedJson(to_seconds(d)); });
  for (const auto& [gpu, speed] : m.relative_speed)
    add(out, fmt::format("speed of {} over {}", gpu, m.reference_gpu), speed, "", kPlain);
  for (const auto& [gpu, batch] : m.batch_on) add(out, fmt::format("batch on {}", gpu), batch, "", kPlain);
  add(out, "samples a second that one node prepares", m.input_limit, "/s", kPlain);
  return out;
}

std::vector<ShownFigure> figures_of_price(const Catalog& c, const std::string& name) {
  std::vector<ShownFigure> out;
  const Prices& p = c.prices();
  if (name == "cloud")
    for (const CloudRate& one : c.cloud_rates())
      add(out, fmt::format("{}, {}", one.gpu, to_string(one.terms)), one.rate, "USD", kUsd);
  if (name == "management-switch") add(out, "price", p.management_switch, "USD", kUsd);
  if (name == "rack") add(out, "price", p.rack, "USD", kUsd);
  if (name == "embodied") {
    add(out, "making a GPU card", p.embodied.card, "kg CO2e", kPlain);
    add(out, "making a server without its cards", p.embodied.server, "kg CO2e", kPlain);
    add(out, "making a workstation without its cards", p.embodied.workstation, "kg CO2e", kPlain);
  }
  if (name == "support") add(out, "share of the purchase a year", p.support_per_year, "", kPlain);
  return out;
}

std::vector<ShownFigure> figures(const SystemType& s) {
  std::vector<ShownFigure> out;
  add_words(out, "nodes", s.nodes, s.from);
  const FabricSpec& f = s.fabric;
  const std::string over = f.oversubscription > 1.0 ? fmt::format(", {}:1", f.oversubscription) : "";
  add_words(out, "fabric",
            f.shape == FabricShape::none
                ? std::string("none")
                : fmt::format("{}{}, {} adapter{} a node on {}", to_string(f.shape), over,
                              f.adapters_per_node, f.adapters_per_node == 1 ? "" : "s", f.link.name),
            s.from);
  return out;
}

/// "price: 199,000 USD ..." of a GPU or node, in one line.
std::string price_line(const CatalogEntry& e) {
  if (e.rate_usd && !e.price_usd)
    return fmt::format("  price: rented at {} USD per GPU-hour\n", usd_text(*e.rate_usd));
  if (!e.price_usd) return "  price: none public (listed as unpriced)\n";
  const bool node = e.kind == CatalogKind::nodes;
  return fmt::format("  price: {} USD{}{}\n", usd_text(*e.price_usd),
                     node && !e.adapters_included ? " without network adapters" : "",
                     e.price_estimated ? " (estimate)" : "");
}

std::string with_unit(const OrderedJson& value, const std::string& unit) {
  if (unit.starts_with("USD")) return usd_text(value.get<double>()) + " " + unit;
  return unit.empty() ? digits(value) : digits(value) + " " + unit;
}

}  // namespace

CatalogEntry catalog_entry(const Catalog& c, CatalogKind kind, const std::string& name) {
  CatalogEntry e{kind, name, name, OrderedJson::object(), {}, {}, {}, false, false};
  if (const std::string base = c.based_on(kind, name); !base.empty()) e.facts["based on"] = base;
  switch (kind) {
    case CatalogKind::gpus: {
      const GpuType& g = *c.gpu(name);
      e.title = g.title;
      e.facts["architecture"] = g.architecture;
      e.figures = figures(g);
      if (g.priced) e.price_usd = to_usd(g.price.value);
      e.price_estimated = g.price.from.estimate;
      break;
    }
    case CatalogKind::nodes: {
      const NodeType& n = *c.node(name);
      e.title = n.title;
      e.facts["gpu"] = n.gpu.name;
      e.facts["gpus"] = n.gpus;
      e.facts["cooling"] = to_string(n.cooling);
      e.figures = figures(n);
      if (n.priced()) e.price_usd = to_usd(n.price());
      if (n.rented()) e.rate_usd = to_usd(n.cloud_rate.value);
      e.adapters_included = n.adapters_included > 0;
      e.price_estimated = price_estimated(n);
      break;
    }
    case CatalogKind::links:
      e.title = c.link(name)->title;
      e.facts["kind"] = to_string(c.link(name)->kind);
      e.figures = figures(*c.link(name));
      break;
    case CatalogKind::models:
      e.title = c.model(name)->title;
      e.facts["domain"] = c.model(name)->domain;
      e.facts["reference gpu"] = c.model(name)->reference_gpu;
      e.figures = figures(*c.model(name));
      break;
    case CatalogKind::systems: {
      const SystemType& s = *c.system(name);
      e.title = s.title;
      e.facts["node"] = s.node;
      e.facts["gpus"] = s.nodes * c.node(s.node)->gpus;
      e.figures = figures(s);
      break;
    }
    case CatalogKind::prices:
      e.figures = figures_of_price(c, name);
      break;
  }
  return e;
}

std::string entry_text(const CatalogEntry& e) {
  std::string out = fmt::format("{}: {} ({})\n", e.name, e.title, std::string(to_string(e.kind)));
  for (const auto& [key, value] : e.facts.items()) out += fmt::format("  {}: {}\n", key, digits(value));
  if (e.kind == CatalogKind::nodes || e.kind == CatalogKind::gpus) out += price_line(e);
  out += '\n';
  for (const ShownFigure& f : e.figures) {
    out += fmt::format("  {:<34} {}", f.what, with_unit(f.value, f.unit));
    if (f.from.source.empty()) {  // of what nobody publishes there is no source either
      out += '\n';
      continue;
    }
    if (f.from.estimate)
      out += f.low.is_null() ? " (estimate)"
                             : fmt::format(" (estimate, {} to {})", digits(f.low), digits(f.high));
    out += fmt::format("\n      {}, as of {}\n",
                       f.from.estimate ? "basis: " + f.from.note : "source: " + f.from.source, f.from.as_of);
    if (!f.from.estimate && !f.from.note.empty()) out += fmt::format("      note: {}\n", f.from.note);
  }
  return out;
}

OrderedJson entry_json(const CatalogEntry& e) {
  OrderedJson j{{"kind", to_string(e.kind)}, {"name", e.name}, {"title", e.title}};
  for (const auto& [key, value] : e.facts.items()) j[key] = value;
  if (e.kind == CatalogKind::nodes || e.kind == CatalogKind::gpus) {
    j["price_usd"] = e.price_usd ? OrderedJson(*e.price_usd) : OrderedJson(nullptr);
    j["price_estimate"] = e.price_estimated;
    if (e.rate_usd) j["rent_usd_per_gpu_hour"] = *e.rate_usd;
  }
  j["figures"] = OrderedJson::array();
  for (const ShownFigure& f : e.figures) {
    if (f.from.source.empty()) {
      j["unpriced"].push_back(f.what);
      continue;
    }
    OrderedJson figure{{"figure", f.what},        {"value", f.value},      {"unit", f.unit},
                {"source", f.from.source}, {"as_of", f.from.as_of}, {"estimate", f.from.estimate}};
    if (f.from.estimate && !f.low.is_null()) {
      figure["low"] = f.low;
      figure["high"] = f.high;
    }
    if (!f.from.note.empty()) figure[f.from.estimate ? "basis" : "note"] = f.from.note;
    j["figures"].push_back(std::move(figure));
  }
  return j;
}

}  // namespace fleetsim::cli
