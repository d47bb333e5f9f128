// One job class: how its jobs arrive, how large and long they are, what they need.
#include <fmt/format.h>

#include <cmath>

#include "scenarios/loader/sections.hpp"
#include "sim/base/units.hpp"
#include "sim/workload/lognormal.hpp"

namespace fleetsim {

namespace {

constexpr double kProbabilityTolerance = 1e-6;
constexpr std::int64_t kMostGpusOfJob = 1'000'000;

std::optional<int> read_size(const Reader& entry) {
  const Parsed<std::int64_t> parsed = parse_integer(entry.name());
  const auto* value = std::get_if<std::int64_t>(&parsed);
  if (value == nullptr) {
    entry.error_at_key(fmt::format("'{}' is not a number of GPUs", entry.name()),
                       "write e.g. {1: 0.7, 2: 0.3}");
  } else if (*value < 1 || *value > kMostGpusOfJob) {
    entry.error_at_key(fmt::format("a job has 1 to {} GPUs, not {}", kMostGpusOfJob, entry.name()));
  } else {
    return static_cast<int>(*value);
  }
  return std::nullopt;
}

void read_sizes(Reader& gpus, JobClass& made) {
  if (gpus.is_scalar()) {
    if (const auto n = gpus.integer()) made.gpus = {{static_cast<int>(*n), 1.0}};
    return;
  }
  if (!gpus.expect_map()) return;
  bool fine = true;
  double sum = 0.0;
  for (const Reader& entry : gpus.entries()) {
    const auto size = read_size(entry);
    const auto probability = entry.ratio();
    fine = fine && size && probability;
    if (!size || !probability) continue;
    for (const SizeShare& other : made.gpus)
      if (other.gpus == *size) entry.error_at_key(fmt::format("{} GPUs are listed twice", *size));
    made.gpus.push_back({*size, *probability});
    sum += *probability;
  }
  if (fine && std::abs(sum - 1.0) > kProbabilityTolerance) {
    gpus.error_at_key(fmt::format("the probabilities of '{}' sum to {:.7g}, not 1", gpus.name(), sum));
  }
}

void check_lognormal(Reader& law, const LognormalSpec& spec) {
  const bool median_fits = spec.median < spec.max, mean_fits = spec.mean < spec.max;
  const auto must = [&](const char* what) {
    return fmt::format("the {} must lie below the maximum of {}", what, to_text(spec.max));
  };
  if (!median_fits) law.find("median")->error(must("median"));
  if (!mean_fits) law.find("mean")->error(must("mean"));
  if (!median_fits || !mean_fits) return;
  const auto fit = fit_cut_lognormal(to_seconds(spec.median), to_seconds(spec.mean), to_seconds(spec.max));
  if (const double* largest = std::get_if<double>(&fit)) {
    const std::string what = fmt::format("no log-normal law with median {} cut at {} has the mean {}",
                                         to_text(spec.median), to_text(spec.max), to_text(spec.mean));
    const bool too_small = to_seconds(spec.mean) < *largest;
    law.find("mean")->error(what, fmt::format("the largest mean is {:.4g} h{}", *largest / 3600.0,
                                              too_small ? "; this one is too far below the median" : ""));
  }
}

void read_law(Reader& wall_time, WallTimeSpec& made) {
  int laws = 0;
  if (auto law = wall_time.find("lognormal")) {
    ++laws;
    if (law->expect_map()) {
      LognormalSpec spec;
      bool whole = law->require("median").has_value();
      whole = law->require("mean").has_value() && whole;
      whole = law->require("max").has_value() && whole;
      const auto median = law->duration("median"), mean = law->duration("mean"), max = law->duration("max");
      law->finish();
      if (whole && median && mean && max) {
        spec = {*median, *mean, *max};
        check_lognormal(*law, spec);
      }
      made.law = spec;
    }
  }
  if (auto law = wall_time.find("exponential")) {
    if (++laws > 1) law->error_at_key("a second law of the wall time");
    ExponentialSpec spec;
    if (law->is_map()) {
      if (law->require("mean")) spec.mean = law->duration("mean").value_or(Duration{});
      law->finish();
    } else {
      spec.mean = law->duration().value_or(Duration{});
    }
    made.law = spec;
  }
  if (auto law = wall_time.find("fixed")) {
    if (++laws > 1) law->error_at_key("a second law of the wall time");
    made.law = FixedSpec{law->duration().value_or(Duration{})};
  }
  const bool named = wall_time.has("lognormal") || wall_time.has("exponential") || wall_time.has("fixed");
  if (!named && !wall_time.misspelled({"lognormal", "exponential", "fixed"}))
    wall_time.error_at_key("'wall_time' names no law", "lognormal, exponential or fixed");
}

void read_wall_time(Reader& wall_time, WallTimeSpec& made, const Draft& draft) {
  if (!wall_time.expect_map()) return;
  read_law(wall_time, made);
  if (const auto node = catalog_name(wall_time, "reference", draft, CatalogKind::nodes, "node"))
    made.reference = *draft.catalog.node(*node);
  wall_time.finish();
}

}  // namespace

JobClass read_class(Reader& reader, Draft& draft) {
  JobClass made;
  made.name = reader.name();
  if (const auto model = catalog_name(reader, "model", draft, CatalogKind::models, "model"))
    made.model = *draft.catalog.model(*model);
  if (auto arrivals = reader.find("arrivals")) made.arrivals = read_arrivals(*arrivals);
  if (auto gpus = reader.require("gpus")) read_sizes(*gpus, made);
  if (auto wall_time = reader.require("wall_time")) read_wall_time(*wall_time, made.wall_time, draft);
  if (const auto memory = reader.bytes("gpu_memory")) made.gpu_memory = *memory;
  if (const auto n = reader.integer("max_switches")) {
    made.max_switches = static_cast<int>(*n);
    const FabricShape shape = draft.scenario.fabric.shape;
    if (shape == FabricShape::none || shape == FabricShape::torus) {
      const auto key = reader.find("max_switches");
      key->context().diagnostics.warning(
          key->key_position(), key->path(),
          fmt::format("'max_switches' changes nothing for a fabric of shape {}, which has no leaf switches",
                      to_string(shape)),
          "another shape, or without 'max_switches'");
    }
  }
  if (auto limit = reader.find("time_limit"); limit && limit->expect_map()) {
    if (limit->require("factor"))
      made.limit_factor_median = limit->number("factor").value_or(made.limit_factor_median);
    limit->finish();
  }
  return made;
}

}  // namespace fleetsim
