#include "sim/study/alternatives.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/economics/economics.hpp"

namespace fleetsim {

namespace {

const Summary* hours_of(const CandidateResult& c, double k) {
  for (const ObjectiveValue& value : c.objective)
    if (std::abs(value.k - k) <= 1e-9 * k) return &value.hours;
  return nullptr;
}

/// Whether `a` is to be chosen over `b`.
bool better(const CandidateResult& a, const CandidateResult& b, double k) {
  if (a.feasible != b.feasible) return a.feasible;
  if (!a.feasible) return a.results_per_week > b.results_per_week;
  const Summary *of_a = hours_of(a, k), *of_b = hours_of(b, k);
  return of_a != nullptr && of_b != nullptr && of_a->mean < of_b->mean;
}

}  // namespace

std::vector<AlternativeRow> side_by_side(const Scenario& base, const StudyResult& study) {
  const double k = base.study.prototypes_per_result;
  std::vector<AlternativeRow> rows;
  for (const Alternative what : base.study.alternatives) {
    AlternativeRow row;
    row.alternative = to_string(what);
    const CandidateResult* chosen = nullptr;
    for (std::size_t i = 0; i < study.candidates.size(); ++i) {
      const CandidateResult& c = study.candidates[i];
      if (c.alternative != what || c.sharing != base.scheduler.sharing) continue;
      ++row.fleets;
      if (chosen != nullptr && !better(c, *chosen, k)) continue;
      chosen = &c;
      row.candidate = static_cast<int>(i);
    }
    if (chosen != nullptr) {
      row.fleet = chosen->label;
      row.feasible = chosen->feasible;
      row.reasons = chosen->reasons;
      row.results_per_week = chosen->results_per_week;
      row.purchase = chosen->capex;
      row.sale = chosen->sale;
      row.three_year_cost = chosen->three_year_cost;
      // A mean over a backlog that grows is a function of the horizon, not a time to a result.
      if (const Summary* hours = hours_of(*chosen, k);
          hours != nullptr && !chosen->saturated && !chosen->end_point)
        row.hours = *hours;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string in_words(const AlternativeRow& row, int years) {
  if (row.candidate < 0)
    return fmt::format("{}: the money buys no node that the room takes, so there is nothing to compare",
                       row.alternative);
  std::string text = row.alternative == std::string("keep") ? std::string("keep (do nothing)") : row.fleet;
  text += fmt::format(": purchase {}", money_text(row.purchase));
  if (row.sale > Money{}) text += fmt::format(", {} from the sale of old nodes", money_text(row.sale));
  text +=
      fmt::format(", {} in {}", money_text(row.three_year_cost), years_text(static_cast<std::size_t>(years)));
  if (row.hours.n > 0) {
    text += fmt::format("; {:.1f} h to a result", row.hours.mean);
    if (std::isfinite(row.hours.ci95_low))
      text += fmt::format(" (95 %: {:.1f} to {:.1f})", row.hours.ci95_low, row.hours.ci95_high);
  } else {
    text += "; no time to a result can be given";
  }
  if (std::isfinite(row.results_per_week))
    text += fmt::format("; {:.2f} results a week", row.results_per_week);
  if (!row.feasible) {
    text += "; not ranked";
    for (const std::string& reason : row.reasons)
      text += (&reason == &row.reasons.front() ? ": " : ", ") + reason;
  }
  return text;
}

}  // namespace fleetsim
