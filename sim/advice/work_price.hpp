// Cost for performance of the hardware at hand: what a node costs over how fast it does a class's work.
#pragma once

#include <string>
#include <vector>

#include "sim/advice/advise.hpp"

namespace fleetsim {

struct WorkPrice {
  std::string node, short_name;
  bool fits = true;       ///< the class's memory on one card
  bool priced = true;     ///< every part of the node has a price
  bool estimate = false;  ///< some part's price is an estimate
  Money per_gpu;          ///< node without network adapters over its GPUs
  double speed = 0.0;     ///< over the reference: first pool that holds the class
  double per_work =
      0.0;  ///< per_gpu / speed over the cheapest of those that fit; 1: the cheapest. 0: no figure
};

struct ClassWorkPrices {
  std::string job_class;
  int gpus = 1;                 ///< the size at which speeds are compared: the class's likeliest
  std::string reference;        ///< short name
  std::vector<WorkPrice> rows;  ///< pools in order, then advised nodes that are no pool
};

/// Classes with a model only; speed is run_time_ratio() of packed jobs. A job that cannot run on a node
/// (memory of the model, no network) has no figure there. Cost: a few step times a class and node.
[[nodiscard]] std::vector<ClassWorkPrices> work_prices(const Scenario& scenario, const Advice& advice);

}  // namespace fleetsim
