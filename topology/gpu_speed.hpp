// Speed of a GPU on a model: measured where the model lists it, else estimated, always with a range.
#pragma once

#include <string>

#include "topology/hardware.hpp"

namespace fleetsim {

/// How a speed was found, the best evidence first.
enum class SpeedMethod {
  measured,                 ///< the model lists this GPU
  interpolated,             ///< from measured GPUs of the same architecture, by SMs and bandwidth
  bandwidth,                ///< from measured GPUs of other architectures, by memory bandwidth
  bandwidth_across_tensor,  ///< the same between a GPU with tensor cores and one without
  unknown                   ///< no data to estimate from
};
[[nodiscard]] const char* to_string(SpeedMethod method);  ///< measured, interpolated, bandwidth, ...

/// Speed of a GPU over the model's reference GPU. 0 < low <= value <= high.
struct RelativeSpeed {
  double value = 1.0;
  double low = 1.0, high = 1.0;  ///< equal to value for a sourced measurement
  SpeedMethod method = SpeedMethod::measured;
  bool estimated = false;
  std::string source;  ///< a sentence; begins with "estimate:" when fleetsim estimated it
};

/// Measured where the model lists it; else the first of these that has its data:
///
/// 1. Interpolation (guide 2020: within one architecture speed scales with SMs and bandwidth). From each
///    measured GPU m of the same architecture: speed_m (SM/SM_m)^p (B/B_m)^(1-p). p = 1/2 when there is one;
///    else the least-squares p within [0, 1]. value = geometric mean over m, which is that fit's prediction;
///    low and high: the extremes over m (over p = 0 and 1 when there is one).
/// 2. Bandwidth ratio (guide 2020: tensor cores wait for memory). From each measured GPU that agrees in
///    having tensor cores: speed_m B/B_m c; c = 1, or kAmpereGain where the older of the two precedes Ampere
///    and the other does not. value = geometric mean over m; low and high: extremes over m and c.
/// 3. The same from GPUs that do not agree: c = kWithoutTensorCores, at most 1: never faster than its
///    bandwidth.
/// 4. As fast as the reference GPU: `unknown`.
///
/// Errors: none. Cost: O(measured GPUs); called per placement shape, not per job.
[[nodiscard]] RelativeSpeed relative_speed(const ModelType& model, const GpuType& gpu);

/// A factor with its range.
struct Factor {
  double low, value, high;
};

/// What Ampere and later gain over Volta and Turing beyond the bandwidth ratio: 2-5 % by the larger shared
/// memory, 1-3 % by the tensor cores. Source: guide 2020. value: geometric middle of the range.
inline constexpr Factor kAmpereGain{1.02 * 1.01, 1.0555, 1.05 * 1.03};

/// Speed of a GPU without tensor cores over one with them at equal memory bandwidth. An estimate: value is
/// the cycle model's 221/392 (guide 2020, see guide.hpp); low halves it, as 4-byte numbers move twice the
/// bytes; high: memory alone decides.
inline constexpr Factor kWithoutTensorCores{0.5 * 221.0 / 392.0, 221.0 / 392.0, 1.0};

/// Whether an architecture has tensor cores (or a TPU's matrix unit) at all: Volta and everything after it.
/// Single cards of it may lack them (GTX 16): GpuType::tensor_cores.
[[nodiscard]] bool has_tensor_cores(const std::string& architecture);

/// What the estimators need of a GPU's data sheet.
[[nodiscard]] SpeedSheet speed_sheet(const GpuType& gpu);

}  // namespace fleetsim
