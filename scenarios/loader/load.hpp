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

/// Candidates of the study: every maximal fleet (or the one given) under each sharing rule of `rules`, rules
/// outermost, fleets by ascending share of the scale-up pool.
[[nodiscard]] std::unique_ptr<CandidateSource> make_candidates(const Scenario& base,
                                                               const std::vector<SharingRule>& rules);

}  // namespace fleetsim
