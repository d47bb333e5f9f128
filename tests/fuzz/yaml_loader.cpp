// Any bytes as a scenario file: the loader answers with faults that have a place, or with a scenario whose
// dump loads to itself. It never throws, hangs or reads past an end. No file is opened: a trace is refused
// first.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "scenarios/loader/catalog.hpp"
#include "scenarios/loader/load.hpp"

using namespace fleetsim;

/// The built-in catalogue is read once, at no input's expense: under sanitizers that takes seconds.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return Catalog::builtin().advice_names().empty() ? 1 : 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  LoadOptions options;
  options.open_files = false;
  Diagnostics diagnostics;
  const auto loaded = load_scenario_text("fuzz.yaml", text, options, diagnostics);
  if (loaded.has_value() == diagnostics.has_errors()) std::abort();
  for (const Diagnostic& d : diagnostics.sorted()) {
    if (d.pos.line < 1 || d.pos.column < 1 || render(d, text).empty()) std::abort();
  }
  if (!loaded) return 0;
  Diagnostics none;
  const auto again = load_scenario_text("dump.yaml", loaded->canonical, options, none);
  if (!again || again->canonical != loaded->canonical) std::abort();
  return 0;
}
