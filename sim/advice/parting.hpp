// Where the tree's advice and the simulated best part, and why.
#pragma once

#include <string>
#include <vector>

#include "sim/advice/work_price.hpp"

namespace fleetsim {

struct SimulatedPool {
  std::string pool, node, short_name, gpu;
  int gpus = 0;                              ///< a node
  int nodes = 0;                             ///< in the best fleet
  double share_low = 0.0, share_high = 0.0;  ///< of node money, over the fleets that are as good as the best
};

/// What a study of this scenario found, for its own sharing rule and k.
struct SimulatedBest {
  std::string from;   ///< file
  std::string label;  ///< of the best fleet; empty: no fleet qualifies
  std::string sharing;
  double k = 30.0;
  std::string ranked_by;  ///< "k = 30", "results a week"
  int replications = 0;
  /// Shares of node money by pool, one list a fleet: of the fleets that are as good as the best, and of those
  /// of which nobody can tell yet.
  std::vector<std::vector<double>> as_good, undecided;
  int gpus = 0;  ///< of the best fleet
  std::vector<SimulatedPool> pools;
  double first_order_share = 0.0;  ///< share of the demand's money that the scale-up work takes
  std::string scale_pool;
  std::string verdict;  ///< the study's own sentence
};

enum class Agreement {
  no_simulation,
  agree,
  part,
  untested,   ///< the fleets that were simulated have none of the hardware that the text names
  undecided,  ///< only fleets that may or may not be as good follow the text; one replication; no fleet at
              ///< all
};
[[nodiscard]] const char* to_string(
    Agreement agreement);  ///< no-simulation, agree, part, untested, undecided

/// One thing that the text says, against the simulation.
struct Compared {
  std::string says;   ///< the verdict
  std::string guide;  ///< ids
  std::string where;  ///< "at 128 GPUs, the size of the scenario's fleet"
  Agreement agreement = Agreement::untested;
  std::vector<std::string> points;  ///< sentences: what differs or agrees, part by part
};

struct Parting {
  Agreement agreement = Agreement::no_simulation;
  std::string sentence;
  std::vector<Compared> compared;
  std::vector<std::string> why;  ///< memory, price of work, demand
};

/// Advice and simulation side by side.
struct AdviceBeside {
  std::string scenario;
  Advice advice;
  std::vector<ClassWorkPrices> prices;
  SimulatedBest best;  ///< empty `from`: none
  Parting parting;
};

/// Pure. An answer of the text agrees when a fleet as good as the best has all its shares within the answer's
/// ranges, is undecided when only an undecided fleet has, and parts when none has. The whole agrees when one
/// of the text's answers does (it may give several), parts when at least one could be compared and all of
/// those part.
[[nodiscard]] Parting compare(const AdviceTree& tree, const Advice& advice, const SimulatedBest& best,
                              const std::vector<ClassWorkPrices>& prices);

}  // namespace fleetsim
