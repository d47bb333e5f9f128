// Who used the energy and the money of a run: by job class, by what it held, and what stood idle.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/economics/economics.hpp"
#include "sim/metrics/gpu_time.hpp"
#include "sim/scenario.hpp"

namespace fleetsim {

/// What a GPU that a job holds adds to the power of its node, at the node's plug: its way from idle to load
/// and its part of what the rest of the node does on that way. 0 for a rented node.
[[nodiscard]] Watts power_of_busy_gpu(const NodePool& pool);

/// A total that is shared out in whole units, so that the lines add up to it exactly. Lines of classes and of
/// the trace are rounded each by itself; `idle` is the rest, so it carries their roundings.
template <class Unit>
struct SharedOut {
  Unit total{};
  std::vector<Unit> classes;  ///< index = ClassId
  Unit trace{};               ///< jobs of a recorded workload
  Unit idle{};                ///< what no job asked for
};

/// Energy of the measurement window at the meter, in joules. A class pays what its GPUs drew above idle; the
/// fleet's idle power is nobody's. `utilisation_by_pool` as for mean_power(), whose energy the total is.
[[nodiscard]] SharedOut<std::int64_t> energy_by_class(const Scenario& scenario, const GpuTime& held,
                                                      const std::vector<double>& utilisation_by_pool);

/// The same energy, paid for.
[[nodiscard]] SharedOut<Money> energy_cost(const Scenario& scenario, const SharedOut<std::int64_t>& joules);

/// Cost of the window by GPU time held. What the fleet costs while it is idle (cost_by_year() over its
/// years, of which the window takes its part) is charged by the GPU-hour: a pool carries the part of its
/// purchase and rent, and its GPUs share that evenly. A class pays the GPU-hours it held and the energy they
/// drew; GPU-hours that nobody held are `idle`. So a job with twice the GPUs costs twice as much.
/// Precondition: every node has a price or a rent; `bill` is the scenario's.
[[nodiscard]] SharedOut<Money> cost_by_class(const Scenario& scenario, const Bill& bill, const GpuTime& held,
                                             const SharedOut<Money>& energy);

}  // namespace fleetsim
