// The report of a dossier as text, and questions to it.
#pragma once

#include <string>

#include "reports/markdown.hpp"
#include "reports/section.hpp"

namespace fleetsim::test {

/// As Markdown, made on 30 November 2026.
inline std::string report_markdown(const Dossier& dossier) {
  return to_markdown(make_doc(dossier, {"30 November 2026", {{"pandoc", "pandoc 2.17"}}}));
}
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace fleetsim::test
