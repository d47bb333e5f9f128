#include "topology/gpu_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fleetsim {
namespace {

/// One measured GPU that an estimate starts from.
struct Anchor {
  std::string name;
  SpeedSheet sheet;
  double speed = 1.0;
};

/// In the order of names; the reference GPU among them.
std::vector<Anchor> anchors(const ModelType& model) {
  std::vector<Anchor> all;
  const auto sheet = model.measured_cards.find(model.reference_gpu);
  if (sheet != model.measured_cards.end()) {
    all.push_back({sheet->first, sheet->second, 1.0});
  } else if (model.reference_bandwidth.value.count() > 0.0) {
    all.push_back({model.reference_gpu, {"", 0, model.reference_bandwidth.value, true}, 1.0});
  }
  for (const auto& [name, speed] : model.relative_speed) {
    const auto known = model.measured_cards.find(name);
    if (known != model.measured_cards.end() && name != model.reference_gpu)
      all.push_back({name, known->second, speed.value});
  }
  return all;
}

double bandwidth(const SpeedSheet& sheet) {
  return sheet.memory_bandwidth.count();
}

std::string names_of(const std::vector<Anchor>& from) {
  std::string names;
  for (const Anchor& a : from) names += (names.empty() ? "" : ", ") + a.name;
  return names;
}

/// Geometric mean of `values`, and their extremes.
RelativeSpeed middle_of(const std::vector<double>& values, const std::vector<double>& extremes) {
  double logs = 0.0;
  for (const double v : values) logs += std::log(v);
  RelativeSpeed speed;
  speed.value = std::exp(logs / static_cast<double>(values.size()));
  speed.low = std::min(speed.value, *std::min_element(extremes.begin(), extremes.end()));
  speed.high = std::max(speed.value, *std::max_element(extremes.begin(), extremes.end()));
  speed.estimated = true;
  return speed;
}

/// Weight of the SMs: least squares of ln(speed/B) on ln(SM/B), cut to [0, 1]; 1/2 when the measured GPUs do
/// not differ in SMs per bandwidth.
double sm_weight(const std::vector<Anchor>& from) {
  double mean_x = 0.0, mean_y = 0.0;
  const auto x = [](const Anchor& a) {
    return std::log(a.sheet.streaming_multiprocessors / bandwidth(a.sheet));
  };
  const auto y = [](const Anchor& a) { return std::log(a.speed / bandwidth(a.sheet)); };
  for (const Anchor& a : from) {
    mean_x += x(a) / static_cast<double>(from.size());
    mean_y += y(a) / static_cast<double>(from.size());
  }
  double xx = 0.0, xy = 0.0;
  for (const Anchor& a : from) {
    xx += (x(a) - mean_x) * (x(a) - mean_x);
    xy += (x(a) - mean_x) * (y(a) - mean_y);
  }
  constexpr double kSameShape = 1e-6;  // a spread of SMs per bandwidth below 0.1 %
  return xx < kSameShape ? 0.5 : std::clamp(xy / xx, 0.0, 1.0);
}

RelativeSpeed interpolated(const std::vector<Anchor>& from, const SpeedSheet& own) {
  const auto at = [&](const Anchor& a, double p) {
    const double sms = static_cast<double>(own.streaming_multiprocessors) / a.sheet.streaming_multiprocessors;
    return a.speed * std::pow(sms, p) * std::pow(bandwidth(own) / bandwidth(a.sheet), 1.0 - p);
  };
  const double p = sm_weight(from);
  std::vector<double> values, extremes;
  for (const Anchor& a : from) values.push_back(at(a, p));
  extremes = from.size() > 1 ? values : std::vector<double>{at(from[0], 0.0), at(from[0], 1.0)};
  RelativeSpeed speed = middle_of(values, extremes);
  speed.method = SpeedMethod::interpolated;
  speed.source = fmt::format(
      "estimate: interpolated within {} from {}, speed as SMs^{:.2f} x memory bandwidth^{:.2f} (guide 2020)",
      own.architecture, names_of(from), p, 1.0 - p);
  return speed;
}

bool before_ampere(const SpeedSheet& sheet) {
  return sheet.architecture == "Volta" || sheet.architecture == "Turing";
}

Factor inverse(const Factor& f) {
  return {1.0 / f.high, 1.0 / f.value, 1.0 / f.low};
}

/// What a GPU gains over an anchor beyond the ratio of bandwidths.
Factor gain(const SpeedSheet& own, const SpeedSheet& anchor) {
  if (own.tensor_cores != anchor.tensor_cores)
    return own.tensor_cores ? inverse(kWithoutTensorCores) : kWithoutTensorCores;
  const bool known = !own.architecture.empty() && !anchor.architecture.empty() && own.tensor_cores;
  if (!known || before_ampere(own) == before_ampere(anchor)) return {1.0, 1.0, 1.0};
  return before_ampere(own) ? inverse(kAmpereGain) : kAmpereGain;
}

RelativeSpeed by_bandwidth(const std::vector<Anchor>& from, const SpeedSheet& own) {
  std::vector<double> values, extremes;
  bool corrected = false, across = false;
  for (const Anchor& a : from) {
    const double ratio = a.speed * bandwidth(own) / bandwidth(a.sheet);
    const Factor c = gain(own, a.sheet);
    values.push_back(ratio * c.value);
    extremes.push_back(ratio * c.low);
    extremes.push_back(ratio * c.high);
    across = across || own.tensor_cores != a.sheet.tensor_cores;
    corrected = corrected || (!across && c.value != 1.0);
  }
  RelativeSpeed speed = middle_of(values, extremes);
  speed.method = across ? SpeedMethod::bandwidth_across_tensor : SpeedMethod::bandwidth;
  std::string against;
  for (const Anchor& a : from)
    against += fmt::format("{}{:g} ({})", against.empty() ? "" : ", ", bandwidth(a.sheet) / 1e9, a.name);
  speed.source =
      fmt::format("estimate: ratio of memory bandwidths, {:g} over {} GB/s{}", bandwidth(own) / 1e9, against,
                  across      ? ", times an estimated factor because only one of the GPUs has tensor cores"
                  : corrected ? ", corrected for Ampere's shared memory and tensor cores (guide 2020)"
                              : "");
  return speed;
}

template <class Keep>
std::vector<Anchor> those(const std::vector<Anchor>& all, Keep keep) {
  std::vector<Anchor> kept;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kept), keep);
  return kept;
}

RelativeSpeed measured(const Figure<double>& figure) {
  RelativeSpeed speed;
  speed.value = figure.value;
  speed.low = figure.low > 0.0 ? figure.low : figure.value;
  speed.high = figure.high > 0.0 ? figure.high : figure.value;
  speed.estimated = figure.from.estimate;
  speed.source = figure.from.source;
  return speed;
}

}  // namespace

RelativeSpeed relative_speed(const ModelType& model, const GpuType& gpu) {
  if (gpu.name == model.reference_gpu) {
    RelativeSpeed speed;
    speed.source = model.reference_throughput.from.source;
    return speed;
  }
  if (const auto it = model.relative_speed.find(gpu.name); it != model.relative_speed.end())
    return measured(it->second);

  const SpeedSheet own = speed_sheet(gpu);
  const std::vector<Anchor> known =
      bandwidth(own) > 0.0 ? those(anchors(model), [](const Anchor& a) { return bandwidth(a.sheet) > 0.0; })
                           : std::vector<Anchor>{};
  const auto siblings = those(known, [&](const Anchor& a) {
    return own.streaming_multiprocessors > 0 && a.sheet.streaming_multiprocessors > 0 &&
           !own.architecture.empty() && a.sheet.architecture == own.architecture &&
           a.sheet.tensor_cores == own.tensor_cores;
  });
  if (!siblings.empty()) return interpolated(siblings, own);
  const auto alike = those(known, [&](const Anchor& a) { return a.sheet.tensor_cores == own.tensor_cores; });
  if (!alike.empty()) return by_bandwidth(alike, own);
  if (!known.empty()) return by_bandwidth(known, own);
  RelativeSpeed speed;
  speed.method = SpeedMethod::unknown;
  speed.estimated = true;
  speed.source = fmt::format("estimate: no bandwidth is known, taken as fast as {}", model.reference_gpu);
  return speed;
}

bool has_tensor_cores(const std::string& architecture) {
  // The architectures before Volta (2017) of cards that the catalogue lists.
  return architecture != "Maxwell" && architecture != "Pascal";
}

SpeedSheet speed_sheet(const GpuType& gpu) {
  return {gpu.architecture, gpu.streaming_multiprocessors.value, gpu.memory_bandwidth.value,
          gpu.tensor_cores && has_tensor_cores(gpu.architecture)};
}

const char* to_string(SpeedMethod method) {
  switch (method) {
    case SpeedMethod::measured:
      return "measured";
    case SpeedMethod::interpolated:
      return "interpolated";
    case SpeedMethod::bandwidth:
      return "bandwidth";
    case SpeedMethod::bandwidth_across_tensor:
      return "bandwidth-across-tensor-cores";
    case SpeedMethod::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace fleetsim
