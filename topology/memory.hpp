// What a model needs of one GPU's memory.
#pragma once

#include <string>

#include "topology/hardware.hpp"

namespace fleetsim {

/// Bytes of weights, gradient and optimiser state (state_per_parameter x parameters) and of the activations
/// of one pass over `batch` samples (activations_per_sample x batch), in plain data parallelism: nothing is
/// split between GPUs. 0 where the model does not say. Source: Rajbhandari et al. 2020, ZeRO, section 3.
[[nodiscard]] Bytes memory_need(const ModelType& model, double batch);

/// Why a pass over `batch` samples does not fit the GPU, in words that name need and have; empty when it
/// fits, when the model does not say what it needs, or when that batch was measured on this GPU.
[[nodiscard]] std::string memory_obstacle(const ModelType& model, const GpuType& gpu, double batch);

}  // namespace fleetsim
