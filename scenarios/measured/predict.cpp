#include "scenarios/measured/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "scenarios/measured/machine.hpp"
#include "sim/base/assert.hpp"
#include "topology/megatron.hpp"
#include "topology/run_time_ratio.hpp"

namespace fleetsim {
namespace {

/// One kernel launch, and what a time to train spends outside of steps. Priors, see docs/scaling-model.md.
constexpr double kKernel_s = 5e-6;
constexpr double kRunMinutes = 0.1;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has(const std::string& text, std::string_view word) {
  return lower(text).find(word) != std::string::npos;
}

RowKind kind_of(const Measurement& row) {
  if (row.split == "exclude") return RowKind::excluded;
  if (has(row.mode, "microbenchmark") || has(row.unit, "busbw")) return RowKind::bus_bandwidth;
  if (has(row.unit, "minutes")) return RowKind::time_to_train;
  if (has(row.unit, "tflop") || has(row.unit, "mfu")) return RowKind::megatron;
  if (has(row.unit, "percent")) return RowKind::efficiency;
  return row.split == "control" ? RowKind::control : RowKind::speedup;
}

double measured_of(const Measurement& row, RowKind kind) {
  const bool as_published = kind == RowKind::megatron || kind == RowKind::bus_bandwidth ||
                            kind == RowKind::efficiency || !row.speedup;
  return as_published ? row.throughput : *row.speedup;
}

}  // namespace

/// A workload on the machines of a row and of its base.
struct Predictor::Case {
  ModelType model;
  Parallelism base, point;
  double units = 1.0;  ///< of the throughput, per sample
  double kernels_s = 0.0;
  Machine* base_machine = nullptr;
  Machine* machine = nullptr;
};

const char* to_string(RowKind kind) {
  switch (kind) {
    case RowKind::speedup:
      return "speed-up";
    case RowKind::control:
      return "control";
    case RowKind::excluded:
      return "excluded";
    case RowKind::time_to_train:
      return "time to train";
    case RowKind::megatron:
      return "tensor and pipeline parallel";
    case RowKind::bus_bandwidth:
      return "bus bandwidth";
    case RowKind::efficiency:
      return "efficiency without a base";
  }
  return "";
}

Predictor::Predictor(const std::vector<Measurement>& rows, const Catalog& catalog, const MeasuredNames& names)
    : rows_(rows), catalog_(catalog), names_(names) {
  for (const Measurement& row : rows_) {
    if (row.role == "base" && !row.series_id.empty()) bases_.emplace(row.series_id, &row);
  }
}
Predictor::~Predictor() = default;

std::vector<Prediction> Predictor::all(const ScalingConstants& constants) {
  std::vector<Prediction> out;
  for (const Measurement& row : rows_) {
    if (row.role == "point") out.push_back(one(row, constants));
  }
  return out;
}

Prediction Predictor::one(const Measurement& row, const ScalingConstants& c) {
  Prediction out;
  out.row = &row;
  out.kind = kind_of(row);
  out.measured = measured_of(row, out.kind);
  if (!row.fault.empty()) {
    out.skipped = row.fault;
    return out;
  }
  try {
    switch (out.kind) {
      case RowKind::bus_bandwidth:
        out.predicted = bus_gb_per_s(row, c, out.skipped);
        break;
      case RowKind::time_to_train:
        out.predicted = train_ratio(row, c, out.skipped);
        break;
      case RowKind::megatron:
        out.predicted = megatron(row, c, out.skipped);
        break;
      case RowKind::efficiency:
        out.predicted = efficiency(row, c, out.skipped);
        break;
      default:
        if (has(row.mode, "microbenchmark"))
          out.predicted = bus_gb_per_s(row, c, out.skipped);
        else
          out.predicted = speedup(row, c, out.skipped);
    }
  } catch (const std::invalid_argument& e) {
    out.skipped = e.what();
  }
  if (out.predicted && !(std::isfinite(*out.predicted) && *out.predicted > 0.0)) {
    out.predicted.reset();
    out.skipped = "the prediction is no positive number";
  }
  return out;
}

Predictor::Machine* Predictor::machine(const std::string& name, int gpus, int nodes, std::string& skipped) {
  const auto known = names_.systems.find(name);
  if (known == names_.systems.end()) {
    skipped = fmt::format("unknown system '{}'", printable(name));
    return nullptr;
  }
  const MeasuredSystem& system = known->second;
  const NodeType* node = catalog_.node(system.node);
  FLEETSIM_ASSERT(node != nullptr);
  if (gpus < 1) {
    skipped = "the number of GPUs is not given";
    return nullptr;
  }
  const int needed = std::max(nodes, (gpus + node->gpus - 1) / node->gpus);
  if (needed > 1 && system.link.empty()) {
    skipped =
        fmt::format("'{}' is one node of {} GPUs and no network of it is known", printable(name), node->gpus);
    return nullptr;
  }
  std::unique_ptr<Machine>& found = machines_[fmt::format("{}/{}/{}", name, gpus, needed)];
  if (found == nullptr) {
    const LinkType* link = system.link.empty() ? nullptr : catalog_.link(system.link);
    found = std::make_unique<Machine>(*node, link, system.adapters, gpus, needed);
  }
  return found.get();
}

const Measurement* Predictor::base_of(const Measurement& row, Measurement& repeated) const {
  const auto it = bases_.find(row.series_id);
  if (it != bases_.end() && it->second->fault.empty() && it->second->throughput > 0.0 && it->second->gpus > 0)
    return it->second;
  if (row.base_gpus < 1 || !(row.base_throughput > 0.0)) return nullptr;
  repeated = row;
  repeated.gpus = row.base_gpus;
  repeated.nodes = 0;
  repeated.throughput = row.base_throughput;
  return &repeated;
}

std::unique_ptr<Predictor::Case> Predictor::case_of(const Measurement& row, const Measurement& base,
                                                    std::string& skipped) {
  const auto known = names_.models.find(row.model);
  if (known == names_.models.end()) {
    skipped = fmt::format("unknown model '{}'", printable(row.model));
    return nullptr;
  }
  auto out = std::make_unique<Case>();
  out->machine = machine(row.system, row.gpus, row.nodes, skipped);
  if (out->machine == nullptr) return nullptr;
  out->base_machine = machine(row.system, base.gpus, base.nodes, skipped);
  if (out->base_machine == nullptr) return nullptr;

  const MeasuredModel& recipe = known->second;
  ModelType& m = out->model;
  m = *catalog_.model(recipe.model);
  m.reference_gpu = out->machine->node().gpu.name;  // the base row was measured on it
  m.relative_speed.clear();
  m.batch_on.clear();
  if (recipe.overlap) m.overlap = *recipe.overlap;
  const BatchText& batch = base.batch_given ? base.batch : row.batch;
  if (batch.per_gpu)
    m.batch_per_gpu.value = *batch.per_gpu;
  else if (recipe.batch)
    m.batch_per_gpu.value = *recipe.batch;
  out->units = has(row.unit, "token") && !batch.in_tokens ? m.units_per_sample.value : 1.0;
  m.accumulation_steps = batch.accumulation.value_or(recipe.accumulation.value_or(m.accumulation_steps));
  const bool fp32 = has(row.precision, "fp32") || has(row.precision, "tf32");
  if (fp32) m.gradient.value = Bytes{static_cast<std::int64_t>(4.0 * m.parameters.value)};
  if (row.split == "control") m.gradient.value = Bytes{0};  // replicas that share nothing

  out->base.gpus = base.gpus;
  out->point.gpus = row.gpus;
  if (batch.fixed_global || has(row.mode, "strong")) {
    const double of_base = m.batch_per_gpu.value * m.accumulation_steps * base.gpus;
    out->base.global_batch = batch.global.value_or(recipe.global_batch.value_or(of_base));
    out->point.global_batch = out->base.global_batch;
    // Whatever the reference, a step over the global batch is solved for.
    m.accumulation_steps = 1;
  }
  out->kernels_s = recipe.kernels.value_or(0.0) * kKernel_s;
  return out;
}

StepTime Predictor::timed(const Case& work, Machine& on, const ScalingConstants& c) {
  const Parallelism& how = &on == work.base_machine && work.base.gpus == on.gpus() ? work.base : work.point;
  return step_time(work.model, how, on.fabric(), on.placement(), on.exchange(work.model, c), c);
}

/// Sets the pass time of the model so that the base takes `target_s` a step of its own samples per second.
/// The step grows with the pass time piecewise linearly, so a secant search ends after a few steps.
bool Predictor::solve(Case& work, double target_s, const ScalingConstants& c) {
  ModelType& m = work.model;
  const auto misses = [&](double pass_s) {
    m.reference_step.value = from_seconds(std::max(2e-6, pass_s));
    const StepTime step = timed(work, *work.base_machine, c);
    return step.seconds / step.samples - target_s;
  };
  double a = target_s * m.batch_per_gpu.value * 0.5, fa = misses(a);
  double b = 2.0 * a, fb = misses(b);
  for (int i = 0; i < 40 && std::abs(fb) > 1e-7 * target_s; ++i) {
    if (!(fb > fa) && !(fb < fa)) break;
    const double next = std::max(2e-6, b - fb * (b - a) / (fb - fa));
    a = b;
    fa = fb;
    b = next;
    fb = misses(b);
  }
  return std::abs(fb) <= 1e-3 * target_s;
}

std::optional<double> Predictor::speedup(const Measurement& row, const ScalingConstants& c,
                                         std::string& skipped) {
  Measurement repeated;
  const Measurement* base = base_of(row, repeated);
  if (base == nullptr) {
    skipped = "the series has no base row with a throughput";
    return std::nullopt;
  }
  const std::unique_ptr<Case> work = case_of(row, *base, skipped);
  if (work == nullptr) return std::nullopt;
  // Seconds of one sample on one GPU of the base group.
  const double target_s = work->units * base->gpus / base->throughput;
  if (!solve(*work, target_s, c)) {
    skipped = "no compute time gives the base row's throughput: its exchange alone takes longer";
    return std::nullopt;
  }
  const StepTime step = timed(*work, *work->machine, c);
  return row.gpus * step.samples / step.seconds * target_s / base->gpus;
}

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
  options.in_network = !has(row.fabric, "nvls off");
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
  const bool mfu = has(row.unit, "mfu");  // counts the model's own work, no recomputation
  layout.recompute = !mfu;
  const MegatronStep step = megatron_step(shape, model->parameters.value, layout, on->fabric(), c);
  return mfu ? 100.0 * step.share_of_peak : step.flops_per_gpu / 1e12;
}

std::optional<double> message_bytes(const std::string& name) {
  const std::string text = lower(name);
  const auto at = text.find("message ");
  if (at == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str() + at + 8, &end);
  if (!(value > 0.0) || !(value < 1e12)) return std::nullopt;
  const std::string_view unit(end);
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"kib", 1024.0}, {"mib", 1048576.0}, {"gib", 1073741824.0}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}};
  for (const auto& [word, size] : kUnits) {
    if (unit.find(word) != std::string_view::npos && value * size >= 1.0 && value * size < 1e15)
      return value * size;
  }
  return std::nullopt;
}

}  // namespace fleetsim
