#include "sim/cli/topology_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/assert.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

namespace fs = std::filesystem;

bool is_path(const std::string& word) {
  return word.find('/') != std::string::npos || word.ends_with(".yaml") || word.ends_with(".yml");
}

/// Scenario files beside the one that was meant.
std::vector<std::string> files_beside(const std::string& word) {
  const fs::path folder = fs::path(word).parent_path();
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error);
       !error && it != fs::directory_iterator{}; it.increment(error)) {
    if (it->path().extension() == ".yaml") names.push_back((folder / it->path().filename()).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<TopologyTarget> scenario_target(const TargetRequest& request) {
  const auto loaded = open_scenario(request.word, request.set, request.catalog);
  if (!loaded) return std::nullopt;
  const Scenario& scenario = loaded->scenario;
  TopologyTarget out{scenario.name, scenario.name, "scenario", {}, scenario.fabric, {}, {}};
  for (const NodePool& pool : scenario.pools) out.pools.push_back({pool.name, pool.node, pool.count});
  for (const JobClass& job_class : scenario.workload.classes) {
    if (!job_class.model) continue;
    const std::string& name = job_class.model->name;
    if (std::find(out.models.begin(), out.models.end(), name) == out.models.end()) out.models.push_back(name);
  }
  return out;
}

[[noreturn]] void refuse_unknown(const Catalog& catalog, const std::string& word) {
  std::vector<std::string> known = catalog.names(CatalogKind::systems);
  for (const std::string& name : catalog.names(CatalogKind::nodes)) known.push_back(name);
  for (const std::string& file : files_beside(word)) known.push_back(file);
  const std::string near = did_you_mean(word, known);
  if (is_path(word))
    throw EnvironmentError(fmt::format("cannot read {}: there is no such file{}", shown(word),
                                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  throw UsageError(fmt::format("'{}' is neither a scenario file nor a node or system of the catalogue", word),
                   near.empty() ? "'fleetsim catalog list nodes' and 'list systems' name them"
                                : fmt::format("did you mean '{}'?", near));
}

}  // namespace

std::optional<ResolvedTarget> resolve_target(const TargetRequest& request) {
  ResolvedTarget out;
  out.known = catalog_option(request.catalog);
  if (!out.known.usable) return std::nullopt;
  const Catalog& catalog = out.known.catalog();
  const NodeType* node = catalog.node(request.word);
  const SystemType* system = catalog.system(request.word);
  if ((node != nullptr || system != nullptr) && !request.set.empty())
    throw UsageError(fmt::format("--set changes a scenario, and '{}' is of the catalogue", request.word),
                     "write a scenario, or an entry of your own for --catalog");
  if (node != nullptr) {
    out.target = {node->name, node->title, "node", {{"", *node, 1}}, {}, {}, {}};
    return out;
  }
  if (system != nullptr) {
    node = catalog.node(system->node);
    FLEETSIM_ASSERT(node != nullptr);  // the loader refuses a system of an unknown node
    out.target = {system->name, system->title, "system", {{"", *node, system->nodes}}, system->fabric,
                  {},           system->from};
    return out;
  }
  std::error_code ignored;
  if (!fs::exists(request.word, ignored)) refuse_unknown(catalog, request.word);
  auto target = scenario_target(request);
  if (!target) return std::nullopt;
  out.target = std::move(*target);
  return out;
}

}  // namespace fleetsim::cli
