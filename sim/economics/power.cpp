// Electric power of a fleet, linear between idle and load.
#include <algorithm>
#include <stdexcept>

#include "sim/economics/economics.hpp"
#include "sim/economics/energy.hpp"

namespace fleetsim {

Watts idle_power(const NodeType& node) {
  return node.base_power_idle.value +
         node.gpu.board_power.value * (node.gpus * node.gpu.idle_power_share.value);
}

Watts load_power(const NodeType& node) {
  return node.base_power_load.value + node.gpu.board_power.value * static_cast<double>(node.gpus);
}

Watts gpu_power(const NodePool& pool) {
  const Watts board = pool.node.gpu.board_power.value;
  return pool.gpu_power_limit ? std::min(board, *pool.gpu_power_limit) : board;
}

Watts load_power(const NodePool& pool) {
  return pool.node.base_power_load.value + gpu_power(pool) * static_cast<double>(pool.node.gpus);
}

Watts idle_power(const NodePool& pool) {
  return pool.off_when_idle ? Watts{} : idle_power(pool.node);
}

Watts power_of_busy_gpu(const NodePool& pool) {
  if (pool.node.rented()) return {};
  return (load_power(pool) - idle_power(pool)) * (1.0 / pool.node.gpus);
}

Watts mean_power(const Scenario& scenario, const std::vector<double>& utilisation_by_pool) {
  if (utilisation_by_pool.size() != scenario.pools.size()) {
    throw std::invalid_argument("mean power needs one utilisation a pool");
  }
  Watts sum;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    const NodePool& pool = scenario.pools[i];
    if (pool.count == 0 || pool.node.rented()) continue;  // an empty pool has no utilisation (NaN)
    const Watts idle = idle_power(pool);
    sum += (idle + (load_power(pool) - idle) * utilisation_by_pool[i]) * static_cast<double>(pool.count);
  }
  return sum;
}

Watts peak_it_power(const Scenario& scenario) {
  Watts sum;
  for (const NodePool& pool : scenario.pools) {
    if (pool.node.rented()) continue;
    sum += load_power(pool) * static_cast<double>(pool.count);
  }
  return sum;
}

Watts peak_power_at_meter(const Scenario& scenario) {
  return peak_it_power(scenario) * scenario.site.pue;
}

}  // namespace fleetsim
