// Small calculations of the 2020 guide (T. Dettmers, "Which GPU(s) to Get for Deep Learning", 7 September
// 2020), so that tests and tables can set them beside what the models of this room say.
#pragma once

namespace fleetsim::guide {

/// Latencies in clock cycles. Source: guide 2020.
struct Latencies {
  int global_memory = 200;
  int shared_memory = 20;
  int multiply_add = 4;     ///< fused, FP32
  int tensor_multiply = 1;  ///< one 4x4 product in a tensor core
};

/// Cycles of a 32x32 matrix product on 8 SMs with 8 warps each: the tiles come from global memory once. Then
/// without tensor cores 8 reads of shared memory and 8 multiply-adds, with them one of each:
/// 200 + 8 x 20 + 8 x 4 = 392 against 200 + 20 + 1 = 221. Source: guide 2020.
[[nodiscard]] int matrix_product_cycles(bool tensor_cores, const Latencies& latencies = {});

/// The arithmetic of that product alone: 32 multiply-adds of 4 cycles, or 8 tensor-core products of 1:
/// 128 -> 8, a sixteenth. Source: guide 2020.
[[nodiscard]] int arithmetic_cycles(bool tensor_cores, const Latencies& latencies = {});

/// What a doubled batch does to throughput. Source: guide 2020, the author's tests.
inline constexpr double kBatchDoublingCnn = 1.136, kBatchDoublingTransformer = 1.135;

/// A published ratio of throughputs, system a over system b, and what differed beside the GPUs.
struct PublishedRatio {
  double ratio = 1.0;
  double batch_a = 1.0, batch_b = 1.0;      ///< samples a GPU, > 0
  double speedup_a = 1.0, speedup_b = 1.0;  ///< throughput of the system over one of its GPUs, > 0
};

/// The ratio of one GPU over one GPU at equal batch:
/// ratio / growth^log2(batch_a / batch_b) x speedup_b / speedup_a.
/// `growth`: throughput of a doubled batch over that of the single one, > 0. Source: guide 2020, which
/// corrects vendors' figures so ("debiasing").
[[nodiscard]] double debiased(const PublishedRatio& published, double growth);

}  // namespace fleetsim::guide
