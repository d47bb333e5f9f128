// fleetsim topology: the interconnect of a scenario, a node or a system, in figures or as a drawing.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "reports/charts/picture.hpp"
#include "scenarios/loader/catalog.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/table.hpp"
#include "sim/cli/topology_figures.hpp"
#include "sim/cli/topology_target.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kSeeTopology = "see 'fleetsim topology --help'";

struct TopologyArguments {
  TargetRequest target;
  std::string model, format, out, view;
  int gpus = 0;  ///< 0: all
};

void check_words(const TopologyArguments& a) {
  const auto one_of = [](const std::string& option, const std::string& word,
                         const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    const std::string near = did_you_mean(word, known);
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    throw UsageError(fmt::format("--{} '{}' is none of {}", option, word, all),
                     near.empty() ? kSeeTopology : fmt::format("did you mean '{}'?", near));
  };
  one_of("format", a.format, {"text", "json", "dot", "svg"});
  if (!a.view.empty()) one_of("view", a.view, {"fabric", "node"});
  if (!a.view.empty() && a.format != "dot" && a.format != "svg")
    throw UsageError("--view chooses a drawing and belongs to --format dot or svg", kSeeTopology);
}

/// The picture must not replace an entry that it is drawn from.
void refuse_catalogue_file(const std::string& folder, const std::string& out) {
  namespace fs = std::filesystem;
  if (folder.empty() || out.empty()) return;
  std::error_code error;  // a folder that cannot be read is told by who reads it
  for (fs::recursive_directory_iterator it(folder, error); !error && it != fs::recursive_directory_iterator{};
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored))
      refuse_same_file({{"a file of the catalogue", it->path().string()}, {"--out", out}});
  }
}

/// Empty: --help was printed.
std::optional<TopologyArguments> parse_topology(const Arguments& arguments) {
  CommandLine line(
      "topology", "SCENARIO|NODE|SYSTEM [options]",
      "The interconnect of a scenario's fleet, of one node or of a whole system of the catalogue: what\n"
      "hangs where, switches and cables, all-reduce bandwidth and its bottleneck from 2 GPUs on. With\n"
      "--model also how one optimiser step splits and how well it scales. Drawings: dot and svg.",
      "fleetsim topology supermicro-8x-rtx3090 --model gnmt\n"
      "  fleetsim topology scenarios/lab-66-33.yaml --format svg --out fabric.svg");
  TopologyArguments a;
  std::string gpus;
  line.options.add_options()("target", po::value(&a.target.word), "")(
      "model", po::value(&a.model)->value_name("NAME"), "a model of the catalogue: step time and efficiency")(
      "gpus", po::value(&gpus)->value_name("N"), "the largest job looked at; default: all GPUs")(
      "format", po::value(&a.format)->default_value("text")->value_name("text|json|dot|svg"),
      "figures, or a drawing")("view", po::value(&a.view)->value_name("fabric|node"),
                               "what is drawn; default: the fabric where there is one")(
      "out", po::value(&a.out)->value_name("FILE"), "instead of standard output")(
      "set", po::value(&a.target.set)->composing()->value_name("PATH=VALUE"),
      "changes a key of the scenario; repeatable")("catalog", po::value(&a.target.catalog)->value_name("DIR"),
                                                   "added to the built-in catalogue");
  line.positional.add("target", 1);
  po::variables_map values;
  if (!line.parse(arguments, values)) return std::nullopt;
  if (a.target.word.empty()) throw UsageError("topology of which scenario, node or system?", kSeeTopology);
  if (values.count("gpus") != 0) a.gpus = static_cast<int>(whole_number("gpus", gpus, 1, 10'000'000, kSeeTopology));
  check_words(a);
  refuse_same_file({{"the scenario", a.target.word}, {"--out", a.out}});
  refuse_catalogue_file(a.target.catalog, a.out);
  return a;
}

const ModelType* model_named(const Catalog& catalog, const std::string& name) {
  if (name.empty()) return nullptr;
  if (const ModelType* model = catalog.model(name)) {
    if (model->reference_step.value > Duration{}) return model;
    throw UsageError(
        fmt::format("model '{}' has no measured speed on any GPU, so its step time is unknown", name),
        "give it a 'reference' in a catalogue of your own (--catalog DIR)");
  }
  const std::string near = did_you_mean(name, catalog.names(CatalogKind::models));
  throw UsageError(
      fmt::format("the catalogue has no model '{}'", name),
      near.empty() ? "'fleetsim catalog list models' names them" : fmt::format("did you mean '{}'?", near));
}

/// The drawing, its words for those who cannot see it, and its file name.
Drawing drawing_of(const TopologyTarget& target, const Fabric& fabric, std::string view) {
  if (view.empty()) view = fabric.size() > 1 ? "fabric" : "node";
  Drawing out;
  out.chart = "dot";
  out.name = view;
  const FabricCounts counts = fabric.counts();
  if (view == "fabric") {
    out.data = fabric.to_dot();
    out.alt = fmt::format("Network of {}: {}, {}, {}.", target.title, counted(counts.nodes, "node"),
                          counted(counts.leaf_switches, "leaf switch", "leaf switches"),
                          counted(counts.spine_switches, "spine switch", "spine switches"));
  } else {
    out.data = fabric.node_to_dot(NodeId{});
    out.alt = fmt::format("Inside of {}: CPUs, switches, {}.", fabric.node(NodeId{}).title,
                          counted(fabric.node(NodeId{}).gpus, "GPU"));
  }
  return out;
}

std::string output_of(const TopologyArguments& a, const ResolvedTarget& resolved) {
  const TopologyTarget& target = resolved.target;
  const ModelType* model = model_named(resolved.known.catalog(), a.model);
  try {
    const Fabric fabric = fabric_of(target);
    if (a.format == "dot") return drawing_of(target, fabric, a.view).data;
    if (a.format == "svg") return svg_of(drawing_of(target, fabric, a.view));
    const TopologyFigures figures = topology_figures(target, fabric, model, a.gpus);
    return a.format == "json" ? topology_json(figures).dump(2) + "\n" : topology_text(figures);
  } catch (const std::invalid_argument& e) {
    throw UsageError(fmt::format("{}: {}", target.name, e.what()));
  }
}

int topology(const Arguments& arguments) {
  const auto a = parse_topology(arguments);
  if (!a) return kFine;
  const auto resolved = resolve_target(a->target);
  if (!resolved) return kWrongInput;
  const std::string text = output_of(*a, *resolved);
  if (a->out.empty()) {
    print(text);
  } else {
    write_file(a->out, text);
  }
  return kFine;
}

const RegisterCommand kTopology{
    {"topology", "the interconnect: links, bottlenecks, all-reduce bandwidth, scaling", 65, topology}};

}  // namespace
}  // namespace fleetsim::cli
