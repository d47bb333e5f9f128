// What `scheduler.burst` says: jobs that have waited too long go to rented GPUs. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "sim/scenario/economics_spec.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

struct BurstSpec {
  Duration above_wait{};                   ///< a job that has waited so long in one go leaves its queue
  NodeType node;                           ///< what is rented; a job takes one such node or a part of it
  RentTerms terms = RentTerms::on_demand;  ///< never reserved: that is paid whether used or not
  Figure<Money> rate;                      ///< per GPU-hour
  bool own_rate = false;                   ///< the rate stands in the scenario and replaces the catalogue's
  bool whole_nodes = false;   ///< a job pays for all GPUs of its node, not for those alone that it holds
  PerSecond interruptions{};  ///< of a rented spot GPU, a mean over its running time
  std::string interruptions_source;      ///< where that rate is from; may be empty
  std::vector<std::uint16_t> classes{};  ///< ClassId of those that may go, ascending; empty: all, and traces
};

/// GPUs that a job which holds `gpus` of them pays for.
[[nodiscard]] inline int paid_gpus(const BurstSpec& burst, int gpus) {
  return burst.whole_nodes ? burst.node.gpus : gpus;
}

}  // namespace fleetsim
