// Rows that are no throughput over a base: time to train, efficiency alone, bus bandwidth, tensor and
// pipeline parallelism.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include "scenarios/measured/machine.hpp"
#include "topology/megatron.hpp"

namespace fleetsim {
namespace {

/// What a time to train spends outside of steps. Prior, see docs/scaling-model.md.
constexpr double kRunMinutes = 0.1;

}  // namespace

std::optional<double> Predictor::train_ratio(const Measurement& row, const ScalingConstants& c,
                                             std::string& skipped) {
  Measurement repeated;
  const Measurement* base = base_of(row, repeated);
  if (base == nullptr) {
    skipped = "the series has no base row with minutes";
    return std::nullopt;
  }
  const std::unique_ptr<Case> work = case_of(row, *base, skipped);
  if (work == nullptr) return std::nullopt;
  const MeasuredModel& recipe = names_.models.find(row.model)->second;
  if (!recipe.steps) {
    skipped = fmt::format("no number of steps to the target is known for '{}'", printable(row.model));
    return std::nullopt;
  }
  // Samples to the target are those of the published global batch, whatever batch this run took.
  const double global = work->base.global_batch;
  const double steps = *recipe.steps * recipe.global_batch.value_or(global) / global;
  const double step_s = std::max(0.0, (base->throughput - kRunMinutes) * 60.0 / steps - work->kernels_s);
  if (!(step_s > 0.0) || !solve(*work, step_s * base->gpus / global, c)) {
    skipped = "no compute time gives the base row's minutes";
    return std::nullopt;
  }
  const double minutes =
      kRunMinutes + steps * (work->kernels_s + timed(*work, *work->machine, c).seconds) / 60.0;
  return base->throughput / minutes;
}

std::optional<double> Predictor::efficiency(const Measurement& row, const ScalingConstants& c,
                                            std::string& skipped) {
  const auto known = names_.models.find(row.model);
  if (known == names_.models.end()) {
    skipped = fmt::format("unknown model '{}'", printable(row.model));
    return std::nullopt;
  }
  Machine* on = machine(row.system, row.gpus, row.nodes, skipped);
  if (on == nullptr) return std::nullopt;
  const ModelType& model = *catalog_.model(known->second.model);
  return 100.0 *
         step_time(model, {row.gpus}, on->fabric(), on->placement(), on->exchange(model, c), c).efficiency;
}

std::optional<double> Predictor::bus_gb_per_s(const Measurement& row, const ScalingConstants& c,
                                              std::string& skipped) {
  Machine* on = machine(row.system, row.gpus, row.nodes, skipped);
  if (on == nullptr) return std::nullopt;
  // "peak", "large" and unsourced sizes: long enough that only the rate counts.
  const Bytes bytes{static_cast<std::int64_t>(message_bytes(row.model).value_or(16.0 * (1LL << 30)))};
  CollectiveOptions options;
  options.in_network = !has_word(row.fabric, "nvls off");
  options.constants = c;
  return bus_bandwidth(all_reduce(on->fabric(), on->placement(), bytes, options), bytes, row.gpus) / 1e9;
}

std::optional<double> Predictor::megatron(const Measurement& row, const ScalingConstants& c,
                                          std::string& skipped) {
  const auto known = names_.models.find(row.model);
  const ModelType* model = known == names_.models.end() ? nullptr : catalog_.model(known->second.model);
  if (model == nullptr || !model->transformer) {
    skipped = fmt::format("no transformer of known sizes is called '{}'", printable(row.model));
    return std::nullopt;
  }
  Machine* on = machine(row.system, row.gpus, row.nodes, skipped);
  if (on == nullptr) return std::nullopt;
  const TransformerShape& shape = *model->transformer;
  MegatronLayout layout;
  layout.tensor = shape.tensor;
  layout.pipeline = shape.pipeline;
  layout.data = row.gpus / (shape.tensor * shape.pipeline);
  if (layout.data < 1) {
    skipped = fmt::format("{} GPUs hold no replica of {} x {}", row.gpus, shape.tensor, shape.pipeline);
    return std::nullopt;
  }
  layout.global_batch = row.batch.global.value_or(known->second.global_batch.value_or(0.0));
  if (!(layout.global_batch > 0.0)) {
    skipped = "the global batch is not given";
    return std::nullopt;
  }
  const bool mfu = has_word(row.unit, "mfu");  // counts the model's own work, no recomputation
  layout.recompute = !mfu;
  const MegatronStep step = megatron_step(shape, model->parameters.value, layout, on->fabric(), c);
  return mfu ? 100.0 * step.share_of_peak : step.flops_per_gpu / 1e12;
}

std::optional<double> message_bytes(const std::string& name) {
  std::string text = name;
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto at = text.find("message ");
  if (at == std::string::npos) return std::nullopt;
  const std::string_view words = std::string_view(text).substr(at + std::string_view("message ").size());
  double value = 0.0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), value);
  if (error != std::errc{} || !(value > 0.0) || !(value < 1e12)) return std::nullopt;
  const std::string_view unit = words.substr(static_cast<std::size_t>(end - words.data()));
  constexpr std::pair<std::string_view, double> kSizeUnits[] = {
      {"kib", 1024.0}, {"mib", 1048576.0}, {"gib", 1073741824.0}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}};
  for (const auto& [word, size] : kSizeUnits) {
    if (unit.find(word) != std::string_view::npos && value * size >= 1.0 && value * size < 1e15)
      return value * size;
  }
  return std::nullopt;
}

}  // namespace fleetsim
