#include "topology/step_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "sim/base/assert.hpp"
#include "topology/all_reduce.hpp"
#include "topology/memory.hpp"
#include "topology/scaling_constants.hpp"

namespace fleetsim {
namespace {

/// Expected maximum of n standard normal numbers: b - integral of Phi(x)^n over [a, b] with Phi(a)^n = 0 and
/// Phi(b)^n = 1. The integrand is flat at both ends, so the trapezoid rule converges exponentially.
double expected_maximum(int n) {
  if (n < 2) return 0.0;
  thread_local std::map<int, double> known;
  if (const auto it = known.find(n); it != known.end()) return it->second;
  constexpr double kEnd = 8.0, kStep = 0.05;
  constexpr int kSteps = static_cast<int>(2.0 * kEnd / kStep);
  double integral = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = -kEnd + kStep * i;
    const double value = std::pow(0.5 * std::erfc(-x / std::sqrt(2.0)), n);
    integral += (i == 0 || i == kSteps) ? 0.5 * value : value;
  }
  return known[n] = kEnd - integral * kStep;
}

/// What the slowest GPU of a placement sets the pace with.
struct Pace {
  double pass_s = 0.0;       ///< forward and backward over the reference batch
  double optimiser_s = 0.0;  ///< one update of the parameters
  double exchanges = 0.0;    ///< optimiser steps for as many samples as one step of the reference GPU
  double memory_rate = 0.0;
  bool estimated = false;
};

/// The measured pass holds its share of the optimiser, which is taken out here: at another number of passes
/// it is paid once all the same. It is at most half of what was measured.
Pace pace_of(const ModelType& model, const Fabric& fabric, const Placement& placement,
             const ScalingConstants& c) {
  Pace pace;
  double slowest = 0.0;
  const int passes = model.accumulation_steps;
  for (const NodeSlice& slice : placement) {
    const GpuType& gpu = fabric.node(slice.node).gpu;
    const RelativeSpeed speed = relative_speed(model, gpu);
    const auto batch = model.batch_on.find(gpu.name);
    const double exchanges =
        batch == model.batch_on.end() ? 1.0 : model.batch_per_gpu.value / batch->second.value;
    const double measured = to_seconds(model.reference_step.value) / speed.value;
    const double rate = gpu.memory_bandwidth.value.count();
    const double update = rate > 0.0 ? c.optimiser_bytes * model.parameters.value / rate : 0.0;
    pace.estimated = pace.estimated || speed.estimated;
    pace.exchanges = std::max(pace.exchanges, exchanges);
    if (rate > 0.0 && (pace.memory_rate == 0.0 || rate < pace.memory_rate)) pace.memory_rate = rate;
    if (measured < slowest) continue;
    slowest = measured;
    pace.optimiser_s = std::min(update, 0.5 * measured * passes / exchanges);
    pace.pass_s = measured - pace.optimiser_s * exchanges / passes;
  }
  return pace;
}

/// One exchange as the training step feels it; `pass_s` is the compute that it may hide behind. Replicas that
/// share nothing pay nothing.
double exposed_s(const ModelType& model, const AllReduce& exchange, double pass_s, double memory_rate,
                 const ScalingConstants& c) {
  const double size = static_cast<double>(model.gradient.value.count());
  if (size <= 0.0) return 0.0;
  double exposed = exchange.seconds;
  // Copies through host memory compete with the kernels, so staged traffic hides nothing (assumed).
  if (model.overlap && !exchange.staged) {
    const double window = c.overlap_window * c.backward_share * pass_s;
    const double last = std::min(1.0, std::max(model.input_embedding_share, c.bucket / size));
    const double hidden = std::min(exchange.seconds * (1.0 - last), window);
    exposed = exchange.seconds - hidden + c.contention * hidden;
  }
  const double pack = memory_rate > 0.0 ? c.pack_passes * size / memory_rate : 0.0;
  return exposed + pack + c.sync_s;
}

/// Passes of one optimiser step, and the share of the batch that each holds.
struct Passes {
  int count = 1;
  double share = 1.0;
};

/// A step longer than this is a wrong figure somewhere; sums of steps would leave the clock.
constexpr double kLongestStep_s = 1e9;

void require_sensible(const std::string& model, double step_s) {
  if (step_s <= kLongestStep_s) return;  // false for what is no number
  throw std::invalid_argument(fmt::format(
      "a training step of {} would take {:.3g} s: a figure of the model or of the hardware is wrong", model,
      step_s));
}

Passes passes_of(const ModelType& model, const Parallelism& parallelism, double exchanges) {
  if (parallelism.accumulation > 0) return {parallelism.accumulation, 1.0};
  if (!(parallelism.global_batch > 0.0)) return {model.accumulation_steps, 1.0};
  const double batch = model.batch_per_gpu.value / exchanges;
  const double wanted = parallelism.global_batch / parallelism.gpus / batch;
  if (!(wanted <= 1e6))
    throw std::invalid_argument(
        fmt::format("a global batch of {:g} over {} x {:g} samples is {:.3g} passes, a million is the most",
                    parallelism.global_batch, parallelism.gpus, batch, wanted));
  const int count = std::max(1, static_cast<int>(std::ceil(wanted - 1e-9)));
  return {count, wanted / count};
}

}  // namespace

AllReduce gradient_exchange(const ModelType& model, const Fabric& fabric, const Placement& placement,
                            const ScalingConstants& c) {
  const double size = static_cast<double>(model.gradient.value.count());
  CollectiveOptions options;
  options.messages = std::max(1, static_cast<int>(std::ceil(size / c.bucket)));
  options.constants = c;
  return all_reduce(fabric, placement, model.gradient.value, options);
}

StepTime step_time(const ModelType& model, const Parallelism& parallelism, const Fabric& fabric,
                   const Placement& placement, const ScalingConstants& c) {
  return step_time(model, parallelism, fabric, placement, gradient_exchange(model, fabric, placement, c), c);
}

StepTime step_time(const ModelType& model, const Parallelism& parallelism, const Fabric& fabric,
                   const Placement& placement, const AllReduce& exchange, const ScalingConstants& c) {
  FLEETSIM_ASSERT(model.reference_step.value > Duration{});
  FLEETSIM_ASSERT(model.accumulation_steps >= 1 && parallelism.accumulation >= 0);
  int gpus = 0, most_on_a_node = 0;
  for (const NodeSlice& slice : placement) {
    gpus += slice.gpus;
    most_on_a_node = std::max(most_on_a_node, slice.gpus);
  }
  FLEETSIM_ASSERT(gpus == parallelism.gpus && gpus > 0);

  const Pace pace = pace_of(model, fabric, placement, c);
  const Passes passes = passes_of(model, parallelism, pace.exchanges);
  // A step over a global batch is one optimiser step, whatever batch the reference GPU has.
  const double steps = parallelism.global_batch > 0.0 ? 1.0 : pace.exchanges;
  const double pass_s = pace.pass_s / pace.exchanges * passes.share;
  const double mean = steps * passes.count * pass_s;
  const double optimiser = steps * pace.optimiser_s;
  const double deviation = model.variable_shape ? c.spread_variable : c.spread_fixed;
  const double spread = mean * deviation * expected_maximum(gpus);
  const double exposed = gpus > 1 ? steps * exposed_s(model, exchange, pass_s, pace.memory_rate, c) : 0.0;
  const double samples = passes.count * passes.share * model.batch_per_gpu.value * steps / pace.exchanges;
  const auto stall = [&](int on_a_node, double busy) {
    if (model.input_limit.value <= 0.0) return 0.0;
    return std::max(0.0, samples * on_a_node / model.input_limit.value - busy);
  };

  StepTime step;
  const double busy = mean + spread + optimiser + exposed, alone = mean + optimiser;
  const double stalled = stall(most_on_a_node, busy);
  require_sensible(model.name, busy + stalled);
  step.compute = from_seconds(mean + spread);
  step.spread = from_seconds(spread);
  step.optimiser = from_seconds(optimiser);
  step.exposed_communication = from_seconds(exposed);
  step.input_stall = from_seconds(stalled);
  step.total = step.compute + step.optimiser + step.exposed_communication + step.input_stall;
  step.samples = samples;
  step.seconds = busy + stalled;
  step.efficiency = gpus == 1 ? 1.0 : (alone + stall(1, alone)) / step.seconds;
  step.estimated_speed = pace.estimated;
  const double batch = model.batch_per_gpu.value / pace.exchanges * passes.share;
  for (const NodeSlice& slice : placement) {
    if (step.obstacle.empty()) step.obstacle = memory_obstacle(model, fabric.node(slice.node).gpu, batch);
  }
  return step;
}

}  // namespace fleetsim
