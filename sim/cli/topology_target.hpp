// The word after `fleetsim topology`: a scenario file, a node or a system of the catalogue.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/catalog_option.hpp"
#include "sim/cli/topology_figures.hpp"

namespace fleetsim::cli {

struct TargetRequest {
  std::string word;
  std::vector<std::string> set;  ///< of a scenario only
  std::string catalog;           ///< folder; empty: none
};

struct ResolvedTarget {
  TopologyTarget target;
  CatalogOption known;
};

/// A name of the catalogue goes before a file of the same name (write ./NAME for the file). Empty: faults
/// were printed, exit kWrongInput. Throws UsageError for an unknown name, with what it may have meant;
/// EnvironmentError for a file that cannot be read.
[[nodiscard]] std::optional<ResolvedTarget> resolve_target(const TargetRequest& request);

}  // namespace fleetsim::cli
