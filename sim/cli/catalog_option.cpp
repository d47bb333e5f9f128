#include "sim/cli/catalog_option.hpp"
#include "sim/cli/scenario_options.hpp"

#include <map>

#include "sim/base/diagnostic.hpp"
#include "sim/cli/command.hpp"

namespace fleetsim::cli {

CatalogOption catalog_option(const std::string& folder) {
  CatalogOption out;
  if (folder.empty()) return out;
  Diagnostics diagnostics;
  std::map<std::string, std::string> sources;
  out.own = Catalog::with_folder(folder, diagnostics, &sources, today());
  for (const Diagnostic& d : diagnostics.sorted()) {
    const auto source = sources.find(d.pos.file);
    std::string text = render(d, source == sources.end() ? std::string{} : source->second);
    if (!text.empty() && text.back() == '\n') text.pop_back();  // note() adds one
    note(text);
  }
  out.usable = !diagnostics.has_errors();
  return out;
}

}  // namespace fleetsim::cli
