// The most demand that each fleet carries: what is sure, what is too much, what is open.
#include <fmt/format.h>

#include <algorithm>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string sure_value(const MostDemand& most, const FleetDemand& fleet) {
  return fleet.carried.kept == 0 ? std::string(kNone) : text(most.values[fleet.carried.kept - 1]);
}

std::string refused_value(const MostDemand& most, const FleetDemand& fleet) {
  return fleet.carried.broken == 0 ? std::string(kNone)
                                   : text(most.values[most.values.size() - fleet.carried.broken]);
}

/// What the first demand that is not surely carried breaks, or may break.
std::string why_no_more(const FleetDemand& fleet) {
  if (fleet.carried.kept == fleet.judged.size()) return "nothing larger was tried";
  const std::string reason = text(fleet.judged[fleet.carried.kept].reason);
  return fleet.carried.monotone ? reason : reason + "; not monotone";
}

Table demand_table(const MostDemand& most, SharingRule rule) {
  const bool places = std::any_of(most.fleets.begin(), most.fleets.end(),
                                  [](const FleetDemand& f) { return !f.place.empty(); });
  Table table;
  table.columns = {{"Fleet"}};
  if (places) table.columns.push_back({"At"});
  table.columns.push_back({"Surely carried", Align::right});
  table.columns.push_back({"Surely too much", Align::right});
  table.columns.push_back({"Why not surely more"});
  for (const FleetDemand& f : most.fleets) {
    if (f.sharing != rule) continue;
    std::vector<std::string> row{text(f.fleet)};
    if (places) row.push_back(text(f.place));
    row.insert(row.end(), {sure_value(most, f), refused_value(most, f), why_no_more(f)});
    table.rows.push_back(std::move(row));
  }
  std::string caption;
  for (const std::string& one : most_demand_sentences(most, rule))
    caption += (caption.empty() ? "" : " ") + text(one);
  if (!caption.empty()) caption.pop_back();  // captions end without a full stop
  table.caption = caption;
  return table;
}

void build_most_demand(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.most_demand) return;
  const MostDemand& most = *d.study.most_demand;
  out.emplace_back(Heading{1, "The most demand that a fleet carries"});
  std::vector<std::string> values, limits{"unserved and unfinished work at most 1 %", "no growing backlog"};
  for (const std::string& value : most.values) values.push_back(text(value));
  for (const std::string& limit : most.limits) limits.push_back(code(limit));
  out.emplace_back(
      Paragraph{fmt::format("Each fleet was simulated at {} of {} ({}) and held against its limits: {}. {}",
                            count(static_cast<long long>(values.size()), "value"), code(most.path),
                            listed(values), listed(limits), text(most_demand_guarantee(most)))});
  for (const SharingRule rule : sharing_rules(d)) {
    Table table = demand_table(most, rule);
    if (!table.rows.empty()) out.emplace_back(std::move(table));
  }
}

const RegisterSection kMostDemand{{44, "most_demand", build_most_demand}};

}  // namespace
}  // namespace fleetsim
