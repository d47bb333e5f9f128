// The interval table of one sharing rule.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/sections/split.hpp"
#include "sim/study/candidate_list.hpp"

namespace fleetsim::split {
namespace {

/// Numbers of a column whose head names the unit.
std::string bare_hours(double value) {
  return grouped(value, std::abs(value) < 99.95 ? 1 : 0);
}
std::string two_digits(double value) {
  return grouped(value, 2);
}
std::string points(double value) {
  const std::string text = grouped(value, std::abs(value) < 99.95 ? 1 : 0);
  return (value > 0.0 && std::isfinite(value) && text != "0.0" ? "+" : "") + text;
}

std::string remarks(const Dossier& d, const BestSet* set, int i) {
  const CandidateResult& c = d.study.candidates[static_cast<std::size_t>(i)];
  std::vector<std::string> marks;
  if (i == d.recommended_index && has_answer(d)) marks.emplace_back("recommended");
  if (set != nullptr && set->best != i && names_candidate(set->members, i)) marks.emplace_back("in the best set");
  if (set != nullptr && names_candidate(set->undecided, i)) marks.emplace_back("undecided");
  if (in_band(d.study, c)) marks.emplace_back("in the band");
  if (d.study.rounds && c.last_round == 0) marks.emplace_back("not simulated");
  if (c.last_round > 0 && !c.stopped.empty()) marks.push_back(fmt::format("to round {} only", c.last_round));
  if (c.end_point) marks.emplace_back("end point");
  if (c.saturated) marks.emplace_back("saturated");
  // A mark is reason enough; without one the first reason is printed.
  if (!c.feasible && !c.end_point && !c.saturated && !c.reasons.empty()) {
    marks.push_back(text(c.reasons.front()));
    if (c.reasons.size() > 1) marks.push_back(fmt::format("{} more", c.reasons.size() - 1));
  }
  if (marks.empty() && !c.feasible) marks.emplace_back("breaks a requirement");
  std::string out;
  for (const std::string& mark : marks) out += (out.empty() ? "" : ", ") + mark;
  return out;
}

const BestSet::Difference* difference(const BestSet* set, int candidate) {
  if (set == nullptr) return nullptr;
  for (const BestSet::Difference& one : set->differences)
    if (one.candidate == candidate) return &one;
  return nullptr;
}

std::string caption(const Dossier& d, SharingRule rule, const BestSet* set) {
  const StudyResult& study = d.study;
  if (set == nullptr || set->best < 0)
    return fmt::format("{}: no fleet meets every requirement", title_of(rule));
  const CandidateResult& best = study.candidates[static_cast<std::size_t>(set->best)];
  const bool timed = objective_of(study).of_k;
  std::string out =
      fmt::format("{}{}: {} ({}) is {} with {}", title_of(rule),
                  timed ? ", k = " + k_text(set->k) : std::string(), text(best.label), percent(best.share),
                  timed ? "fastest" : "best", figure_text(study, ranked_figure(study, best, set->k).mean));
  const BestSet::Difference* inside = nullptr;
  for (const BestSet::Difference& one : set->differences) {
    const CandidateResult& c = study.candidates[static_cast<std::size_t>(one.candidate)];
    if (c.feasible && in_band(study, c) && (inside == nullptr || one.percent < inside->percent))
      inside = &one;
  }
  if (study.bought_pools() != 2) return out;
  if (in_band(study, best)) {
    out += fmt::format(", inside the guide's {}", band_text(study));
  } else if (inside != nullptr) {
    const CandidateResult& c = study.candidates[static_cast<std::size_t>(inside->candidate)];
    out += fmt::format("; {}, inside the guide's {}, {}", text(c.label), band_text(study),
                       worse_text(objective_of(study), grouped(inside->percent, 1) + kNbsp + "%"));
  } else {
    out += fmt::format("; no ranked fleet lies inside the guide's {}", band_text(study));
  }
  return out;
}

}  // namespace

Table interval_table(const Dossier& d, SharingRule rule) {
  const StudyResult& study = d.study;
  const BestSet* set = best_set(study, rule, d.k);
  const Objective& objective = objective_of(study);
  Table table;
  table.columns = {{"Fleet"},
                   {"Share", Align::right},
                   {objective.column, Align::right},
                   {objective.of_k ? "95 % interval, h" : "95 % interval", Align::right},
                   {"Against the best, %", Align::right},
                   {"95 % interval, %", Align::right}};
  if (!objective.larger_is_better) table.columns.push_back({"Results a week", Align::right});
  table.columns.push_back({"Remarks"});
  const auto bare = objective.of_k ? bare_hours : two_digits;
  for (const int i : candidates_of(study, rule)) {
    const CandidateResult& c = study.candidates[static_cast<std::size_t>(i)];
    const Summary figure = ranked_figure(study, c, d.k);
    const bool known = figure.n > 0 && !c.saturated;
    std::string low = kNone, against = kNone, interval = kNone;
    if (const BestSet::Difference* paired = difference(set, i); set != nullptr && set->best == i) {
      against = "best";
    } else if (paired != nullptr && c.feasible) {
      against = points(paired->percent);
      interval = between(paired->low, paired->high, points);
    }
    if (known && !objective.money) low = between(figure.ci95_low, figure.ci95_high, bare);
    const std::string label = text(c.label);
    std::vector<std::string> row{i == d.recommended_index && has_answer(d) ? bold(label) : label,
                                 percent(c.share),
                                 known ? bare(figure.mean) : std::string(kNone),
                                 low,
                                 against,
                                 interval};
    if (!objective.larger_is_better) row.push_back(grouped(c.results_per_week, 2));
    row.push_back(remarks(d, set, i));
    table.rows.push_back(std::move(row));
  }
  table.caption = caption(d, rule, set);
  return table;
}

}  // namespace fleetsim::split
