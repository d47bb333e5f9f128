#include "sim/cli/inverse_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/cli/table.hpp"

namespace fleetsim::cli {

namespace {

/// Rules of the fleets, `first` before the others.
std::vector<SharingRule> rules_in(const MostDemand& most, SharingRule first) {
  std::vector<SharingRule> rules;
  for (const FleetDemand& f : most.fleets)
    if (std::find(rules.begin(), rules.end(), f.sharing) == rules.end()) rules.push_back(f.sharing);
  std::stable_partition(rules.begin(), rules.end(), [&](SharingRule r) { return r == first; });
  return rules;
}

const char* mark(Keeps keeps) {
  return keeps == Keeps::surely ? "yes" : keeps == Keeps::open ? "?" : "no";
}

/// Why a fleet carries no more: what the first demand that it does not surely carry breaks, or may break.
std::string limiting(const FleetDemand& fleet) {
  const std::size_t first = fleet.carried.kept;
  return first < fleet.judged.size() ? fleet.judged[first].reason : std::string();
}

}  // namespace

std::string least_fleets_text(const Scenario& base, const StudyResult& study) {
  std::string own, others;
  for (const LeastFleet& least : study.least)
    (least.sharing == base.scheduler.sharing ? own : others) += least_fleet_text(least) + "\n";
  return own.empty() && others.empty() ? std::string() : "\nThe least fleet\n" + own + others;
}

std::string most_demand_text(const Scenario& base, const MostDemand& most) {
  std::string text, sentences;
  for (const SharingRule rule : rules_in(most, base.scheduler.sharing)) {
    Rows rows{{"fleet"}};
    for (std::size_t v = 0; v < most.values.size(); ++v) rows.front().push_back(most.values[v]);
    rows.front().emplace_back("not surely more, because");
    for (const FleetDemand& f : most.fleets) {
      if (f.sharing != rule) continue;
      std::vector<std::string> row{f.fleet + (f.place.empty() ? "" : ", " + f.place)};
      for (const LimitsJudgement& j : f.judged) row.emplace_back(mark(j.keeps));
      row.push_back(limiting(f));
      rows.push_back(std::move(row));
    }
    text += fmt::format("\nDemand carried within the limits by {}, sharing: {}\n{}", most.path,
                        to_string(rule), aligned(rows, 1, true));
    for (const std::string& one : most_demand_sentences(most, rule)) sentences += one + "\n";
  }
  return text + "yes: surely keeps every limit; no: surely breaks one; ?: open\n" + sentences +
         most_demand_guarantee(most) + "\n";
}

}  // namespace fleetsim::cli
