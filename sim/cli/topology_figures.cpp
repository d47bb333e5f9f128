#include "sim/cli/topology_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/cli/command.hpp"
#include "sim/cli/table.hpp"
#include "topology/bisection.hpp"
#include "topology/gpu_speed.hpp"
#include "topology/run_time_ratio.hpp"

namespace fleetsim::cli {
namespace {

int gpus_of(const TopologyPool& pool) {
  return pool.count * pool.node.gpus;
}

ExchangeRow exchange_row(const Fabric& fabric, const Placement& placement, int gpus) {
  ExchangeRow row;
  row.gpus = gpus;
  row.nodes = static_cast<int>(placement.size());
  for (const std::int64_t size : kExchangeSizes) {
    const AllReduce exchange = all_reduce(fabric, placement, Bytes{size});
    row.bus_bandwidth.push_back(bus_bandwidth(exchange, Bytes{size}, gpus));
    if (row.bus_bandwidth.size() == 1) row.latency_s = exchange.latency_s;
    row.staged = exchange.staged;
    row.bottleneck = exchange.bottleneck;
    row.collective = fabric.spec().shape == FabricShape::torus ? "torus" : to_string(exchange.collective);
  }
  return row;
}

StepRow step_row(const ModelType& model, const Fabric& fabric, const Placement& placement, int gpus) {
  const StepTime step = step_time(model, Parallelism{gpus}, fabric, placement);
  StepRow row;
  row.gpus = gpus;
  row.nodes = static_cast<int>(placement.size());
  row.efficiency = step.efficiency;
  row.speedup = gpus * step.efficiency;
  const auto smaller = model.batch_on.find(fabric.node(placement.front().node).gpu.name);
  row.batch = (smaller == model.batch_on.end() ? model.batch_per_gpu : smaller->second).value;
  row.samples = step.samples;
  row.throughput = gpus * step.samples * model.units_per_sample.value / step.seconds;
  row.total_s = to_seconds(step.total);
  row.spread_s = to_seconds(step.spread);
  row.compute_s = to_seconds(step.compute) - row.spread_s;
  row.optimiser_s = to_seconds(step.optimiser);
  row.communication_s = to_seconds(step.exposed_communication);
  row.input_s = to_seconds(step.input_stall);
  row.estimated_speed = step.estimated_speed;
  row.obstacle = step.obstacle;
  return row;
}

/// "0.812 x rtx3090 (SOURCE)", with its range where it is an estimate.
std::string speed_basis(const ModelType& model, const GpuType& gpu) {
  const RelativeSpeed speed = relative_speed(model, gpu);
  if (speed.method == SpeedMethod::unknown)
    throw UsageError(fmt::format("the speed of {} on {} is unknown: {}", model.name, gpu.name, speed.source),
                     "give the GPU its memory bandwidth, or the model a relative_speed for it");
  const std::string range =
      speed.high > speed.low ? fmt::format(", {:.3g} to {:.3g}", speed.low, speed.high) : "";
  return fmt::format("{:.3g}{} x {} ({})", speed.value, range, model.reference_gpu, speed.source);
}

PoolFigures pool_figures(const TopologyPool& pool, const Fabric& fabric, const ModelType* model, int largest,
                         int first) {
  PoolFigures out;
  out.pool = &pool;
  if (model != nullptr) out.speed_basis = speed_basis(*model, pool.node.gpu);
  out.first = first;
  const NodeId node{static_cast<std::uint32_t>(first)};
  out.inside = node_facts(fabric, node);
  // The links of a torus belong to the fabric.
  if (pool.node.gpus > 1 && fabric.spec().shape != FabricShape::torus)
    out.bisection = node_bisection_bandwidth(fabric, node);
  for (const int gpus : job_sizes(std::min(largest, gpus_of(pool)))) {
    const Placement placement = packed_placement(gpus, pool.node.gpus, first);
    if (placement.size() > 1 && fabric.spec().shape == FabricShape::none) {
      out.not_beyond = "no fabric joins the nodes, so no job is larger than one node";
      break;
    }
    if (gpus > 1) out.exchanges.push_back(exchange_row(fabric, placement, gpus));
    if (model == nullptr) continue;
    out.steps.push_back(step_row(*model, fabric, placement, gpus));
  }
  return out;
}

}  // namespace

std::string accelerator_word(const TopologyTarget& target) {
  return target.pools.empty() ? "GPU" : accelerator_word(target.pools.front().node.gpu);
}

std::vector<int> job_sizes(int largest) {
  std::vector<int> sizes;
  for (int size = 1; size < largest; size *= 2) sizes.push_back(size);
  if (largest > 0) sizes.push_back(largest);
  return sizes;
}

Fabric fabric_of(const TopologyTarget& target) {
  std::vector<const NodeType*> nodes;
  for (const TopologyPool& pool : target.pools)
    nodes.insert(nodes.end(), static_cast<std::size_t>(pool.count), &pool.node);
  if (nodes.empty()) throw UsageError(fmt::format("{} has no nodes", target.name));
  return Fabric::build(target.fabric, nodes);
}

TopologyFigures topology_figures(const TopologyTarget& target, const Fabric& fabric, const ModelType* model,
                                 int gpus) {
  TopologyFigures out;
  out.target = &target;
  out.model = model;
  out.counts = fabric.counts();
  out.plan =
      plan_fabric(target.fabric, fabric.size(), target.pools.empty() ? 1 : target.pools.front().node.gpus);
  if (fabric.size() > 1) out.bisection = bisection_bandwidth(fabric);
  int most = 0;
  for (const TopologyPool& pool : target.pools) {
    out.gpus += gpus_of(pool);
    most = std::max(most, gpus_of(pool));
  }
  if (gpus > most) {
    const bool one_node = target.kind == "node";
    throw UsageError(
        fmt::format("{} has {}{}, so no job takes {}", target.name, counted(most, accelerator_word(target)),
                    target.pools.size() > 1 ? " in its largest pool" : "", gpus),
        one_node
            ? "several nodes need a fabric: write a scenario with 'fabric:', or take a whole system of the "
              "catalogue"
            : "give --gpus at most that many");
  }
  out.largest = gpus > 0 ? gpus : most;
  int first = 0;
  for (const TopologyPool& pool : target.pools) {
    if (pool.count > 0) out.pools.push_back(pool_figures(pool, fabric, model, out.largest, first));
    first += pool.count;
  }
  return out;
}

}  // namespace fleetsim::cli
