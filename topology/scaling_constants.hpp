// Every constant of step_time and all_reduce in one table: unit, plausible range, origin. Hardware figures
// (link rates, latencies, staging limits of a host) come from the catalogue instead. Two priors that only
// times to train need stand where those are predicted (scenarios/measured/). See docs/scaling-model.md.
#pragma once

#include <array>
#include <string_view>

namespace fleetsim::scaling {

struct Constant {
  std::string_view name;
  double value;
  double low, high;  ///< physically plausible; equal to value where the origin fixes it
  std::string_view unit;
  std::string_view origin;  ///< prior: from the literature or by judgement; fitted: to published throughputs
  std::string_view source;
};

/// Usable share of a link's rate in a collective, on top of what the catalogue's usable rate already leaves
/// out.
inline constexpr Constant kPcieEfficiency{"PCIe efficiency",
                                          0.9,
                                          0.8,
                                          1.0,
                                          "",
                                          "prior",
                                          "estimate: rings reach about nine tenths of NCCL's model rates"};
inline constexpr Constant kNvlinkEfficiency{"NVLink efficiency",
                                            0.9,
                                            0.8,
                                            1.0,
                                            "",
                                            "prior",
                                            "estimate: rings reach about nine tenths of NCCL's model rates"};
/// Of the wire rate.
inline constexpr Constant kInfinibandEfficiency{
    "InfiniBand efficiency",
    0.92,
    0.85,
    0.98,
    "of wire rate",
    "prior",
    "NVIDIA/nccl-tests#119: all-reduce bus bandwidth of 96 GB/s over four HDR ports of 25 GB/s"};
inline constexpr Constant kStagingRate{
    "staging rate of one GPU",
    6.5e9,
    5.55e9,
    8.0e9,
    "B/s",
    "fitted",
    "published no-P2P throughputs (lambdal/deeplearning-benchmark); low end: slot-to-slot copy of 5.55 GB/s, "
    "level1techs"};
inline constexpr Constant kLaunch{"launch of one bucket's all-reduce",
                                  30e-6,
                                  10e-6,
                                  60e-6,
                                  "s",
                                  "prior",
                                  "NVIDIA/nccl@5067397c tuning.cc, order of magnitude"};
inline constexpr Constant kBucket{
    "gradient bucket", 25e6, 10e6, 25e6, "B", "prior", "default of PyTorch's DistributedDataParallel"};
inline constexpr Constant kOverlapWindow{
    "share of the backward pass that hides communication", 0.8, 0.5, 1.0, "", "prior",
    "estimate; published throughputs hardly identify it"};
inline constexpr Constant kBackwardShare{
    "share of the backward pass in a step",      2.0 / 3.0, 0.6, 0.7, "", "prior",
    "a backward pass costs twice a forward pass"};
inline constexpr Constant kContention{"compute slowed by hidden communication",
                                      0.1,
                                      0.0,
                                      0.3,
                                      "",
                                      "prior",
                                      "estimate: kernels share SMs and memory with the all-reduce"};
inline constexpr Constant kPackPasses{"memory passes to pack and unpack buckets",
                                      6.0,
                                      3.0,
                                      8.0,
                                      "passes",
                                      "prior",
                                      "estimate: flatten, unflatten and divide, a read and a write each"};
inline constexpr Constant kSyncCost{
    "host cost of a distributed step",
    2e-3,
    0.1e-3,
    3e-3,
    "s",
    "fitted",
    "published throughputs (lambdal/deeplearning-benchmark, DeepLearningExamples)"};
inline constexpr Constant kSpreadFixed{"spread between GPUs, inputs of one shape",
                                       0.017,
                                       0.002,
                                       0.08,
                                       "of compute, standard deviation",
                                       "fitted",
                                       "published throughputs; runs without gradient exchange show 0.2-8 %"};
inline constexpr Constant kSpreadVariable{
    "spread between GPUs, inputs of varying length",
    0.055,
    0.002,
    0.08,
    "of compute, standard deviation",
    "fitted",
    "published throughputs; runs without gradient exchange show 0.2-8 %"};

inline constexpr Constant kOptimiserBytes{
    "memory traffic of the optimiser",
    140.0,
    30.0,
    300.0,
    "B per parameter",
    "fitted",
    "published strong scaling of BERT (DeepLearningExamples); low end: a fused Adam reads and writes each "
    "state once"};
inline constexpr Constant kPipelineLatency{
    "latency of one chunk in a pipelined collective",
    4e-6,
    1e-6,
    10e-6,
    "s",
    "prior",
    "order of NCCL's step latencies; set beside the bus bandwidths in stas00/ml-engineering"};
inline constexpr Constant kInNetworkGain{"gain of reduction inside the NVSwitch",
                                         1.27,
                                         1.0,
                                         1.5,
                                         "x ring rate",
                                         "prior",
                                         "stas00/ml-engineering: 8x H200, 16 GiB, with and without NVLS"};

inline constexpr std::array<Constant, 16> kAll{
    kPcieEfficiency, kNvlinkEfficiency, kInfinibandEfficiency, kStagingRate,   kLaunch,     kPipelineLatency,
    kInNetworkGain,  kBucket,           kOverlapWindow,        kBackwardShare, kContention, kPackPasses,
    kSyncCost,       kOptimiserBytes,   kSpreadFixed,          kSpreadVariable};

}  // namespace fleetsim::scaling

namespace fleetsim {

/// What the formulas read. The defaults are the table's; tests pass other values to see what a constant
/// decides and to fit them again without one system.
struct ScalingConstants {
  double staging_rate = scaling::kStagingRate.value;
  double epyc_staging = 0.0;  ///< B/s of an EPYC host's memory; 0: the node's own catalogue figure
  double launch_s = scaling::kLaunch.value;
  double pipeline_s = scaling::kPipelineLatency.value;
  double in_network_gain = scaling::kInNetworkGain.value;
  double bucket = scaling::kBucket.value;
  double overlap_window = scaling::kOverlapWindow.value;
  double backward_share = scaling::kBackwardShare.value;
  double contention = scaling::kContention.value;
  double pack_passes = scaling::kPackPasses.value;
  double sync_s = scaling::kSyncCost.value;
  double optimiser_bytes = scaling::kOptimiserBytes.value;
  double spread_fixed = scaling::kSpreadFixed.value;
  double spread_variable = scaling::kSpreadVariable.value;
};

}  // namespace fleetsim
