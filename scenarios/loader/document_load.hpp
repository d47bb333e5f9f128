// From a document, however it came about, to a scenario. For the files of this folder.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "scenarios/loader/load.hpp"
#include "scenarios/loader/sections.hpp"

namespace fleetsim {

struct DocumentOptions {
  const Catalog& catalog;
  std::string file{};      ///< that paths in the document are relative to the folder of
  bool open_files = true;  ///< as LoadOptions
  std::string today{};     ///< as LoadOptions
  /// A trace that is in memory already, and the name by which the document means it.
  std::shared_ptr<const Trace> known_trace{};
  std::string known_trace_file{};
  /// Points of axes are made and checked once the document is sound. Null: they are not.
  std::shared_ptr<const Catalog> check_axes_with{};
};

/// All faults go to `diagnostics`; empty when there are errors.
[[nodiscard]] std::optional<LoadedScenario> load_document(const YamlPtr& root, const DocumentOptions& options,
                                                          Diagnostics& diagnostics);

/// Makes every point of the axes of `scenario`, choices and conditions apart, and reports at the axis what
/// the scenario refuses.
void check_axes(Reader& file, const Scenario& scenario, const std::shared_ptr<const Catalog>& catalog,
                const std::string& today);

}  // namespace fleetsim
