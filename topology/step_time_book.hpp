// Step times of one scenario's placements, each computed once, on fabrics that are wired once.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "topology/fabric.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// What a simulation asks before it begins, so that while it runs a step time is a look-up in a table.
/// Records are told apart by name: within one book a name must mean one record.
///
/// Errors: std::invalid_argument from Fabric::build and step_time(). Cost: an answer known already
/// O(log answers); a new one a step_time(), and the wiring of a fabric when no earlier question needed one of
/// as many nodes of that type. Memory: the fabrics, until the book goes. Not for use by two threads at once.
class StepTimeBook {
 public:
  explicit StepTimeBook(FabricSpec spec) : spec_(std::move(spec)) {}

  /// As run_time_ratio() of run_time_ratio.hpp.
  [[nodiscard]] double run_time_ratio(const ModelType& model, int gpus, const NodeType& target,
                                      const NodeType& reference, bool crosses_leaves);
  /// StepTime::efficiency of `gpus` GPUs packed on as few nodes as hold them.
  [[nodiscard]] double efficiency(const ModelType& model, int gpus, const NodeType& node);

  /// Fabrics wired so far.
  [[nodiscard]] std::size_t fabrics() const { return fabrics_.size(); }

 private:
  struct Step {
    double seconds = 0.0, efficiency = 1.0;
  };
  const Fabric& fabric(const NodeType& node, int nodes);
  const Step& packed(const ModelType& model, int gpus, const NodeType& node);
  const Step& crossing(const ModelType& model, int gpus, const NodeType& node);

  FabricSpec spec_;
  std::map<std::pair<std::string, int>, Fabric> fabrics_;  ///< node type, nodes
  std::map<std::tuple<std::string, std::string, int, bool>, Step>
      steps_;  ///< model, node type, GPUs, crosses
};

}  // namespace fleetsim
