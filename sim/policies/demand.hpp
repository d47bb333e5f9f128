// What a job asks of one pool.
#pragma once

#include <cstdint>

#include "sim/cluster/free_map.hpp"

namespace fleetsim {

/// GPUs of a job, and the number of leaf switches that it may lie below.
struct Demand {
  std::int32_t gpus = 0;
  std::int32_t max_leaves = kAnyLeaves;
  friend bool operator==(const Demand&, const Demand&) = default;
};

}  // namespace fleetsim
