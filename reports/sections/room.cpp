// Room and rules: what the checks of the site found of this fleet, with remedy, and the fleets that they
// refuse.
#include <fmt/format.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

using facility::Finding;
using facility::Severity;

constexpr std::size_t kMostShown = 20;

std::string severity_title(Severity severity) {
  return severity == Severity::hard ? bold("refused") : severity == Severity::soft ? "warning" : "note";
}

Table findings(const Dossier& d) {
  Table table;
  table.columns = {{""}, {"Check"}, {"Place"}, {"Finding"}, {"Remedy"}};
  int hard = 0;
  for (const Finding& f : d.facility) {
    hard += f.severity == Severity::hard ? 1 : 0;
    table.rows.push_back({severity_title(f.severity), text(f.check), code(f.place), text(f.message),
                          f.remedy.empty() ? std::string(kNone) : text(f.remedy)});
  }
  table.caption =
      fmt::format("What the room and the rules say of this fleet: {}",
                  hard > 0 ? count(hard, "reason", "reasons") + " to refuse it" : "nothing refuses it");
  return table;
}

void refused_fleets(const Dossier& d, std::vector<Block>& out) {
  const std::vector<RejectedFleet>& rejected = d.study.rejected;
  if (rejected.empty()) return;
  out.emplace_back(
      Paragraph{fmt::format("{} not simulated, because the room or the rules refuse {}:",
                            count(static_cast<long long>(rejected.size()), "fleet was", "fleets were"),
                            rejected.size() == 1 ? "it" : "them")});
  std::vector<std::string> items;
  for (std::size_t i = 0; i < rejected.size() && i < kMostShown; ++i)
    items.push_back(text(rejected[i].label + ": " + rejected[i].reason));
  if (rejected.size() > kMostShown)
    items.push_back(fmt::format("and {} more, listed in study.json", rejected.size() - kMostShown));
  out.emplace_back(BulletList{items});
}

void room_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.facility.empty() && d.study.rejected.empty()) return;
  out.emplace_back(Heading{1, "Room and rules"});
  if (!d.facility.empty()) out.emplace_back(findings(d));
  refused_fleets(d, out);
}

const RegisterSection kRoom{{25, "room", room_section}};

}  // namespace
}  // namespace fleetsim
