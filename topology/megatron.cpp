#include "topology/megatron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "topology/all_reduce.hpp"

namespace fleetsim {
namespace {

/// Share of the tensor cores' peak that large matrix products reach. Hopper's clock and memory hold its
/// higher peak back further. Prior, set beside published A100 and H100 runs; not fitted.
constexpr double kGemmShare = 0.75, kGemmShareHopper = 0.60;
/// Memory passes over the activations of a layer for each unit of work (reads and writes of softmax, dropout,
/// layer norm), in bytes per byte of activation. Prior.
constexpr double kActivationPasses = 2.0;
/// Forward, recomputed forward, backward twice a forward.
constexpr double kForward = 1.0, kBackward = 2.0;
/// Chunks of layers that a stage interleaves. Prior: Narayanan et al. interleave two or more.
constexpr double kChunks = 2.0;
/// A fused Adam reads weights, gradient and two moments in FP32 and writes three of them and the FP16 copy.
constexpr double kFusedAdamBytes = 30.0;
/// Activations of a layer: s b h (10 + 24/t + 5 a s / (h t)) bytes, a heads of 128.
/// Source: Korthikanti et al. 2022, "Reducing activation recomputation", equation 2.
constexpr double kHeadSize = 128.0;

double gemm_share(const GpuType& gpu) {
  return gpu.architecture == "Hopper" || gpu.architecture == "Blackwell" ? kGemmShareHopper : kGemmShare;
}

void check(const TransformerShape& shape, const MegatronLayout& l, const Fabric& fabric) {
  if (shape.layers < 1 || shape.hidden < 1 || shape.sequence < 1)
    throw std::invalid_argument("the model has no transformer sizes (layers, hidden, sequence)");
  if (fabric.size() < 1) throw std::invalid_argument("the fabric has no nodes");
  const NodeType& node = fabric.node(NodeId{0});
  if (!(node.gpu.tensor_flops.value > 0.0) || node.gpu.memory_bandwidth.value.count() <= 0.0)
    throw std::invalid_argument(fmt::format("GPU {} has no sourced FP16 peak or bandwidth", node.gpu.name));
  if (l.tensor < 1 || l.pipeline < 1 || l.data < 1 || !(l.micro_batch > 0.0) || !(l.global_batch > 0.0))
    throw std::invalid_argument("a layout needs at least one GPU in each direction and a batch");
  if (l.tensor > node.gpus) {
    throw std::invalid_argument(
        fmt::format("a tensor group of {} does not fit the {} GPUs of one node", l.tensor, node.gpus));
  }
}

/// One exchange of `bytes` inside a tensor group.
double tensor_exchange_s(const Fabric& fabric, int gpus, double bytes, const ScalingConstants& c) {
  if (gpus < 2) return 0.0;
  CollectiveOptions options;
  options.constants = c;
  return all_reduce(fabric, {{NodeId{0}, gpus}}, Bytes{static_cast<std::int64_t>(bytes)}, options).seconds;
}

/// Bytes/s that one GPU has to other nodes, all GPUs of the node sending.
double network_share(const Fabric& fabric, const ScalingConstants& c) {
  if (fabric.size() < 2) return 0.0;
  const int gpus = fabric.node(NodeId{0}).gpus;
  CollectiveOptions options;
  options.constants = c;
  const AllReduce pair = all_reduce(fabric, {{NodeId{0}, gpus}, {NodeId{1}, fabric.node(NodeId{1}).gpus}},
                                    Bytes{1'000'000'000}, options);
  return pair.network_rate / gpus;
}

}  // namespace

double transformer_flops(const TransformerShape& m, double sequences, bool recompute) {
  const double s = m.sequence, L = m.layers, h = m.hidden, V = m.vocabulary;
  const double all = 96.0 * sequences * s * L * h * h * (1.0 + s / (6.0 * h) + V / (16.0 * L * h));
  return recompute ? all : 0.75 * all;
}

MegatronStep megatron_step(const TransformerShape& shape, double parameters, const MegatronLayout& l,
                           const Fabric& fabric, const ScalingConstants& c) {
  check(shape, l, fabric);
  const GpuType& gpu = fabric.node(NodeId{0}).gpu;
  const double memory = gpu.memory_bandwidth.value.count(), peak = gpu.tensor_flops.value;
  const double t = l.tensor, p = l.pipeline, s = shape.sequence, h = shape.hidden, b = l.micro_batch;
  const double micro_batches = std::max(1.0, l.global_batch / (l.data * b));
  const double layers = shape.layers / p;
  const double works = kForward + kBackward + (l.recompute ? kForward : 0.0);

  const double gemm_s = transformer_flops(shape, b, l.recompute) / (t * p) / (peak * gemm_share(gpu));
  const double activation = s * b * h * (10.0 + 24.0 / t + 5.0 * s / (kHeadSize * t));
  const double element_s = layers * works * kActivationPasses * activation / memory;
  // Two exchanges a layer forward, as many backward and in the recomputation, of FP16 activations.
  const double exchanges = layers * (l.recompute ? 6.0 : 4.0);
  const double tensor_s = exchanges * tensor_exchange_s(fabric, l.tensor, 2.0 * s * b * h, c);
  const double pass_s = gemm_s + element_s + tensor_s;

  MegatronStep step;
  step.compute_s = micro_batches * (gemm_s + element_s);
  step.tensor_s = micro_batches * tensor_s;
  step.bubble_s = (p - 1.0) / kChunks * pass_s;
  const double network = network_share(fabric, c);
  if (p > 1.0 && network > 0.0)
    step.pipeline_s = 0.5 * micro_batches * kChunks * 2.0 * (2.0 * s * b * h / t) / network;
  const double shard = parameters / (t * p);
  if (l.data > 1 && network > 0.0) step.data_s = 2.0 * (l.data - 1.0) / l.data * 2.0 * shard / network;
  step.optimiser_s = kFusedAdamBytes * shard / memory;
  step.seconds =
      step.compute_s + step.tensor_s + step.bubble_s + step.pipeline_s + step.data_s + step.optimiser_s;
  step.flops_per_gpu =
      transformer_flops(shape, l.global_batch, l.recompute) / (t * p * l.data) / step.seconds;
  step.share_of_peak = step.flops_per_gpu / peak;
  return step;
}

}  // namespace fleetsim
