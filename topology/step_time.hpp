// How long one optimiser step takes on a placement. The one price of scaling: scheduler, report and
// `topology` call it.
#pragma once

#include <string>

#include "sim/base/time.hpp"
#include "topology/all_reduce.hpp"
#include "topology/fabric.hpp"
#include "topology/gpu_speed.hpp"
#include "topology/hardware.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {

/// Data parallelism. By default every GPU keeps the model's batch and accumulation (weak scaling).
struct Parallelism {
  int gpus = 1;
  /// Passes before each exchange; 0: as `global_batch` says, else ModelType::accumulation_steps.
  int accumulation = 0;
  /// Samples of one optimiser step over all GPUs (strong scaling): the passes of a GPU follow from its batch,
  /// at least one, and shrink when they do not come out whole. 0: no fixed global batch.
  double global_batch = 0.0;
};

/// Time for one optimiser step's worth of samples on every GPU (`samples` each). A GPU whose memory holds a
/// smaller batch (ModelType::batch_on) needs several optimiser steps for them and exchanges as often; `total`
/// is their sum, so totals of two placements with the same Parallelism compare directly.
struct StepTime {
  Duration total{};
  Duration compute{};                ///< slowest GPU of the placement, spread between GPUs included
  Duration spread{};                 ///< of `compute`: what the slowest GPU takes longer than the mean
  Duration optimiser{};              ///< update of the parameters
  Duration exposed_communication{};  ///< all-reduce that does not hide behind the backward pass, its copies
                                     ///< and the host's cost
  Duration input_stall{};
  double samples = 0.0;          ///< of one GPU in `total`
  double seconds = 0.0;          ///< `total` before it is rounded to whole microseconds
  double efficiency = 1.0;       ///< the same samples on one GPU of the same type over `total`
  bool estimated_speed = false;  ///< the GPU's speed on this model is an estimate, not a measurement
  /// Why it could not run all the same: the memory of a GPU, need and have. Empty: it fits, or nothing is
  /// known. The times hold as if it fitted.
  std::string obstacle;
};

/// Formula and constants: docs/scaling-model.md (generated figures in `topology`); sources there.
/// Precondition: placement GPUs sum to parallelism.gpus. Throws std::invalid_argument with a sentence when
/// the placement cannot be (no fabric between its nodes, more GPUs than a node has, no speed known). Cost:
/// O(nodes x vertices of a route search); callers cache per (model, shape).
[[nodiscard]] StepTime step_time(const ModelType& model, const Parallelism& parallelism, const Fabric& fabric,
                                 const Placement& placement, const ScalingConstants& constants = {});

/// The two halves of it, for callers that ask often about one placement: the exchange of the model's gradient
/// in buckets, and the step around an exchange that is known already. The exchange depends on the model's
/// gradient alone, not on its speed.
[[nodiscard]] AllReduce gradient_exchange(const ModelType& model, const Fabric& fabric,
                                          const Placement& placement, const ScalingConstants& constants = {});
[[nodiscard]] StepTime step_time(const ModelType& model, const Parallelism& parallelism, const Fabric& fabric,
                                 const Placement& placement, const AllReduce& exchange,
                                 const ScalingConstants& constants = {});

}  // namespace fleetsim
