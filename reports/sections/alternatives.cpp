// Keep, add or replace: what becomes of the nodes that are there, side by side.
#include <fmt/format.h>

#include <cmath>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string title_of(const AlternativeRow& row) {
  return row.alternative == "keep" ? "keep (do nothing)"
                                   : text(row.fleet.empty() ? row.alternative : row.fleet);
}

const AlternativeRow* fastest(const StudyResult& study) {
  const AlternativeRow* best = nullptr;
  for (const AlternativeRow& row : study.alternatives) {
    if (!row.feasible || row.hours.n == 0) continue;
    if (best == nullptr || row.hours.mean < best->hours.mean) best = &row;
  }
  return best;
}

std::string caption(const StudyResult& study) {
  const AlternativeRow* best = fastest(study);
  if (best == nullptr)
    return "What becomes of the nodes that are there: no alternative meets every requirement";
  return fmt::format("What becomes of the nodes that are there: {} gives a result soonest, after {}",
                     title_of(*best), hours(best->hours.mean));
}

void alternatives_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.study.alternatives.empty()) return;
  out.emplace_back(Heading{1, "Keep, add or replace"});
  Table table;
  table.columns = {{"Alternative"},
                   {"Purchase", Align::right},
                   {"Sale of old nodes", Align::right},
                   {fmt::format("Cost in {}", years_text(d.cost.total_by_year.size())), Align::right},
                   {"Time to result", Align::right},
                   {"95 % interval", Align::right},
                   {"Results a week", Align::right},
                   {"Remarks"}};
  for (const AlternativeRow& row : d.study.alternatives) {
    if (row.candidate < 0) {
      table.rows.push_back(
          {title_of(row), kNone, kNone, kNone, kNone, kNone, kNone, "the money buys no node"});
      continue;
    }
    std::string remarks = row.feasible ? "" : "not ranked";
    if (!row.feasible && !row.reasons.empty()) remarks += ": " + text(row.reasons.front());
    const bool timed = row.hours.n > 0;
    table.rows.push_back(
        {title_of(row), dollars(row.purchase), dollars(row.sale), dollars(row.three_year_cost),
         timed ? hours(row.hours.mean) : std::string(kNone),
         timed ? between(row.hours.ci95_low, row.hours.ci95_high, hours) : std::string(kNone),
         grouped(row.results_per_week, 2), remarks});
  }
  table.caption = caption(d.study);
  out.emplace_back(std::move(table));
  out.emplace_back(
      Paragraph{"Each alternative stands with the fleet that gives a result soonest under the scenario's own "
                "sharing rule, or, "
                "where none meets every requirement, with the one that delivers most results a week. Old "
                "nodes cost nothing to "
                "buy; they draw power, and support is not paid for them. Sold, they bring what the scenario "
                "says, which is paid "
                "into the purchase of the new ones. The work of moving is not counted."});
}

const RegisterSection kAlternatives{{35, "alternatives", alternatives_section}};

}  // namespace
}  // namespace fleetsim
