// How long one optimiser step takes on a placement. The one price of scaling: scheduler, report and
// `topology` call it.
#pragma once

#include <string>

#include "sim/base/time.hpp"
#include "topology/fabric.hpp"
#include "topology/gpu_speed.hpp"
#include "topology/hardware.hpp"

namespace fleetsim {

/// Data parallelism at fixed batch per GPU (storey one).
struct Parallelism {
  int gpus = 1;
};

/// Time for one optimiser step's worth of samples on every GPU (accumulation_steps x batch_per_gpu of the
/// reference GPU). A GPU whose memory holds a smaller batch (ModelType::batch_on) needs several optimiser
/// steps for them and exchanges as often; `total` is their sum, so totals of two placements compare directly.
struct StepTime {
  Duration total{};
  Duration compute{};                ///< slowest GPU of the placement, spread between GPUs included
  Duration exposed_communication{};  ///< all-reduce that does not hide behind the backward pass, its copies
                                     ///< and the host's cost
  Duration input_stall{};
  double efficiency = 1.0;       ///< one-GPU step on the same GPU type over `total`
  bool estimated_speed = false;  ///< the GPU's speed on this model is an estimate, not a measurement
};

/// Formula and constants: docs/scaling-model.md (generated figures in `topology`); sources there.
/// Precondition: placement GPUs sum to parallelism.gpus. Throws std::invalid_argument with a sentence when
/// the placement cannot be (no fabric between its nodes, more GPUs than a node has, no speed known). Cost:
/// O(nodes x vertices of a route search); callers cache per (model, shape).
[[nodiscard]] StepTime step_time(const ModelType& model, const Parallelism& parallelism, const Fabric& fabric,
                                 const Placement& placement);

}  // namespace fleetsim
