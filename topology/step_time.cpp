#include "topology/step_time.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/assert.hpp"
#include "topology/all_reduce.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {
namespace {

/// Expected maximum of n standard normal numbers: b - integral of Phi(x)^n over [a, b] with Phi(a)^n = 0 and
/// Phi(b)^n = 1. The integrand is flat at both ends, so the trapezoid rule converges exponentially.
double expected_maximum(int n) {
  if (n < 2) return 0.0;
  constexpr double kEnd = 8.0, kStep = 0.05;
  constexpr int kSteps = static_cast<int>(2.0 * kEnd / kStep);
  double integral = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = -kEnd + kStep * i;
    const double value = std::pow(0.5 * std::erfc(-x / std::sqrt(2.0)), n);
    integral += (i == 0 || i == kSteps) ? 0.5 * value : value;
  }
  return kEnd - integral * kStep;
}

/// What the slowest GPU of a placement sets the pace with.
struct Pace {
  double pass_s = 0.0;     ///< one pass over the reference batch
  double exchanges = 0.0;  ///< optimiser steps for as many samples as one step of the reference GPU
  double memory_rate = 0.0;
  bool estimated = false;
};

Pace pace_of(const ModelType& model, const Fabric& fabric, const Placement& placement) {
  Pace pace;
  for (const NodeSlice& slice : placement) {
    const GpuType& gpu = fabric.node(slice.node).gpu;
    const RelativeSpeed speed = relative_speed(model, gpu);
    pace.pass_s = std::max(pace.pass_s, to_seconds(model.reference_step.value) / speed.value);
    pace.estimated = pace.estimated || speed.estimated;
    const auto batch = model.batch_on.find(gpu.name);
    const double exchanges =
        batch == model.batch_on.end() ? 1.0 : model.batch_per_gpu.value / batch->second.value;
    pace.exchanges = std::max(pace.exchanges, exchanges);
    const double rate = gpu.memory_bandwidth.value.count();
    if (rate > 0.0 && (pace.memory_rate == 0.0 || rate < pace.memory_rate)) pace.memory_rate = rate;
  }
  return pace;
}

/// One exchange as the training step feels it; `pass_s` is the compute that it may hide behind.
double exposed_s(const ModelType& model, const Fabric& fabric, const Placement& placement, double pass_s,
                 double memory_rate) {
  const double size = static_cast<double>(model.gradient.value.count());
  const int buckets = std::max(1, static_cast<int>(std::ceil(size / scaling::kBucket.value)));
  const AllReduce exchange = all_reduce(fabric, placement, model.gradient.value, buckets);
  double exposed = exchange.seconds;
  // Copies through host memory compete with the kernels, so staged traffic hides nothing (assumed).
  if (model.overlap && !exchange.staged && size > 0.0) {
    const double window = scaling::kOverlapWindow.value * scaling::kBackwardShare.value * pass_s;
    const double last = std::min(1.0, std::max(model.input_embedding_share, scaling::kBucket.value / size));
    const double hidden = std::min(exchange.seconds * (1.0 - last), window);
    exposed = exchange.seconds - hidden + scaling::kContention.value * hidden;
  }
  const double pack = memory_rate > 0.0 ? scaling::kPackPasses.value * size / memory_rate : 0.0;
  return exposed + pack + scaling::kSyncCost.value;
}

}  // namespace

StepTime step_time(const ModelType& model, const Parallelism& parallelism, const Fabric& fabric,
                   const Placement& placement) {
  FLEETSIM_ASSERT(model.reference_step.value > Duration{});
  FLEETSIM_ASSERT(model.accumulation_steps >= 1);
  int gpus = 0, most_on_a_node = 0;
  for (const NodeSlice& slice : placement) {
    gpus += slice.gpus;
    most_on_a_node = std::max(most_on_a_node, slice.gpus);
  }
  FLEETSIM_ASSERT(gpus == parallelism.gpus && gpus > 0);

  const Pace pace = pace_of(model, fabric, placement);
  const double alone = model.accumulation_steps * pace.pass_s;
  const double spread = model.variable_shape ? scaling::kSpreadVariable.value : scaling::kSpreadFixed.value;
  const double compute = alone * (1.0 + spread * expected_maximum(gpus));
  double exposed = 0.0;
  if (gpus > 1) {
    exposed =
        pace.exchanges * exposed_s(model, fabric, placement, pace.pass_s / pace.exchanges, pace.memory_rate);
  }
  const auto stall = [&](int on_a_node, double busy) {
    if (model.input_limit.value <= 0.0) return 0.0;
    const double samples = model.accumulation_steps * model.batch_per_gpu.value * on_a_node;
    return std::max(0.0, samples / model.input_limit.value - busy);
  };

  StepTime step;
  step.compute = from_seconds(compute);
  step.exposed_communication = from_seconds(exposed);
  step.input_stall = from_seconds(stall(most_on_a_node, compute + exposed));
  step.total = step.compute + step.exposed_communication + step.input_stall;
  step.efficiency =
      gpus == 1 ? 1.0
                : (alone + stall(1, alone)) / (compute + exposed + stall(most_on_a_node, compute + exposed));
  step.estimated_speed = pace.estimated;
  return step;
}

}  // namespace fleetsim
