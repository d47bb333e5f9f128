// fleetsim validate scaling: the scaling model's speed-ups beside published ones.
#include <fmt/format.h>

#include <optional>

#include "scenarios/measured/predict.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/cli/scaling_scores.hpp"
#include "sim/cli/validation.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

namespace po = boost::program_options;

struct ScalingArguments {
  std::string data, format, catalog;
};

/// Empty: --help was printed.
std::optional<ScalingArguments> parse_scaling(const Arguments& arguments) {
  CommandLine line(
      "validate scaling", "--data FILE.csv [options]",
      "Predicts the speed-up of every point row from the catalogue's hardware and the base row of "
      "its\nseries, and says how far off the predictions are. The file needs the columns row_id, "
      "series_id,\nrole (base, point), split, system, gpus, nodes, fabric, model, batch_per_gpu, "
      "throughput,\nthroughput_unit, base_gpus and speedup_vs_base.",
      "fleetsim validate scaling --data measurements.csv");
  ScalingArguments a;
  line.options.add_options()("data", po::value(&a.data)->value_name("FILE.csv"), "the measurements")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json"), "what is printed")(
      "catalog", po::value(&a.catalog)->value_name("DIR"), "added to the built-in catalogue");
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  const std::string see = "see 'fleetsim validate scaling --help'";
  if (a.data.empty()) {
    throw UsageError("no measurements are built in: --data FILE.csv names them",
                     "for example: fleetsim validate scaling --data measurements.csv");
  }
  if (a.format != "text" && a.format != "json")
    throw UsageError(fmt::format("--format '{}' is neither text nor json", a.format), see);
  return a;
}

int validate_scaling(const Arguments& arguments) {
  const std::optional<ScalingArguments> a = parse_scaling(arguments);
  if (!a) return kFine;
  Diagnostics diagnostics;
  std::optional<Catalog> own;
  std::optional<MeasuredNames> own_names;
  if (!a->catalog.empty()) {
    own = Catalog::with_folder(a->catalog, diagnostics);
    if (diagnostics.has_errors()) return report(diagnostics, "");
    own_names = MeasuredNames::with_folder(a->catalog, *own, diagnostics);
    if (diagnostics.has_errors()) return report(diagnostics, "");
  }
  const Catalog& catalog = own ? *own : Catalog::builtin();
  const MeasuredNames& names = own_names ? *own_names : MeasuredNames::builtin();
  const std::string text = read_file(a->data);
  const std::vector<Measurement> rows = read_measurements(a->data, text, diagnostics);
  if (const int status = report(diagnostics, text); status != kFine) return status;
  Predictor predictor(rows, catalog, names);
  const ScalingReport result = scaling_report(predictor.all(), predictor.unused());
  print(a->format == "json" ? scaling_json(result).dump(2) + "\n" : scaling_text(result));
  return kFine;
}

const RegisterValidation kScaling{
    {"scaling", "speed-ups of many GPUs against published measurements", 10, validate_scaling}};

}  // namespace
}  // namespace fleetsim::cli
