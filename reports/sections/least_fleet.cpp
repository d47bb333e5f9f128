// The least fleet that carries the demand within its limits, with its interval of prices, and what the next
// smaller ones break.
#include <fmt/format.h>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string fleet_and_price(const PricedFleet& fleet) {
  return fleet.fleet.empty() ? std::string(kNone)
                             : fmt::format("{} ({})", text(fleet.fleet), dollars(fleet.price));
}

void build_least_fleet(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.study.least.empty()) return;
  out.emplace_back(Heading{1, "The least fleet that carries this demand"});
  Table table;
  table.columns = {{"Sharing"},
                   {"Least by its means"},
                   {"Surely not cheaper than"},
                   {"Surely not dearer than"},
                   {"Open below that", Align::right}};
  for (const SharingRule rule : sharing_rules(d)) {
    for (const LeastFleet& least : d.study.least) {
      if (least.sharing != rule) continue;
      if (rule == d.sharing) out.emplace_back(Paragraph{text(least_fleet_text(least))});
      table.rows.push_back({title_of(rule), fleet_and_price(least.by_mean), fleet_and_price(least.low),
                            fleet_and_price(least.high), grouped(least.open)});
    }
  }
  table.caption = fmt::format(
      "The least fleet under each sharing rule, with {} of each interval; a fleet is open where an "
      "interval is too wide to say whether it keeps every limit",
      percent(d.study.least.front().confidence));
  out.emplace_back(std::move(table));
}

const RegisterSection kLeastFleet{{42, "least_fleet", build_least_fleet}};

}  // namespace
}  // namespace fleetsim
