// Models: how fast they train on which GPU, and what they exchange.
#include <fmt/format.h>

#include "scenarios/loader/catalog_names.hpp"
#include "scenarios/loader/catalog_records.hpp"
#include "scenarios/loader/figure_reader.hpp"

namespace fleetsim {

using namespace figure;
namespace {

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
  figure_at(*r, "batch", kPositive, model.batch_per_gpu);
  figure_at(*r, "throughput", kPositive, model.reference_throughput);
  need(*r, "unit");
  model.throughput_unit = r->text("unit").value_or("samples");
  model.units_per_sample.value = model.units_per_sample.low = model.units_per_sample.high = 1.0;
  optional_figure(*r, "units_per_sample", kPositive, model.units_per_sample);
  r->finish();

  const auto pass = [&](double units) {
    const double rate = model.reference_throughput.value;
    return rate > 0.0 ? from_seconds(model.batch_per_gpu.value * units / rate) : Duration{};
  };
  model.reference_step = {pass(model.units_per_sample.value), pass(model.units_per_sample.low),
                          pass(model.units_per_sample.high), model.reference_throughput.from};
  model.reference_step.from.estimate |= model.units_per_sample.from.estimate;
  model.reference_step.from.note =
      fmt::format("derived: {:g} samples x {:g} {} over {:g} {}/s", model.batch_per_gpu.value,
                  model.units_per_sample.value, model.throughput_unit, model.reference_throughput.value,
                  model.throughput_unit);
  if (model.reference_throughput.value > 0.0 && model.reference_step.value <= Duration{})
    r->error("a pass over the batch takes less than a microsecond");
}

/// What one GPU holds of the model.
void read_memory(Reader& file, ModelType& model) {
  auto r = file.find("memory");
  if (!r || !r->expect_map()) return;
  optional_figure(*r, "state_per_parameter", kPositive, model.state_per_parameter);
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
  figure_at(file, "parameters", kPositive, model.parameters);
  figure_at(file, "gradient", kBytes, model.gradient);
  Figure<double> embedding;
  optional_figure(file, "input_embedding_share", kShare, embedding);
  model.input_embedding_share = embedding.value;
  model.input_embedding_from = embedding.from;
  if (auto r = file.require("training"); r && r->expect_map()) {
    model.variable_shape = r->boolean("variable_shape").value_or(false);
    model.overlap = r->boolean("overlap").value_or(true);
    model.accumulation_steps = kCount(*r, "accumulation_steps").value_or(1);
    model.training_from = read_provenance(*r);
    r->finish();
  }
  read_reference(file, model, catalog, broken);
  read_by_gpu(file, "relative_speed", kPositive, catalog, broken, model.relative_speed);
  read_by_gpu(file, "batch_on", kPositive, catalog, broken, model.batch_on);
  optional_figure(file, "input_limit", kPositive, model.input_limit);
  read_memory(file, model);
  read_transformer(file, model);
  file.finish();
  return model.reference_gpu.empty() ? std::nullopt : faultless.give(std::move(model));
}

}  // namespace fleetsim
