// Electric power of a fleet, linear between idle and load.
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

Watts mean_power(const Scenario& scenario, const std::vector<double>& utilisation_by_pool) {
  if (utilisation_by_pool.size() != scenario.pools.size()) {
    throw std::invalid_argument("mean power needs one utilisation a pool");
  }
  Watts sum;
  for (std::size_t i = 0; i < scenario.pools.size(); ++i) {
    const NodePool& pool = scenario.pools[i];
    if (pool.count == 0 || pool.node.rented()) continue;  // an empty pool has no utilisation (NaN)
    const Watts idle = idle_power(pool.node);
    sum += (idle + (load_power(pool.node) - idle) * utilisation_by_pool[i]) * static_cast<double>(pool.count);
  }
  return sum;
}

Watts power_of_busy_gpu(const NodePool& pool) {
  // By difference, so that it cannot part from mean_power(), whatever a pool's power depends on.
  Scenario one;
  one.pools = {pool};
  one.pools.front().count = 1;
  return (mean_power(one, {1.0}) - mean_power(one, {0.0})) * (1.0 / pool.node.gpus);
}

Watts peak_power_at_meter(const Scenario& scenario) {
  Watts sum;
  for (const NodePool& pool : scenario.pools) {
    if (pool.node.rented()) continue;
    sum += load_power(pool.node) * static_cast<double>(pool.count);
  }
  return sum * scenario.site.pue;
}

}  // namespace fleetsim
