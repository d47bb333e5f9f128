// Power supplies of a node against the sum of its components.
//
// Soft above 1600/1700 = 94.1 % of what is left when the redundant units have failed. Source: guide 2020: 4 x
// RTX 3090 (1400 W) with 200 W for CPU and board want more than 1700 W where 1600 W are drawn, so a supply is
// loaded at most to 1600/1700 of its rating; 4 x RTX 3080 (1280 + 200 W) fit 1600 W. It is soft because such
// a machine does run: Puget Systems measured 1362 to 1580 W at the wall for 4 x RTX 3090 on one supply
// (2020-11). Hard above the rating of all units together.
#include <fmt/format.h>

#include "sim/economics/economics.hpp"
#include "sim/facility/parts.hpp"

namespace fleetsim::facility {

namespace {

constexpr double kMostLoad = 1600.0 / 1700.0;

std::string units_text(const PowerSupplies& s, Watts rating) {
  return s.redundant == 0
             ? fmt::format("{} x {}", s.count, watts_text(rating))
             : fmt::format("{} x {}, {} of them redundant", s.count, watts_text(rating), s.redundant);
}

}  // namespace

void check_power_supply(const Scenario& scenario, std::vector<Finding>& out) {
  for (const NodePool* pool : own_pools(scenario)) {
    const PowerSupplies& s = pool->node.supplies;
    const Watts load = load_power(*pool);
    const std::string parts =
        fmt::format("{} GPUs x {} + {} for the rest = {}", pool->node.gpus, watts_text(gpu_power(*pool)),
                    watts_text(pool->node.base_power_load.value), watts_text(load));
    if (s.count == 0) {
      out.push_back(
          {Severity::note, "", place_of(*pool), watts_text(load), "",
           fmt::format("the power supplies of {} are not known; its parts draw {}", pool->node.title, parts),
           fmt::format("ask the vendor for supplies of at least {} together, without redundant ones",
                       least_text(load * (1.0 / kMostLoad)))});
      continue;
    }
    const Watts all = s.rating.value * static_cast<double>(s.count);
    const Watts sure = s.rating.value * static_cast<double>(s.count - s.redundant);
    if (load <= sure * (kMostLoad * kRounding)) {
      const Watts least = s.rating.low * static_cast<double>(s.count - s.redundant);
      if (load > least * (kMostLoad * kRounding))
        out.push_back({Severity::note, "", place_of(*pool), watts_text(load), watts_text(least * kMostLoad),
                       fmt::format("the supplies of {} are an estimate ({}, each {} to {}), and the smallest "
                                   "would be too small for {}",
                                   pool->node.title, units_text(s, s.rating.value), watts_text(s.rating.low),
                                   watts_text(s.rating.high), parts),
                       fmt::format("ask for units of at least {}",
                                   least_text(load * (1.0 / kMostLoad / (s.count - s.redundant))))});
      continue;
    }
    const bool hard = load > all * kRounding;
    out.push_back(
        {hard ? Severity::hard : Severity::soft, "", place_of(*pool), watts_text(load),
         watts_text(sure * kMostLoad),
         fmt::format("the supplies of {}: {}, more than {} ({:.0f} % of {})", pool->node.title, parts,
                     watts_text(load) == watts_text(sure * kMostLoad)
                         ? fmt::format("{:.2f} W", (sure * kMostLoad).count())
                         : watts_text(sure * kMostLoad),
                     100.0 * kMostLoad, units_text(s, s.rating.value)),
         fmt::format("supplies of {} or more, fewer GPUs a node, or a lower 'gpu_power_limit'",
                     least_text(load * (1.0 / kMostLoad)))});
  }
}

}  // namespace fleetsim::facility
