#include "reports/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/markdown.hpp"

namespace fleetsim {

namespace {

std::vector<Section>& registry() {
  static std::vector<Section> all;
  return all;
}

}  // namespace

RegisterSection::RegisterSection(Section section) {
  auto& all = registry();
  const auto before = [](const Section& a, const Section& b) {
    return std::tie(a.order, a.name) < std::tie(b.order, b.name);
  };
  all.insert(std::upper_bound(all.begin(), all.end(), section, before), section);
}

const std::vector<Section>& sections() {
  return registry();
}

Doc make_doc(const Dossier& dossier, const ReportContext& context) {
  const bool study = dossier.kind == "study";
  Doc doc;
  doc.title = study ? "GPU cluster procurement" : "GPU cluster simulation";
  doc.subtitle = fmt::format("{}: {}", study ? "Recommendation" : "One fleet", text(dossier.scenario_name));
  doc.date = text(context.date);
  doc.scenario = text(dossier.scenario_sha256.substr(0, 12));
  doc.seed = fmt::format("{}", dossier.seed);
  doc.version = text("fleetsim " + dossier.version);
  doc.description = study ? "Recommended GPU purchase, cost, expected queue wait and how sure the answer is."
                          : "Cost, queue wait and utilisation of one simulated GPU fleet.";
  for (const Section& section : sections()) section.build(dossier, context, doc.blocks);
  return doc;
}

}  // namespace fleetsim
