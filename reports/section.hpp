// A section of the report: one file in sections/, registered with its place. Sections read the Dossier,
// nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/doc.hpp"
#include "sim/study/dossier.hpp"

namespace fleetsim {

/// What the report knows beside the dossier.
struct ReportContext {
  std::string date;                                        ///< as printed, e.g. 30 November 2026
  std::vector<std::pair<std::string, std::string>> tools;  ///< tool, version line
};

struct Section {
  int order = 0;  ///< place in the report
  std::string_view name;
  void (*build)(const Dossier&, const ReportContext&,
                std::vector<Block>&) = nullptr;  ///< adds nothing when it has nothing to say
};

/// At namespace scope of a section's file: const RegisterSection kCost{{30, "cost", build}};
struct RegisterSection {
  explicit RegisterSection(Section section);
};
/// By order; equal orders by name, so that link order does not matter.
[[nodiscard]] const std::vector<Section>& sections();

/// The whole report. Throws nothing; a dossier without figures gives shorter sections.
[[nodiscard]] Doc make_doc(const Dossier& dossier, const ReportContext& context);

}  // namespace fleetsim
