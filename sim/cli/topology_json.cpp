// The figures of `fleetsim topology` as JSON: bytes/s, seconds, counts.
#include "sim/cli/topology_figures.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json provenance(const Figure<T>& figure, Json value, Json low, Json high) {
  Json out = {{"value", std::move(value)},
              {"source", figure.from.source},
              {"as_of", figure.from.as_of},
              {"estimate", figure.from.estimate}};
  if (figure.from.estimate) {
    out["low"] = std::move(low);
    out["high"] = std::move(high);
  }
  return out;
}

Json rate_json(const Figure<BytesPerSecond>& rate) {
  return provenance(rate, rate.value.count(), rate.low.count(), rate.high.count());
}

Json link_json(const LinkType& link) {
  return {{"name", link.name},
          {"title", link.title},
          {"kind", to_string(link.kind)},
          {"wire_bytes_per_s", rate_json(link.wire_rate)},
          {"usable_bytes_per_s", rate_json(link.usable_rate)},
          {"latency_s", link.latency.value.count()}};
}

Json paths_json(const std::vector<DevicePath>& classes) {
  Json out = Json::array();
  for (const DevicePath& c : classes)
    out.push_back({{"class", c.name},
                   {"meaning", c.meaning},
                   {"pairs", c.pairs},
                   {"usable_bytes_per_s", c.rate},
                   {"direct", c.direct}});
  return out;
}

Json node_json(const NodeType& node, const NodeFacts& inside) {
  Json hosts = Json::array();
  for (const HostFacts& host : inside.hosts)
    hosts.push_back({{"name", host.name},
                     {"on", host.above.empty() ? Json(nullptr) : Json(host.above)},
                     {"devices", host.devices}});
  return {{"name", node.name},
          {"title", node.title},
          {"gpus", node.gpus},
          {"gpu", node.gpu.name},
          {"gpu_title", node.gpu.title},
          {"gpu_memory_bytes", node.gpu.memory.value.count()},
          {"pcie_topology", to_string(node.pcie_topology)},
          {"pcie", link_json(node.pcie)},
          {"cpu_link", inside.sockets > 1 ? link_json(node.cpu_link) : Json(nullptr)},
          {"gpu_links", to_string(node.gpu_links)},
          {"gpu_link", node.gpu_link ? link_json(*node.gpu_link) : Json(nullptr)},
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

Json exchange_json(const ExchangeRow& row) {
  Json bus = Json::array();
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

Json step_json(const StepRow& row) {
  Json out = {{"gpus", row.gpus},
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

Json fabric_json(const TopologyFigures& figures) {
  const FabricSpec& spec = figures.target->fabric;
  const FabricCounts& c = figures.counts;
  Json out = {{"shape", to_string(spec.shape)}};
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

Json topology_json(const TopologyFigures& figures) {
  Json pools = Json::array();
  for (const PoolFigures& pool : figures.pools) {
    Json exchanges = Json::array(), steps = Json::array();
    for (const ExchangeRow& row : pool.exchanges) exchanges.push_back(exchange_json(row));
    for (const StepRow& row : pool.steps) steps.push_back(step_json(row));
    pools.push_back(
        {{"pool", pool.pool->name.empty() ? Json(nullptr) : Json(pool.pool->name)},
         {"count", pool.pool->count},
         {"node", node_json(pool.pool->node, pool.inside)},
         {"node_bisection_bytes_per_s", pool.bisection > 0.0 ? Json(pool.bisection) : Json(nullptr)},
         {"all_reduce", std::move(exchanges)},
         {"steps", std::move(steps)},
         {"speed_basis", pool.speed_basis.empty() ? Json(nullptr) : Json(pool.speed_basis)},
         {"not_beyond", pool.not_beyond.empty() ? Json(nullptr) : Json(pool.not_beyond)}});
  }
  return {
      {"name", figures.target->name},
      {"title", figures.target->title},
      {"kind", figures.target->kind},
      {"source", figures.target->from.source.empty() ? Json(nullptr) : Json(figures.target->from.source)},
      {"nodes", figures.counts.nodes},
      {"gpus", figures.gpus},
      {"largest_job", figures.largest},
      {"model", figures.model != nullptr ? Json(figures.model->name) : Json(nullptr)},
      {"throughput_unit", figures.model != nullptr ? Json(figures.model->throughput_unit) : Json(nullptr)},
      {"fabric", fabric_json(figures)},
      {"bisection_bytes_per_s", figures.bisection > 0.0 ? Json(figures.bisection) : Json(nullptr)},
      {"pools", std::move(pools)}};
}

}  // namespace fleetsim::cli
