#include "scenarios/loader/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "sim/base/hash.hpp"

namespace fleetsim {

namespace {

/// Values one after the other, each behind a name, in the order of the records.
class Text {
 public:
  std::string text;

  template <class T>
  Text& add(const char* name, const T& value) {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      text += fmt::format(" {}={}", name, static_cast<int>(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string>) {
      text += fmt::format(" {}={}", name, value);
    } else {
      text += fmt::format(" {}={}", name, value.count());
    }
    return *this;
  }
  template <class T>
  Text& add(const char* name, const Figure<T>& figure) {
    return add(name, figure.value).add("low", figure.low).add("high", figure.high);
  }
  void begin(const char* kind, const std::string& name) { text += fmt::format("\n{} {}:", kind, name); }
};

void add_gpu(Text& t, const GpuType& g) {
  t.begin("gpu", g.name);
  t.add("architecture", g.architecture);
  t.add("sm", g.streaming_multiprocessors).add("memory", g.memory).add("bandwidth", g.memory_bandwidth);
  t.add("flops", g.tensor_flops).add("power", g.board_power).add("idle", g.idle_power_share);
  t.add("price", g.price).add("priced", g.priced).add("pcie", g.pcie_generation).add("lanes", g.pcie_lanes);
  t.add("p2p", g.peer_to_peer).add("geforce", g.geforce_licence);
  if (!g.tensor_cores) t.add("tensor", g.tensor_cores);  // left out where it says nothing new, as below
}

void add_link(Text& t, const LinkType& l) {
  t.begin("link", l.name);
  t.add("kind", l.kind).add("wire", l.wire_rate).add("usable", l.usable_rate).add("latency", l.latency);
  t.add("ports", l.switch_ports).add("switch", l.switch_price).add("adapter", l.adapter_price);
}

void add_node(Text& t, const NodeType& n) {
  t.begin("node", n.name);
  t.add("gpus", n.gpus).add("wiring", n.pcie_topology).add("gpu_links", n.gpu_links);
  if (n.adapters_on_cpu) t.add("adapters", "cpu");
  t.add("cooling", n.cooling).add("staging", n.host_staging).add("load", n.base_power_load);
  t.add("idle", n.base_power_idle).add("units", n.rack_units);
  // What most entries lack is left out, so that their fingerprints stay those of older versions.
  if (n.cards.cooling != CardCooling::unknown)
    t.add("cards", n.cards.cooling).add("width", n.cards.slot_width).add("slots", n.cards.slots);
  if (n.adapters_included > 0) t.add("adapters", n.adapters_included).add("for", n.adapters_included_link);
  if (n.cloud_rate.value > Money{}) t.add("rate", n.cloud_rate);
  for (const PricePart& part : n.price_parts)
    t.add("part", part.item).add("quantity", part.quantity).add("price", part.unit_price);
  add_gpu(t, n.gpu);
  add_link(t, n.pcie);
  add_link(t, n.cpu_link);
  if (n.gpu_link) add_link(t, *n.gpu_link);
}

void add_model(Text& t, const ModelType& m) {
  t.begin("model", m.name);
  t.add("parameters", m.parameters).add("gradient", m.gradient).add("variable", m.variable_shape);
  t.add("embedding", m.input_embedding_share).add("accumulation", m.accumulation_steps);
  t.add("overlap", m.overlap).add("reference", m.reference_gpu).add("bandwidth", m.reference_bandwidth);
  t.add("batch", m.batch_per_gpu).add("throughput", m.reference_throughput);
  t.add("units", m.units_per_sample).add("step", m.reference_step).add("input", m.input_limit);
  for (const auto& [gpu, speed] : m.relative_speed) t.add("on", gpu).add("speed", speed);
  for (const auto& [gpu, sheet] : m.measured_cards) {
    t.add("card", gpu).add("architecture", sheet.architecture).add("sm", sheet.streaming_multiprocessors);
    t.add("bandwidth", sheet.memory_bandwidth).add("tensor", sheet.tensor_cores);
  }
  for (const auto& [gpu, batch] : m.batch_on) t.add("on", gpu).add("batch", batch);
}

void add_trace(Text& t, const Trace& trace, bool by_group) {
  ReplayHash hash;
  for (const TraceJob& job : trace.jobs) {
    hash.mix(static_cast<std::uint64_t>(job.source_id));
    hash.mix(static_cast<std::uint64_t>(job.submit.time_since_epoch().count()));
    hash.mix(static_cast<std::uint64_t>(job.run.count()));
    hash.mix(job.has_limit ? static_cast<std::uint64_t>(job.limit.count()) : ~std::uint64_t{0});
    hash.mix(static_cast<std::uint64_t>(job.processors));
    hash.mix(static_cast<std::uint64_t>(job.user));
    hash.mix(job.cancelled_before_start ? 1U : 0U);
  }
  t.begin("trace", fmt::format("{} jobs, {:016x}", trace.jobs.size(), hash.value()));
  if (!by_group) return;  // left out where it says nothing
  ReplayHash groups;
  for (const std::int32_t group : trace.groups) groups.mix(static_cast<std::uint64_t>(group));
  t.add("groups", fmt::format("{:016x}", groups.value()));
}

}  // namespace

std::string figures_text(const Scenario& s) {
  Text t;
  for (const NodePool& pool : s.pools) add_node(t, pool.node);
  if (s.fabric.shape != FabricShape::none) add_link(t, s.fabric.link);
  for (const JobClass& c : s.workload.classes) {
    if (c.model) add_model(t, *c.model);
    if (c.wall_time.reference) add_node(t, *c.wall_time.reference);
  }
  if (const auto& burst = s.scheduler.burst) {
    add_node(t, burst->node);
    t.begin("burst", burst->node.name);
    t.add("rate", burst->rate);
  }
  t.begin("prices", "");
  t.add("management", s.prices.management_switch).add("rack", s.prices.rack);
  t.add("support", s.prices.support_per_year);
  if (s.workload.trace != nullptr)
    add_trace(t, *s.workload.trace,
              std::any_of(s.workload.groups.begin(), s.workload.groups.end(),
                          [](const UserGroup& g) { return !g.ids.empty(); }));
  return t.text;
}

}  // namespace fleetsim
