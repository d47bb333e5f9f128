#include "sim/cli/study_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/cli/credibility_text.hpp"
#include "sim/cli/front_text.hpp"
#include "sim/cli/inverse_text.hpp"
#include "sim/cli/map_text.hpp"
#include "sim/cli/pooling_text.hpp"
#include "sim/cli/rounds_text.hpp"
#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"
#include "sim/metrics/trace_scope.hpp"
#include "sim/study/alternatives.hpp"
#include "sim/study/candidate_list.hpp"
#include "sim/study/objectives/objective.hpp"
#include "sim/study/verdict.hpp"
#include "sim/workload/groups.hpp"

namespace fleetsim::cli {

namespace {

using Cells = std::vector<std::string>;

std::string with_interval(const Summary& s, int digits) {
  if (s.n == 0 || std::isnan(s.mean)) return "-";
  if (!std::isfinite(s.ci95_low)) return fmt::format("{:.{}f}", s.mean, digits);
  return fmt::format("{:.{}f} +-{:.{}f}", s.mean, digits, (s.ci95_high - s.ci95_low) / 2.0, digits);
}

std::string mean_hours(const std::vector<ClassSummary>& sets, std::size_t which, const char* metric) {
  if (which >= sets.size()) return "-";
  const auto& metrics = sets[which].metrics;
  const auto found = metrics.find(metric);
  if (found == metrics.end() || std::isnan(found->second.mean)) return "-";
  return fmt::format("{:.1f}", found->second.mean / 3600.0);
}

std::string remark(const CandidateResult& c, const BestSet* set, int candidate, bool rounds) {
  if (rounds && c.last_round == 0) return "not simulated";
  if (c.end_point) return "not ranked: end point";
  if (c.saturated) return "not ranked: saturated";
  if (!c.feasible) return "not ranked";
  if (set == nullptr) return "";
  if (candidate == set->best) return "BEST";
  if (names_candidate(set->members, candidate)) return "in the best set";
  if (names_candidate(set->undecided, candidate)) return "undecided";
  return "worse";
}

/// Why fleets are not ranked, a line each.
std::string reasons(const StudyResult& study, SharingRule rule) {
  std::string text;
  for (const CandidateResult& c : study.candidates) {
    if (c.sharing != rule || c.feasible) continue;
    text += fmt::format("  {} is not ranked:", c.label);
    for (const std::string& reason : c.reasons) text += (&reason == &c.reasons.front() ? " " : "; ") + reason;
    text += "\n";
  }
  return text;
}

const BestSet::Difference* difference_of(const BestSet* set, int candidate) {
  if (set == nullptr) return nullptr;
  for (const BestSet::Difference& d : set->differences) {
    if (d.candidate == candidate) return &d;
  }
  return nullptr;
}

std::string difference_text(const BestSet* set, int candidate) {
  const BestSet::Difference* d = difference_of(set, candidate);
  if (d == nullptr) return "-";
  if (candidate == set->best) return "0";
  if (!std::isfinite(d->low)) return fmt::format("{:+.1f}", d->percent);
  return fmt::format("{:+.1f} ({:+.1f} to {:+.1f})", d->percent, d->low, d->high);
}

struct ShownClass {
  std::string name;
  ClassId job_class{};
};
/// Classes whose waits are shown: the chain's two, or all of them, and the trace, where no class promotes.
std::vector<ShownClass> shown_classes(const Scenario& base) {
  const auto& classes = base.workload.classes;
  if (const auto chain = result_chain(base))
    return {{classes[index(chain->prototype)].name, chain->prototype},
            {classes[index(chain->result)].name, chain->result}};
  std::vector<ShownClass> all;
  for (const JobClass& c : classes) all.push_back({c.name, static_cast<ClassId>(all.size())});
  if (base.workload.trace) all.push_back({kTraceScope, static_cast<ClassId>(all.size())});
  return all;
}

Cells heading(const Scenario& base, const StudyResult& study) {
  const Objective& objective = objective_named(study.objective);
  Cells row{"fleet", "share %"};
  for (const double k : study.ks) row.push_back(fmt::format("h, k={:.4g}", k));
  if (!objective.of_k) row.emplace_back(objective.column);
  row.emplace_back("% to best (95 %)");
  for (const ShownClass& shown : shown_classes(base)) row.push_back(shown.name + " p95 h");
  for (const std::string& group : group_scopes(base.workload)) row.push_back("group " + group + " p95 h");
  row.emplace_back("utilisation");
  if (!objective.larger_is_better) row.emplace_back("results/week");
  row.emplace_back("remarks");
  return row;
}

Cells candidate_row(const Scenario& base, const StudyResult& study, const BestSet* set, int candidate) {
  const CandidateResult& c = study.candidates[static_cast<std::size_t>(candidate)];
  const Objective& objective = objective_named(study.objective);
  Cells row{c.label, fmt::format("{:.0f}", 100.0 * c.share)};
  if (objective.money)
    row.push_back(fmt::format("{:.0f}", objective.value(c, base.study.prototypes_per_result).mean));
  else if (!objective.of_k)
    row.push_back(c.end_point ? "-" : with_interval(objective.value(c, base.study.prototypes_per_result), 2));
  for (const ObjectiveValue& value : c.objective) {
    // A mean over a backlog that grows is a function of the horizon: shown as "-", never beside a ranked one.
    std::string text = c.saturated || c.end_point ? "-" : with_interval(value.hours, 1);
    if (value.hours.n < study.replications && text != "-") text += fmt::format(" [n={}]", value.hours.n);
    row.push_back(std::move(text));
  }
  const auto busy = c.metrics.find("utilisation_allocated");
  row.push_back(difference_text(set, candidate));
  for (const ShownClass& shown : shown_classes(base))
    row.push_back(mean_hours(c.classes, index(shown.job_class), "wait_s_p95"));
  for (std::size_t g = 0; g < group_scopes(base.workload).size(); ++g)
    row.push_back(mean_hours(c.groups, g, "wait_s_p95"));
  row.push_back(busy == c.metrics.end() ? "-" : fmt::format("{:.2f}", busy->second.mean));
  if (!objective.larger_is_better)
    row.push_back(std::isnan(c.results_per_week) ? "-" : fmt::format("{:.2f}", c.results_per_week));
  row.push_back(remark(c, set, candidate, study.rounds.has_value()));
  return row;
}

std::string demand_text(const StudyResult& study) {
  const OfferedLoad& d = study.demand;
  std::string text =
      fmt::format("Demand: load {:.2f} of {} of nodes; s = {:.1f} % of its money is scale-up\n", d.load,
                  money_text(d.node_budget), 100.0 * d.s);
  if (d.closed_loop) text += "  (closed loop: as if nobody waited, so at most; users who wait submit less)\n";
  std::vector<ClassDemand> all = d.classes;
  if (d.trace) all.push_back(*d.trace);
  for (const ClassDemand& c : all)
    text += fmt::format("  {}: {:.1f} jobs/day keep {:.2f} nodes of {} busy\n", c.name, c.jobs_per_day,
                        c.busy_nodes, c.cheapest_node.empty() ? "no pool" : c.cheapest_node);
  if (!d.identity.empty()) text += "  " + d.identity + "\n";
  return text;
}

/// Fleets that cannot be ranked on time, by results a week.
std::string by_results(const StudyResult& study, SharingRule rule) {
  std::vector<const CandidateResult*> saturated;
  for (const CandidateResult& c : study.candidates) {
    if (c.sharing == rule && c.saturated) saturated.push_back(&c);
  }
  if (saturated.size() < 2) return "";
  if (std::none_of(saturated.begin(), saturated.end(),
                   [](const auto* c) { return c->results_per_week > 0.0; }))
    return "  no saturated fleet delivers a result\n";
  std::stable_sort(saturated.begin(), saturated.end(),
                   [](const CandidateResult* a, const CandidateResult* b) {
                     return a->results_per_week > b->results_per_week;
                   });
  std::string text = "  saturated fleets by results per week:";
  for (const CandidateResult* c : saturated)
    text += fmt::format(" {} ({:.2f})", c->label, c->results_per_week);
  return text + "\n";
}

/// What the columns mean.
std::string legend(const Scenario& base, const StudyResult& study) {
  const Objective& objective = objective_named(study.objective);
  const std::string figure =
      objective.of_k ? std::string("h, k: mean time to a result with k prototypes")
                     : fmt::format("{}: the mean, by which fleets are ranked, {} is best", objective.column,
                                   objective.larger_is_better ? "most" : "least");
  return fmt::format(
      "\n{}, over {}{}, +- half of its 95 % t interval\n"
      "% to best: paired difference{}; all intervals of a table hold together with 95 % (Bonferroni{})\n"
      "in the best set: surely at most {:.0f} % worse than the best; undecided: the interval is too wide to "
      "say\n"
      "p95 h: 95 % of the jobs of the class {}wait at most this long\n",
      figure, counted(study.replications, "replication"), study.rounds ? " or the n shown" : "",
      objective.of_k ? fmt::format(" at k={:.4g}", base.study.prototypes_per_result)
                     : fmt::format(", {} is worse", objective.larger_is_better ? "+ (so much less)" : "+"),
      study.rounds ? ", over all looks" : "", 100.0 * base.study.indifference,
      base.workload.groups.empty() ? "" : "(or of the group's users) ");
}

}  // namespace

std::string rejected_text(const std::vector<RejectedFleet>& rejected) {
  std::string text;
  for (const RejectedFleet& fleet : rejected)
    text += fmt::format("rejected: {}: {}\n", fleet.label, fleet.reason);
  return text;
}

std::string study_text(const Scenario& base, const StudyResult& study) {
  if (study.pooling) return pooling_text(study);
  std::string text =
      (study.credibility ? credibility_text(*study.credibility) : std::string()) + demand_text(study);
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates) {
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  }
  for (const SharingRule rule : rules) {
    const BestSet* set = find_best_set(study, rule, base.study.prototypes_per_result);
    std::vector<Cells> rows;
    rows.push_back(heading(base, study));
    for (std::size_t i = 0; i < study.candidates.size(); ++i) {
      if (study.candidates[i].sharing == rule)
        rows.push_back(candidate_row(base, study, set, static_cast<int>(i)));
    }
    text +=
        fmt::format("\nSharing: {}{}\n{}", to_string(rule),
                    rule == base.scheduler.sharing ? " (the scenario's own)" : "", aligned(rows, 1, true));
    text += reasons(study, rule) + stopped_text(study, rule) + by_results(study, rule);
  }
  text += legend(base, study);
  if (study.rounds) text += rounds_text(*study.rounds);
  if (study.front) text += front_text(*study.front);
  text += rejected_text(study.rejected);
  for (const CandidateResult& c : study.candidates) {
    for (const std::string& law : c.broken_laws)
      text += fmt::format("BROKEN LAW: {}: {}\n", full_label(c), law);
  }
  const auto unpriced = std::count_if(study.candidates.begin(), study.candidates.end(),
                                      [](const CandidateResult& c) { return !c.unpriced.empty(); });
  if (unpriced > 0)
    text += fmt::format(
        "unpriced: {} of {} need parts without a price (see candidates.csv), so their purchase is "
        "a lower "
        "bound\n",
        unpriced, counted(static_cast<long long>(study.candidates.size()), "candidate"));
  if (!study.alternatives.empty()) text += "\nThe nodes that are there already\n";
  for (const AlternativeRow& row : study.alternatives) text += "  " + in_words(row, study.years) + "\n";
  if (study.map) text += map_text(base, *study.map);
  text += least_fleets_text(base, study);
  if (study.most_demand) text += most_demand_text(base, *study.most_demand);
  if (study.warm_up) text += "\n" + study.warm_up->sentence + "\n";
  if (study.precision) text += (study.warm_up ? "" : "\n") + study.precision->sentence + "\n";
  text += "\nVerdict: " + study.verdict + "\n";
  const Recommendation r = recommend(base, study);
  if (r.candidate >= 0) {
    const CandidateResult& c = study.candidates[static_cast<std::size_t>(r.candidate)];
    const BestSet* own = find_best_set(study, base.scheduler.sharing, base.study.prototypes_per_result);
    if (!r.feasible) {
      text += "No fleet keeps all constraints, so none is recommended; ";
      text += c.results_per_week > 0.0 ? fmt::format("{} delivers most results a week\n", full_label(c))
                                       : fmt::format("with {} sharing none delivers a result\n",
                                                     to_string(base.scheduler.sharing));
    } else if (study.replications < 2) {
      text += fmt::format(
          "Best in the one replication: {}; one replication has no interval, so nothing is recommended\n",
          full_label(c));
    } else {
      std::string why;
      why = own->members.size() > 1
                ? fmt::format("the best mean of {} fleets in the best set", own->members.size())
                : "alone in the best set";
      if (!own->undecided.empty()) why += fmt::format(", {} undecided", own->undecided.size());
      text += fmt::format("Recommended: {} ({})\n", full_label(c), why);
    }
  }
  return text;
}

std::string drawn_text(int fleets, int replications) {
  return fleets == 0 ? std::string{}
                     : fmt::format(" and {} of drawn prices x {}", counted(fleets, "fleet"),
                                   counted(replications, "replication"));
}

}  // namespace fleetsim::cli
