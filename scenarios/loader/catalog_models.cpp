// Models: how fast they train on which GPU, and what they exchange.
#include <fmt/format.h>

#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"

namespace fleetsim {

using namespace figure;
namespace {

/// Legal values of a model's figures.
const auto kParameters = number_in(1.0, 1e13);
const auto kBatch = number_in(1e-3, 1e9);
const auto kThroughput = number_in(1e-6, 1e12);
const auto kUnits = number_in(1e-3, 1e9);
const auto kSpeed = number_in(1e-3, 1e3);
const auto kPerParameter = number_in(1e-3, 1e3);
/// A pass over the reference batch is seconds, not hours.
constexpr double kLongestPass_s = 3600.0;
/// The batch of a card may be this many times that of the reference, or its part.
constexpr double kBatchRatio = 1e4;

template <class Get>
void read_by_gpu(Reader& file, const std::string& key, const Get& get, const Catalog& catalog,
                 const Broken& broken, std::map<std::string, Figure<double>>& out) {
  auto map = file.find(key);
  if (!map || !map->expect_map()) return;
  const std::vector<std::string> names = catalog.names(CatalogKind::gpus);
  for (Reader& entry : map->entries()) {
    const std::string name = entry.name();
    if (catalog.gpu(name) == nullptr && !is_broken(broken, CatalogKind::gpus, name)) {
      const std::string near = did_you_mean(name, names);
      entry.error_at_key(fmt::format("unknown GPU '{}'", name),
                         near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    read_figure(entry, get, out[name]);
  }
}

void read_reference(Reader& file, ModelType& model, const Catalog& catalog, const Broken& broken) {
  auto r = file.require("reference");
  if (!r || !r->expect_map()) return;
  if (const auto* gpu = look_up(*r, "gpu", catalog, CatalogKind::gpus, &Catalog::gpu, broken, "GPU")) {
    model.reference_gpu = gpu->name;
    model.reference_bandwidth = gpu->memory_bandwidth;
  }
  figure_at(*r, "batch", kBatch, model.batch_per_gpu);
  figure_at(*r, "throughput", kThroughput, model.reference_throughput);
  need(*r, "unit");
  model.throughput_unit = r->text("unit").value_or("samples");
  model.units_per_sample.value = model.units_per_sample.low = model.units_per_sample.high = 1.0;
  optional_figure(*r, "units_per_sample", kUnits, model.units_per_sample);
  r->finish();

  const double rate = model.reference_throughput.value;
  const double longest_s = rate > 0.0 ? model.batch_per_gpu.value * model.units_per_sample.high / rate : 0.0;
  if (longest_s > kLongestPass_s) {
    auto blamed = r->find("throughput");
    const auto value = blamed ? blamed->find("value") : std::nullopt;
    (value ? *value : *r)
        .error(fmt::format("a pass over the batch takes {:.3g} hours, an hour is the most",
                           longest_s / kLongestPass_s),
               fmt::format("{:g} samples x {:g} {} over {:g} {}/s", model.batch_per_gpu.value,
                           model.units_per_sample.high, model.throughput_unit, rate, model.throughput_unit));
    return;
  }
  const auto pass = [&](double units) {
    return rate > 0.0 ? from_seconds(model.batch_per_gpu.value * units / rate) : Duration{};
  };
  model.reference_step = {pass(model.units_per_sample.value), pass(model.units_per_sample.low),
                          pass(model.units_per_sample.high), model.reference_throughput.from};
  model.reference_step.from.estimate |= model.units_per_sample.from.estimate;
  model.reference_step.from.note =
      fmt::format("derived: {:g} samples x {:g} {} over {:g} {}/s", model.batch_per_gpu.value,
                  model.units_per_sample.value, model.throughput_unit, model.reference_throughput.value,
                  model.throughput_unit);
  if (longest_s > 0.0 && model.reference_step.value <= Duration{})
    r->error("a pass over the batch takes less than a microsecond");
}

/// A card's batch decides how often it exchanges, so it must be of the order of the reference's.
void check_batches(Reader& file, const ModelType& model) {
  for (const auto& [gpu, batch] : model.batch_on) {
    const double ratio = model.batch_per_gpu.value > 0.0 ? batch.value / model.batch_per_gpu.value : 0.0;
    if (ratio == 0.0 || (ratio <= kBatchRatio && ratio * kBatchRatio >= 1.0)) continue;
    auto entry = file.find("batch_on")->find(gpu);
    const auto value = entry->find("value");
    (value ? *value : *entry)
        .error(fmt::format("a batch of {:g} is {:.3g} times that of the reference GPU, {:g}", batch.value,
                           ratio, model.batch_per_gpu.value));
  }
}

/// What one GPU holds of the model.
void read_memory(Reader& file, ModelType& model) {
  auto r = file.find("memory");
  if (!r || !r->expect_map()) return;
  optional_figure(*r, "state_per_parameter", kPerParameter, model.state_per_parameter);
  optional_figure(*r, "activations_per_sample", kBytes, model.activations_per_sample);
  r->finish();
}

/// Sizes of a transformer, for tensor and pipeline parallelism.
void read_transformer(Reader& file, ModelType& model) {
  auto r = file.find("transformer");
  if (!r || !r->expect_map()) return;
  TransformerShape shape;
  const auto size = [&](const char* key, int& value) {
    need(*r, key);
    value = kCount(*r, key).value_or(1);
  };
  size("layers", shape.layers);
  size("hidden", shape.hidden);
  size("sequence", shape.sequence);
  size("vocabulary", shape.vocabulary);
  shape.tensor = kCount(*r, "tensor_parallel").value_or(1);
  shape.pipeline = kCount(*r, "pipeline_stages").value_or(1);
  shape.from = read_provenance(*r);
  r->finish();
  model.transformer = shape;
}

}  // namespace

std::optional<ModelType> read_model(Reader& file, const std::string& name, const Catalog& catalog,
                                    const Broken& broken) {
  const Faultless faultless(file);
  ModelType model;
  model.name = name;
  model.title = title_of(file);
  need(file, "domain");
  model.domain =
      file.word<std::string>("domain", {{"vision", "vision"}, {"language", "language"}}).value_or("");
  figure_at(file, "parameters", kParameters, model.parameters);
  figure_at(file, "gradient", kBytes, model.gradient);
  Figure<double> embedding;
  optional_figure(file, "input_embedding_share", kShare, embedding);
  model.input_embedding_share = embedding.value;
  model.input_embedding_from = embedding.from;
  if (auto r = file.require("training"); r && r->expect_map()) {
    model.variable_shape = r->boolean("variable_shape").value_or(false);
    model.overlap = r->boolean("overlap").value_or(true);
    model.accumulation_steps =
        static_cast<int>(r->integer("accumulation_steps", between<std::int64_t>(1, 10'000)).value_or(1));
    model.training_from = read_provenance(*r);
    r->finish();
  }
  read_reference(file, model, catalog, broken);
  read_by_gpu(file, "relative_speed", kSpeed, catalog, broken, model.relative_speed);
  read_by_gpu(file, "batch_on", kBatch, catalog, broken, model.batch_on);
  check_batches(file, model);
  optional_figure(file, "input_limit", kThroughput, model.input_limit);
  read_memory(file, model);
  read_transformer(file, model);
  file.finish();
  return model.reference_gpu.empty() ? std::nullopt : faultless.give(std::move(model));
}

}  // namespace fleetsim
