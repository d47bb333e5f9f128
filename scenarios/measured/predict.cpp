#include "scenarios/measured/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scenarios/measured/machine.hpp"
#include "sim/base/assert.hpp"

namespace fleetsim {
namespace {

/// One kernel launch. Prior, see docs/scaling-model.md.
constexpr double kKernel_s = 5e-6;

/// No published step takes this long; a base row that says so has a wrong figure.
constexpr double kLongestStep_s = 1e6;

/// Larger than any published data-parallel run; every GPU is a node of a graph.
constexpr int kMostPredictedGpus = 8192;

bool usable_base(const Measurement& row) {
  return row.fault.empty() && row.throughput > 0.0 && row.gpus > 0;
}

RowKind kind_of(const Measurement& row) {
  if (row.split == "exclude") return RowKind::excluded;
  if (has_word(row.mode, "microbenchmark") || has_word(row.unit, "busbw")) return RowKind::bus_bandwidth;
  if (has_word(row.unit, "minutes")) return RowKind::time_to_train;
  if (has_word(row.unit, "tflop") || has_word(row.unit, "mfu")) return RowKind::megatron;
  if (has_word(row.unit, "percent")) return RowKind::efficiency;
  return row.split == "control" ? RowKind::control : RowKind::speedup;
}

double measured_of(const Measurement& row, RowKind kind) {
  const bool as_published = kind == RowKind::megatron || kind == RowKind::bus_bandwidth ||
                            kind == RowKind::efficiency || !row.speedup;
  return as_published ? row.throughput : *row.speedup;
}

}  // namespace

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

std::vector<std::string> Predictor::unused() const {
  std::vector<std::string> out;
  for (const Measurement& row : rows_) {
    if (row.role == "point" || (row.role == "base" && usable_base(row))) continue;
    const std::string why = !row.fault.empty() ? row.fault
                            : row.gpus < 1     ? "the number of GPUs is not given"
                                               : "it has no throughput";
    const char* what = row.role == "base" ? "base row" : "row";
    out.push_back(fmt::format("{} '{}' is not used: {}", what, printable(row.row_id), why));
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
        if (has_word(row.mode, "microbenchmark"))
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
  if (gpus > kMostPredictedGpus) {
    skipped = fmt::format("more than {} GPUs are not predicted", kMostPredictedGpus);
    return nullptr;
  }
  if (nodes > gpus) {
    skipped = "more nodes than GPUs";
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
    found = std::make_unique<Machine>(*node, link, system, gpus, needed);
  }
  return found.get();
}

const Measurement* Predictor::base_of(const Measurement& row, Measurement& repeated) const {
  const auto it = bases_.find(row.series_id);
  if (it != bases_.end() && usable_base(*it->second)) return it->second;
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
  out->units = has_word(row.unit, "token") && !batch.in_tokens ? m.units_per_sample.value : 1.0;
  m.accumulation_steps = batch.accumulation.value_or(recipe.accumulation.value_or(m.accumulation_steps));
  const bool fp32 = has_word(row.precision, "fp32") || has_word(row.precision, "tf32");
  if (fp32) m.gradient.value = Bytes{static_cast<std::int64_t>(4.0 * m.parameters.value)};
  if (row.split == "control") m.gradient.value = Bytes{0};  // replicas that share nothing

  out->base.gpus = base.gpus;
  out->point.gpus = row.gpus;
  if (batch.fixed_global || has_word(row.mode, "strong")) {
    const double of_base = m.batch_per_gpu.value * m.accumulation_steps * base.gpus;
    out->base.global_batch = batch.global.value_or(recipe.global_batch.value_or(of_base));
    out->point.global_batch = out->base.global_batch;
    // Whatever the reference, a step over the global batch is solved for.
    m.accumulation_steps = 1;
  }
  // A compiler for TPUs makes one program of the whole step.
  const bool launches = out->machine->node().gpu.architecture != "TPU";
  out->kernels_s = launches ? recipe.kernels.value_or(0.0) * kKernel_s : 0.0;
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
  const double wanted_s = target_s * m.batch_per_gpu.value;
  if (!(wanted_s <= kLongestStep_s))
    throw std::invalid_argument(fmt::format(
        "the base row's throughput and batch make a pass of {:.3g} s: one of them is wrong", wanted_s));
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
    if (!(next <= kLongestStep_s)) return false;
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

}  // namespace fleetsim
