// What the `advice` section says of the buyer, beyond what the rest of the scenario shows. Plain data; no run
// depends on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fleetsim {

/// Edges of a size band of the tree of advice that the scenario sets itself.
struct BandEdges {
  std::string band;          ///< name in the tree
  std::optional<int> from;   ///< first number of GPUs; none: as in the tree
  std::optional<int> below;  ///< first number beyond; none: as in the tree
};

struct AdviceSpec {
  std::string tree = "guide-2020";     ///< entry of scenarios/catalog/advice/
  std::optional<std::string> buyer;    ///< none: a lab
  std::optional<bool> cooling_solved;  ///< none: from the fleet
  std::optional<bool> model_parallel;  ///< none: from the job sizes
  std::vector<BandEdges> bands;
};

}  // namespace fleetsim
