// The GPUs of one measured row as a fabric, with the exchanges that were asked of it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "scenarios/measured/predict.hpp"
#include "topology/step_time.hpp"

namespace fleetsim {

/// Publications hardly say which switches join the nodes, so they hang on one that has ports for all.
struct Predictor::Machine {
 public:
  /// `nodes` of `node` hold `gpus`: the same number each where that comes out whole, else packed.
  Machine(const NodeType& node, const LinkType* link, const MeasuredSystem& system, int gpus, int nodes);

  [[nodiscard]] int gpus() const { return gpus_; }
  [[nodiscard]] const NodeType& node() const { return fabric_.node(NodeId{0}); }
  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const Placement& placement() const { return placement_; }
  /// gradient_exchange(), kept: a staged one for its staging rates, another for good.
  [[nodiscard]] const AllReduce& exchange(const ModelType& model, const ScalingConstants& c);

 private:
  int gpus_;
  Fabric fabric_;
  Placement placement_;
  std::map<std::string, AllReduce> kept_;
};

/// A workload on the machines of a row and of its base.
struct Predictor::Case {
  ModelType model;
  Parallelism base, point;
  double units = 1.0;  ///< of the throughput, per sample
  double kernels_s = 0.0;
  Machine* base_machine = nullptr;
  Machine* machine = nullptr;
};

/// `text` contains `word` (lower case), whatever its own case.
[[nodiscard]] bool has_word(const std::string& text, std::string_view word);

}  // namespace fleetsim
