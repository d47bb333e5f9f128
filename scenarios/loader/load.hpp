// YAML -> Scenario. All faults at once, each with its place.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/scenario.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

struct LoadOptions {
  std::vector<std::string> set;  ///< PATH=VALUE, applied to the document before it is read
  std::string catalog_folder{};  ///< added to the built-in catalogue; empty: none
  bool open_files = true;        ///< false: the trace of the workload is neither looked for nor read
  std::string today{};  ///< YYYY-MM-DD: later dates of the scenario's prices are faults; empty: any will do
};

struct LoadedScenario {
  Scenario scenario;      ///< counts resolved
  std::string canonical;  ///< canonical dump: defaults written out, keys in schema order, no comments; loads
                          ///< to the same scenario
  std::string sha256;     ///< of `canonical`, lower-case hex
  /// What `workload.demand` set, a line a figure; the canonical text has the figures.
  std::vector<std::string> demand_set;
};

/// Reads and checks a scenario file. Empty when there are errors (all in `diagnostics`). `source` receives
/// the text, for caret lines. Throws EnvironmentError when the file cannot be read.
[[nodiscard]] std::optional<LoadedScenario> load_scenario(const std::filesystem::path& file,
                                                          const LoadOptions& options,
                                                          Diagnostics& diagnostics, std::string& source);

/// The same from memory; `file` is what diagnostics call it, and trace files are relative to its folder.
[[nodiscard]] std::optional<LoadedScenario> load_scenario_text(const std::string& file,
                                                               const std::string& text,
                                                               const LoadOptions& options,
                                                               Diagnostics& diagnostics);

/// Canonical text of a scenario; `load` of it gives the same scenario and the same text.
[[nodiscard]] std::string dump_scenario(const Scenario& scenario);
[[nodiscard]] std::string sha256_hex(const std::string& text);

/// Candidates of the study: every maximal fleet (or the one given) at every point of the axes of choices
/// under each sharing rule of `rules`; rules outermost, then choices, fleets by ascending share of the
/// scale-up pool. Equal candidates are there once, under the first label. `catalog_folder`: as in
/// LoadOptions. Throws std::invalid_argument when a point cannot be made here (the loader makes those of a
/// scenario). Cost: a scenario in memory for each point of the choices, a list of counts for each fleet.
[[nodiscard]] std::unique_ptr<CandidateSource> make_candidates(const Scenario& base,
                                                               const std::vector<SharingRule>& rules,
                                                               const std::string& catalog_folder = {});

/// The points of the axes of conditions: scenarios of their own, the last axis fastest.
class ScenarioCells {
 public:
  virtual ~ScenarioCells() = default;
  [[nodiscard]] virtual const std::vector<MapAxis>& axes() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual std::vector<std::size_t> at(std::size_t i) const = 0;
  /// Without axes of conditions and without price draws.
  [[nodiscard]] virtual Scenario make(std::size_t i) const = 0;
};
/// Null where the scenario has no such axes. `catalog_folder`, `today`: as in LoadOptions.
[[nodiscard]] std::unique_ptr<ScenarioCells> make_cells(const Scenario& base,
                                                        const std::string& catalog_folder,
                                                        const std::string& today);

}  // namespace fleetsim
