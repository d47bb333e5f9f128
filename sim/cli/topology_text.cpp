// The figures of `fleetsim topology` as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/cli/table.hpp"
#include "sim/cli/topology_figures.hpp"
#include "topology/scaling_constants.hpp"
#include "topology/torus.hpp"

namespace fleetsim::cli {
namespace {

/// 12.5, 240, 0.7: three digits at most.
std::string gb(double bytes_per_s) {
  const double value = bytes_per_s / 1e9;
  return fmt::format("{:.{}f}", value,
                     value >= 99.95 || value == std::floor(value) ? 0
                     : value >= 9.995                             ? 1
                                                                  : 2);
}

std::string ms(double seconds) {
  const double value = seconds * 1e3;
  return fmt::format("{:.{}f}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

std::string us(double seconds) {
  return fmt::format("{:.{}f} us", seconds * 1e6, seconds >= 9.95e-6 ? 0 : 1);
}

/// 1234567, 812, 3.52
std::string throughput_text(double per_second) {
  return fmt::format("{:.{}f}", per_second, per_second >= 99.95 ? 0 : per_second >= 9.995 ? 1 : 2);
}

std::string rates(const LinkType& link) {
  return fmt::format("{} GB/s on the wire, {} usable, each way", gb(link.wire_rate.value.count()),
                     gb(link.usable_rate.value.count()));
}

template <class T>
std::string mark(const Figure<T>& figure) {
  return figure.from.estimate ? " *" : "";
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string peers_text(const NodeType& node, bool torus) {
  if (torus) return "yes, over the links of the torus";
  if (node.gpu.peer_to_peer) return "yes, GPUs reach each other without the host";
  const std::string rest = node.gpu_links == GpuLinkTopology::none ? "no" : "only over NVLink";
  return fmt::format("{}: else copies through host memory, at most {} GB/s a GPU{}", rest,
                     gb(scaling::kStagingRate.value),
                     node.host_staging.value.count() > 0
                         ? fmt::format(" and {} GB/s for all together{}", gb(node.host_staging.value.count()),
                                       mark(node.host_staging))
                         : "");
}

std::string sockets_text(const NodeType& node, const NodeFacts& inside) {
  std::string text = fmt::format("{}, {}", to_string(node.pcie_topology), counted(inside.sockets, "CPU"));
  if (inside.switches > 0) text += ", " + counted(inside.switches, "PCIe switch", "PCIe switches");
  if (inside.sockets > 1)
    text += fmt::format("; between CPUs {}: {} GB/s each way", node.cpu_link.title,
                        gb(node.cpu_link.usable_rate.value.count()));
  return text;
}

std::string latencies(const NodeType& node, const FabricSpec& fabric) {
  std::string text;
  const auto add = [&](const std::string& what, const LinkType& link) {
    if (link.latency.value > Latency{})
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, us(link.latency.value.count())) +
              mark(link.latency);
  };
  if (node.gpu_link) add("NVLink", *node.gpu_link);
  add("PCIe", node.pcie);
  if (fabric.shape != FabricShape::none) add("network", fabric.link);
  return text + fmt::format("; launch of a collective {}", us(scaling::kLaunch.value));
}

/// "GPU 3" -> "chip 3" where the accelerators are called so.
std::string called(std::string devices, const std::string& word) {
  for (std::size_t at = 0; word != "GPU" && (at = devices.find("GPU", at)) != std::string::npos;)
    devices.replace(at, 3, word);
  return devices;
}

std::string hosts_text(const NodeFacts& inside, const std::string& word) {
  Rows rows;
  for (const HostFacts& host : inside.hosts) {
    std::string holds = called(listed(host.devices), word);
    if (holds.empty()) {
      std::vector<std::string> below;
      for (const HostFacts& other : inside.hosts)
        if (other.above == host.name) below.push_back(other.name);
      holds = below.empty() ? "nothing" : listed(below);
    }
    rows.push_back({"  " + host.name, (host.above.empty() ? "" : "on " + host.above), holds});
  }
  return aligned(rows, 3);
}

std::string paths_text(const std::string& title, const std::vector<DevicePath>& classes) {
  if (classes.empty()) return "";
  Rows rows;
  for (const DevicePath& c : classes) {
    const std::string rate = fmt::format("{} GB/s each way", gb(c.rate));
    const double staging = scaling::kStagingRate.value;
    rows.push_back(
        {"  " + c.name, counted(c.pairs, "pair"),
         c.direct ? fmt::format("{}, {}", rate, c.meaning)
                  : fmt::format("{}, {}; copied through host memory at {} GB/s a GPU{}", rate, c.meaning,
                                gb(std::min(c.rate, staging)), staging < c.rate ? " at most" : "")});
  }
  return "  " + title + "\n" + aligned(rows, 3);
}

std::string node_text(const PoolFigures& figures, const FabricSpec& fabric) {
  const NodeType& node = figures.pool->node;
  const std::string name = figures.pool->name.empty() ? "" : fmt::format("{}: ", figures.pool->name);
  const std::string word = accelerator_word(node.gpu);
  const bool torus = fabric.shape == FabricShape::torus;
  Rows rows = {{word + "s", fmt::format("{} x {}, its memory at {} GB/s", node.gpus, node.gpu.title,
                                        gb(node.gpu.memory_bandwidth.value.count()))},
               {"PCIe", fmt::format("{} a {}: {}", node.pcie.title, word, rates(node.pcie))},
               {"wiring", sockets_text(node, figures.inside)}};
  if (!torus)
    rows.push_back({"GPU links", node.gpu_link && node.gpu_links != GpuLinkTopology::none
                                     ? fmt::format("{}, {}: {}", to_string(node.gpu_links),
                                                   node.gpu_link->title, rates(*node.gpu_link))
                                     : std::string("none")});
  if (node.gpus > 1) rows.push_back({"peer to peer", peers_text(node, torus)});
  if (figures.inside.adapters > 0)
    rows.push_back({"adapters", fmt::format("{} x {}: {}", figures.inside.adapters, fabric.link.title,
                                            rates(fabric.link))});
  if (figures.bisection > 0.0)
    rows.push_back({"bisection", fmt::format("{} GB/s each way between the halves of its {}s",
                                             gb(figures.bisection), word)});
  rows.push_back({"latency", latencies(node, fabric)});
  return fmt::format("Inside a node: {}{}\n", name, node.title) + aligned(rows, 2) + "  what hangs where\n" +
         hosts_text(figures.inside, word) + paths_text(word + " to " + word, figures.inside.gpu_to_gpu) +
         paths_text(word + " to its adapter", figures.inside.gpu_to_adapter);
}

/// "32 leaves, 16 spines; 64 ports each"
std::string switches_text(const TopologyFigures& figures) {
  const FabricCounts& c = figures.counts;
  const bool levels = c.spine_switches > 0;
  std::string text = counted(c.leaf_switches, levels ? "leaf" : "switch", levels ? "leaves" : "switches");
  if (levels) text += ", " + counted(c.spine_switches, "spine");
  if (c.core_switches > 0) text += ", " + counted(c.core_switches, "core");
  return text + fmt::format("; {} ports each", figures.target->fabric.link.switch_ports);
}

std::string cables_text(const FabricCounts& c) {
  std::vector<std::string> parts;
  const auto add = [&](int cables, const char* where) {
    if (cables > 0) parts.push_back(fmt::format("{} {}", cables, where));
  };
  add(c.node_cables, "from nodes");
  add(c.switch_cables, "from leaves to spines");
  add(c.core_cables, "from spines to cores");
  add(c.torus_cables, "between nodes");
  return listed(parts);
}

std::string fabric_text(const TopologyFigures& figures) {
  const FabricSpec& spec = figures.target->fabric;
  const FabricCounts& c = figures.counts;
  const FabricPlan& plan = figures.plan;
  if (spec.shape == FabricShape::none)
    return c.nodes > 1 ? "Fabric: none, no job is larger than one node\n" : "";
  const bool torus = spec.shape == FabricShape::torus;
  Rows rows = {
      {"nodes", fmt::format("{}, {}", c.nodes, counted(figures.gpus, accelerator_word(*figures.target)))},
      {"link", fmt::format("{}: {}", spec.link.title, rates(spec.link))}};
  if (torus) {
    rows.push_back({"lattice", fmt::format("{} accelerators, closed to rings; {} in a node",
                                           sides_text(plan.sides), sides_text(plan.node_sides))});
  } else {
    rows.push_back(
        {"a node", fmt::format("{}, {} GB/s each way on the wire", counted(spec.adapters_per_node, "adapter"),
                               gb(spec.adapters_per_node * spec.link.wire_rate.value.count()))});
    rows.push_back({"switches", switches_text(figures)});
    if (spec.shape == FabricShape::superpod)
      rows.push_back({"units", fmt::format("{} of {} nodes; adapter r of every node of a unit on its leaf r",
                                           plan.units, plan.nodes_per_unit)});
    else if (c.spine_switches > 0)
      rows.push_back({"leaves", fmt::format("{} nodes share one", plan.nodes_per_unit)});
  }
  rows.push_back({"cables", cables_text(c)});
  if (figures.bisection > 0.0)
    rows.push_back({"bisection",
                    fmt::format("{} GB/s each way between the halves of the nodes", gb(figures.bisection))});
  if (!torus)
    rows.push_back({"oversubscription",
                    c.spine_switches > 0
                        ? fmt::format("{:g} : 1 of a leaf's ports down over up", spec.oversubscription)
                        : std::string("none, all nodes on one switch")});
  return fmt::format("Fabric: {}\n", to_string(spec.shape)) + aligned(rows, 2);
}

std::string exchange_text(const std::vector<ExchangeRow>& all, const std::string& word) {
  if (all.empty()) return "";
  Rows rows = {{"  " + word + "s", "nodes"}};
  for (const char* name : kExchangeNames) rows[0].emplace_back(name);
  rows[0].insert(rows[0].end(), {"latency", "by, and what limits it"});
  for (const ExchangeRow& row : all) {
    std::vector<std::string> cells = {fmt::format("{}", row.gpus), fmt::format("{}", row.nodes)};
    for (const double rate : row.bus_bandwidth) cells.push_back(gb(rate));
    cells.push_back(us(row.latency_s));
    cells.push_back(row.collective + ": " + row.bottleneck + (row.staged ? "; staged" : ""));
    rows.push_back(std::move(cells));
  }
  return "All-reduce, bus bandwidth in GB/s: 2(N-1)/N x size / time\n" + aligned(rows, 0, true);
}

/// Memory that holds a smaller batch than the reference GPU's makes several steps of one.
std::string batch_text(const StepRow& row, const std::string& word) {
  const std::string batch = fmt::format("batch of {:g} a {}", row.batch, word);
  const double passes = row.samples / row.batch;
  if (std::abs(passes - std::round(passes)) < 1e-6)
    return passes < 1.5 ? batch : fmt::format("{} x {:.0f} passes", batch, passes);
  return fmt::format("{}, times for {:g} samples", batch, row.samples);
}

std::string steps_text(const PoolFigures& figures, const ModelType& model) {
  if (figures.steps.empty()) return "";
  const std::string word = accelerator_word(figures.pool->node.gpu);
  Rows rows = {{"  " + word + "s", "nodes", "efficiency", "speed-up", "samples a " + word,
                model.throughput_unit + "/s", "step", "compute", "spread", "optimiser", "communication"}};
  const bool input = std::any_of(figures.steps.begin(), figures.steps.end(),
                                 [](const StepRow& row) { return row.input_s > 0.0; });
  if (input) rows[0].emplace_back("input");
  const bool full = std::any_of(figures.steps.begin(), figures.steps.end(),
                                [](const StepRow& row) { return !row.obstacle.empty(); });
  if (full) rows[0].emplace_back("memory");
  for (const StepRow& row : figures.steps) {
    rows.push_back({fmt::format("{}", row.gpus), fmt::format("{}", row.nodes),
                    fmt::format("{:.1f} %", 100.0 * row.efficiency), fmt::format("{:.2f}", row.speedup),
                    fmt::format("{:g}", row.samples), throughput_text(row.throughput), ms(row.total_s),
                    ms(row.compute_s), ms(row.spread_s), ms(row.optimiser_s), ms(row.communication_s)});
    if (input) rows.back().push_back(ms(row.input_s));
    if (full) rows.back().push_back(row.obstacle.empty() ? "fits" : "does not fit: " + row.obstacle);
  }
  return fmt::format("{}: one optimiser step in ms, {:.1f} MB of gradients; {}; speed {}{}\n", model.title,
                     static_cast<double>(model.gradient.value.count()) / 1e6,
                     batch_text(figures.steps.front(), word), figures.speed_basis,
                     figures.steps.front().estimated_speed ? " *" : "") +
         aligned(rows, 0, full);
}

}  // namespace

std::string topology_text(const TopologyFigures& figures) {
  const TopologyTarget& target = *figures.target;
  const std::string what = target.title == target.name ? "" : " (" + target.title + ")";
  std::string text = fmt::format("{}{}: {}, {}\n", target.name, what, counted(figures.counts.nodes, "node"),
                                 counted(figures.gpus, accelerator_word(*figures.target)));
  if (!target.from.source.empty())
    text += fmt::format("source: {}, as of {}{}\n", target.from.source, target.from.as_of,
                        target.from.estimate ? " (estimate)" : "");
  if (const std::string fabric = fabric_text(figures); !fabric.empty()) text += "\n" + fabric;
  for (const PoolFigures& pool : figures.pools) {
    text += "\n" + node_text(pool, target.fabric);
    if (!pool.exchanges.empty())
      text += "\n" + exchange_text(pool.exchanges, accelerator_word(pool.pool->node.gpu));
    if (figures.model != nullptr) text += "\n" + steps_text(pool, *figures.model);
    if (!pool.not_beyond.empty()) text += "  " + pool.not_beyond + "\n";
  }
  text += "\n* estimate: 'fleetsim catalog show NAME' tells range and basis\n";
  if (figures.model == nullptr) {
    text += fmt::format("With --model NAME: efficiency and step time{}\n",
                        target.models.empty() ? "" : "; this workload trains " + listed(target.models));
  }
  return text;
}

}  // namespace fleetsim::cli
