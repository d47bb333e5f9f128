// The figures of `fleetsim topology` as JSON: bytes/s, seconds, counts.
#include "sim/cli/topology_figures.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

template <class T>
OrderedJson provenance(const Figure<T>& figure, OrderedJson value, OrderedJson low, OrderedJson high) {
  OrderedJson out = {{"value", std::move(value)},
              {"source", figure.from.source},
              {"as_of", figure.from.as_of},
              {"estimate", figure.from.estimate}};
  if (figure.from.estimate) {
    out["low"] = std::move(low);
    out["high"] = std::move(high);
  }
  return out;
}

OrderedJson rate_json(const Figure<BytesPerSecond>& rate) {
  return provenance(rate, rate.value.count(), rate.low.count(), rate.high.count());
}

OrderedJson link_json(const LinkType& link) {
  return {{"name", link.name},
          {"title", link.title},
          {"kind", to_string(link.kind)},
          {"wire_bytes_per_s", rate_json(link.wire_rate)},
          {"usable_bytes_per_s", rate_json(link.usable_rate)},
          {"latency_s", link.latency.value.count()}};
}

OrderedJson paths_json(const std::vector<DevicePath>& classes) {
  OrderedJson out = OrderedJson::array();
  for (const DevicePath& c : classes)
    out.push_back({{"class", c.name},
                   {"meaning", c.meaning},
                   {"pairs", c.pairs},
                   {"usable_bytes_per_s", c.rate},
                   {"direct", c.direct}});
  return out;
}

OrderedJson node_json(const NodeType& node, const NodeFacts& inside) {
  OrderedJson hosts = OrderedJson::array();
  for (const HostFacts& host : inside.hosts)
    hosts.push_back({{"name", host.name},
                     {"on", host.above.empty() ? OrderedJson(nullptr) : OrderedJson(host.above)},
                     {"devices", host.devices}});
  return {{"name", node.name},
          {"title", node.title},
          {"gpus", node.gpus},
          {"gpu", node.gpu.name},
          {"gpu_title", node.gpu.title},
          {"gpu_memory_bytes", node.gpu.memory.value.count()},
          {"pcie_topology", to_string(node.pcie_topology)},
          {"pcie", link_json(node.pcie)},
          {"cpu_link", inside.sockets > 1 ? link_json(node.cpu_link) : OrderedJson(nullptr)},
          {"gpu_links", to_string(node.gpu_links)},
          {"gpu_link", node.gpu_link ? link_json(*node.gpu_link) : OrderedJson(nullptr)},
          {"peer_to_peer", node.gpu.peer_to_peer},
          {"host_staging_bytes_per_s", rate_json(node.host_staging)},
          {"staging_bytes_per_s_of_one_gpu", scaling::kStagingRate.value},
          {"sockets", inside.sockets},
          {"pcie_switches", inside.switches},
          {"adapters", inside.adapters},
          {"hosts", std::move(hosts)},
          {"gpu_to_gpu", paths_json(inside.gpu_to_gpu)},
          {"gpu_to_adapter", paths_json(inside.gpu_to_adapter)}};
}

OrderedJson exchange_json(const ExchangeRow& row) {
  OrderedJson bus = OrderedJson::array();
  for (std::size_t i = 0; i < row.bus_bandwidth.size(); ++i)
    bus.push_back({{"bytes", kExchangeSizes[i]}, {"bus_bandwidth_bytes_per_s", row.bus_bandwidth[i]}});
  return {{"gpus", row.gpus},
          {"nodes", row.nodes},
          {"sizes", std::move(bus)},
          {"latency_s", row.latency_s},
          {"staged", row.staged},
          {"collective", row.collective},
          {"bottleneck", row.bottleneck}};
}

OrderedJson step_json(const StepRow& row) {
  OrderedJson out = {{"gpus", row.gpus},
              {"nodes", row.nodes},
              {"efficiency", row.efficiency},
              {"speedup", row.speedup},
              {"batch_per_gpu", row.batch},
              {"samples_per_gpu", row.samples},
              {"throughput_per_s", row.throughput},
              {"step_s", row.total_s},
              {"compute_s", row.compute_s},
              {"spread_s", row.spread_s},
              {"optimiser_s", row.optimiser_s},
              {"exposed_communication_s", row.communication_s},
              {"input_stall_s", row.input_s},
              {"estimated_speed", row.estimated_speed},
              {"fits", row.obstacle.empty()}};
  if (!row.obstacle.empty()) out["obstacle"] = row.obstacle;
  return out;
}

OrderedJson fabric_json(const TopologyFigures& figures) {
  const FabricSpec& spec = figures.target->fabric;
  const FabricCounts& c = figures.counts;
  OrderedJson out = {{"shape", to_string(spec.shape)}};
  if (spec.shape == FabricShape::none) return out;
  out["link"] = link_json(spec.link);
  out["adapters_per_node"] = spec.adapters_per_node;
  out["oversubscription"] = spec.oversubscription;
  out["switch_ports"] = spec.link.switch_ports;
  out["adapters"] = c.adapters;
  out["levels"] = figures.plan.levels;
  out["leaf_switches"] = c.leaf_switches;
  out["spine_switches"] = c.spine_switches;
  out["core_switches"] = c.core_switches;
  out["node_cables"] = c.node_cables;
  out["switch_cables"] = c.switch_cables;
  out["core_cables"] = c.core_cables;
  out["torus_cables"] = c.torus_cables;
  out["units"] = figures.plan.units;
  out["nodes_per_unit"] = figures.plan.nodes_per_unit;
  out["dimensions"] = figures.plan.sides;
  return out;
}

}  // namespace

OrderedJson topology_json(const TopologyFigures& figures) {
  OrderedJson pools = OrderedJson::array();
  for (const PoolFigures& pool : figures.pools) {
    OrderedJson exchanges = OrderedJson::array(), steps = OrderedJson::array();
    for (const ExchangeRow& row : pool.exchanges) exchanges.push_back(exchange_json(row));
    for (const StepRow& row : pool.steps) steps.push_back(step_json(row));
    pools.push_back(
        {{"pool", pool.pool->name.empty() ? OrderedJson(nullptr) : OrderedJson(pool.pool->name)},
         {"count", pool.pool->count},
         {"node", node_json(pool.pool->node, pool.inside)},
         {"node_bisection_bytes_per_s", pool.bisection > 0.0 ? OrderedJson(pool.bisection) : OrderedJson(nullptr)},
         {"all_reduce", std::move(exchanges)},
         {"steps", std::move(steps)},
         {"speed_basis", pool.speed_basis.empty() ? OrderedJson(nullptr) : OrderedJson(pool.speed_basis)},
         {"not_beyond", pool.not_beyond.empty() ? OrderedJson(nullptr) : OrderedJson(pool.not_beyond)}});
  }
  return {
      {"name", figures.target->name},
      {"title", figures.target->title},
      {"kind", figures.target->kind},
      {"source", figures.target->from.source.empty() ? OrderedJson(nullptr) : OrderedJson(figures.target->from.source)},
      {"nodes", figures.counts.nodes},
      {"gpus", figures.gpus},
      {"largest_job", figures.largest},
      {"model", figures.model != nullptr ? OrderedJson(figures.model->name) : OrderedJson(nullptr)},
      {"throughput_unit", figures.model != nullptr ? OrderedJson(figures.model->throughput_unit) : OrderedJson(nullptr)},
      {"fabric", fabric_json(figures)},
      {"bisection_bytes_per_s", figures.bisection > 0.0 ? OrderedJson(figures.bisection) : OrderedJson(nullptr)},
      {"pools", std::move(pools)}};
}

}  // namespace fleetsim::cli
