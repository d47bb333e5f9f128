// When nodes are there: failures, repairs, checkpoints, deliveries, growing demand. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"

namespace fleetsim {

/// Times between failures and repair times are exponential; see docs/failures.md.
struct FailureSpec {
  Duration node_mtbf{};            ///< of a whole node without its GPUs; 0: never fails
  Duration gpu_mtbf{};             ///< of one GPU, which takes its node down; 0: never fails
  Duration repair{};               ///< mean
  Duration checkpoint_interval{};  ///< work since the last one is lost; 0: all of it
  Duration checkpoint_cost{};      ///< time that writing one takes
  bool requeue = true;             ///< false: the job ends as node-fail
};

/// So many nodes of a pool come at this time of the simulation; before it they are not there.
struct Delivery {
  std::size_t pool = 0;
  int nodes = 0;
  Duration at{};
};

struct AvailabilitySpec {
  std::optional<FailureSpec> failures;
  std::vector<Delivery> deliveries;  ///< nodes that no delivery names are there from the start
  std::string starts;                ///< date of t = 0 (time.starts), YYYY-MM or YYYY-MM-DD; may be empty
  double demand_growth = 0.0;        ///< arrivals grow by this share a year, compounded, from the start
};

}  // namespace fleetsim
