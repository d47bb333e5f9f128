// Training of large transformers in tensor, pipeline and data parallelism, as one closed formula.
#pragma once

#include "topology/fabric.hpp"
#include "topology/hardware.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {

/// A group of GPUs that trains one transformer: tensor x pipeline x data of them.
struct MegatronLayout {
  int tensor = 1;             ///< GPUs that share each layer, in one node
  int pipeline = 1;           ///< stages of consecutive layers
  int data = 1;               ///< replicas
  double micro_batch = 1.0;   ///< sequences of one pass
  double global_batch = 0.0;  ///< sequences of one optimiser step over all replicas
  bool recompute = true;      ///< activations are computed again in the backward pass: a third more work
};

struct MegatronStep {
  double seconds = 0.0;
  double compute_s = 0.0;   ///< matrix products and element-wise work of one GPU
  double tensor_s = 0.0;    ///< all-reduces inside the tensor group
  double bubble_s = 0.0;    ///< idle stages while the pipeline fills and drains
  double pipeline_s = 0.0;  ///< activations between stages, half of them hidden
  double data_s = 0.0;      ///< gradients between replicas
  double optimiser_s = 0.0;
  double flops_per_gpu = 0.0;  ///< model FLOP/s of one GPU, recomputation counted when it is done
  double share_of_peak = 0.0;  ///< flops_per_gpu over GpuType::tensor_flops
};

/// FLOPs of one optimiser step: 96 B s L h^2 (1 + s/(6h) + V/(16 L h)) with recomputation, three quarters of
/// it without. Source: Narayanan et al. 2021, "Efficient large-scale language model training on GPU
/// clusters", equation 3.
[[nodiscard]] double transformer_flops(const TransformerShape& shape, double sequences, bool recompute);

/// T = (GEMM + element-wise + tensor all-reduces) m + bubble + data all-reduce + pipeline hops / 2 +
/// optimiser, m micro-batches a replica; bubble = (p - 1) micro-batches. Formula and constants:
/// docs/scaling-model.md. Errors: std::invalid_argument with a sentence when the layout does not fit the
/// fabric, the model has no shape or the GPU no peak.
[[nodiscard]] MegatronStep megatron_step(const TransformerShape& shape, double parameters,
                                         const MegatronLayout& layout, const Fabric& fabric,
                                         const ScalingConstants& constants = {});

}  // namespace fleetsim
