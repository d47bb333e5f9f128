#include "sim/cli/results_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/base/markup.hpp"
#include "sim/cli/command.hpp"
#include "sim/study/errors.hpp"
#include "sim/study/files.hpp"

namespace fleetsim::cli {
namespace {

namespace fs = std::filesystem;

/// What the file says at its top must be what its dossier says: else they are not of one piece.
std::string head_fault(const nlohmann::json& json, const Dossier& dossier) {
  const auto differs = [&](const nlohmann::json::json_pointer& key, const nlohmann::json& value) {
    return !json.contains(key) || json.at(key) != value;
  };
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, nlohmann::json>>{{"/fleetsim", dossier.version},
                                                           {"/scenario/name", dossier.scenario_name},
                                                           {"/scenario/sha256", dossier.scenario_sha256},
                                                           {"/seed", dossier.seed},
                                                           {"/replications", dossier.replications}}) {
    if (differs(nlohmann::json::json_pointer(key), value))
      return fmt::format("'{}' is not what 'dossier' says", key + 1);
  }
  return {};
}

}  // namespace

Dossier dossier_in(const fs::path& path) {
  const std::string text = read_file(path);
  const auto refuse = [&](const std::string& cause) {
    return UsageError(fmt::format("{} cannot be read as results: {}", shown(path), cause),
                      "it may come from another version of fleetsim, or be cut short; run the study again");
  };
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) throw refuse("it is not JSON");
  if (!json.is_object() || !json.contains("dossier")) throw refuse("it has no key 'dossier'");
  const auto& part = json["dossier"];
  Dossier dossier;
  try {
    dossier = dossier_from_json(part.is_string() ? part.get<std::string>() : part.dump());
  } catch (const std::runtime_error& e) {
    throw refuse(e.what());
  }
  if (const std::string fault = head_fault(json, dossier); !fault.empty()) throw refuse(fault);
  return dossier;
}

}  // namespace fleetsim::cli
