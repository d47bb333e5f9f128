#include "sim/cli/study_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/cli/pooling_text.hpp"
#include "sim/cli/table.hpp"
#include "sim/economics/economics.hpp"
#include "sim/study/alternatives.hpp"
#include "sim/study/verdict.hpp"

namespace fleetsim::cli {

namespace {

using Row = std::vector<std::string>;

std::string with_interval(const Summary& s, int digits) {
  if (s.n == 0 || std::isnan(s.mean)) return "-";
  if (!std::isfinite(s.ci95_low)) return fmt::format("{:.{}f}", s.mean, digits);
  return fmt::format("{:.{}f} +-{:.{}f}", s.mean, digits, (s.ci95_high - s.ci95_low) / 2.0, digits);
}

std::string mean_hours(const CandidateResult& c, ClassId job_class, const char* metric) {
  if (index(job_class) >= c.classes.size()) return "-";
  const auto& metrics = c.classes[index(job_class)].metrics;
  const auto found = metrics.find(metric);
  if (found == metrics.end() || std::isnan(found->second.mean)) return "-";
  return fmt::format("{:.1f}", found->second.mean / 3600.0);
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::string remark(const CandidateResult& c, const BestSet* set, int candidate) {
  if (c.end_point) return "not ranked: end point";
  if (c.saturated) return "not ranked: saturated";
  if (!c.feasible) return "not ranked";
  if (set == nullptr) return "";
  if (candidate == set->best) return "BEST";
  if (contains(set->members, candidate)) return "in the best set";
  if (contains(set->undecided, candidate)) return "undecided";
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

Row heading(const Scenario& base, const StudyResult& study, const ResultChain& chain) {
  const std::string prototype = base.workload.classes[index(chain.prototype)].name;
  const std::string result = base.workload.classes[index(chain.result)].name;
  Row row{"fleet", "share %"};
  for (const double k : study.ks) row.push_back(fmt::format("h, k={:.4g}", k));
  row.insert(row.end(), {"% to best (95 %)", prototype + " p95 h", result + " p95 h", "utilisation",
                         "results/week", "remarks"});
  return row;
}

Row candidate_row(const StudyResult& study, const ResultChain& chain, const BestSet* set, int candidate) {
  const CandidateResult& c = study.candidates[static_cast<std::size_t>(candidate)];
  Row row{c.label, fmt::format("{:.0f}", 100.0 * c.share)};
  for (const ObjectiveValue& value : c.objective) {
    // A mean over a backlog that grows is a function of the horizon: shown as "-", never beside a ranked one.
    std::string text = c.saturated || c.end_point ? "-" : with_interval(value.hours, 1);
    if (value.hours.n < study.replications && text != "-") text += fmt::format(" [n={}]", value.hours.n);
    row.push_back(std::move(text));
  }
  const auto busy = c.metrics.find("utilisation_allocated");
  row.push_back(difference_text(set, candidate));
  row.push_back(mean_hours(c, chain.prototype, "wait_s_p95"));
  row.push_back(mean_hours(c, chain.result, "wait_s_p95"));
  row.push_back(busy == c.metrics.end() ? "-" : fmt::format("{:.2f}", busy->second.mean));
  row.push_back(std::isnan(c.results_per_week) ? "-" : fmt::format("{:.2f}", c.results_per_week));
  row.push_back(remark(c, set, candidate));
  return row;
}

std::string demand_text(const StudyResult& study) {
  const OfferedLoad& d = study.demand;
  std::string text =
      fmt::format("Demand: load {:.2f} of {} of nodes; s = {:.1f} % of its money is scale-up\n", d.load,
                  money_text(d.node_budget), 100.0 * d.s);
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

std::string rejected_text(const std::vector<RejectedFleet>& rejected) {
  std::string text;
  for (const RejectedFleet& fleet : rejected)
    text += fmt::format("rejected: {}: {}\n", fleet.label, fleet.reason);
  return text;
}

}  // namespace

std::string study_text(const Scenario& base, const StudyResult& study) {
  if (study.pooling) return pooling_text(study);
  const auto chain = result_chain(base);
  std::string text = demand_text(study);
  std::vector<SharingRule> rules;
  for (const CandidateResult& c : study.candidates) {
    if (std::find(rules.begin(), rules.end(), c.sharing) == rules.end()) rules.push_back(c.sharing);
  }
  for (const SharingRule rule : rules) {
    const BestSet* set = find_best_set(study, rule, base.study.prototypes_per_result);
    std::vector<Row> rows;
    if (chain) rows.push_back(heading(base, study, *chain));
    for (std::size_t i = 0; chain && i < study.candidates.size(); ++i) {
      if (study.candidates[i].sharing == rule)
        rows.push_back(candidate_row(study, *chain, set, static_cast<int>(i)));
    }
    text +=
        fmt::format("\nSharing: {}{}\n{}", to_string(rule),
                    rule == base.scheduler.sharing ? " (the scenario's own)" : "", aligned(rows, 1, true));
    text += reasons(study, rule) + by_results(study, rule);
  }
  text += fmt::format(
      "\nh, k: mean time to a result with k prototypes, over {}, +- half of its 95 % t "
      "interval\n"
      "% to best: paired difference at k={:.4g}; all intervals of a table hold together with 95 % "
      "(Bonferroni)\n"
      "in the best set: surely at most {:.0f} % worse than the best; undecided: the interval is too wide to "
      "say\n"
      "p95 h: 95 % of the jobs of the class wait at most this long\n",
      counted(study.replications, "replication"), base.study.prototypes_per_result,
      100.0 * base.study.indifference);
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

std::string plan_text(const StudyPlan& plan, const std::string& store) {
  std::vector<Row> rows{{"candidate", "replications", "stored", "to run"}};
  long long wanted = 0, stored = 0;
  for (const StudyPlan::Row& row : plan.rows) {
    rows.push_back({row.label, fmt::format("{}", row.wanted), fmt::format("{}", row.stored),
                    fmt::format("{}", row.wanted - row.stored)});
    wanted += row.wanted;
    stored += row.stored;
  }
  const long long total = plan.total();
  return aligned(rows, 1, true) +
         fmt::format("{} x {}{} = {}{}; {} stored in {}, {} to run\n",
                     counted(static_cast<long long>(plan.rows.size()) - plan.drawn_fleets, "candidate"),
                     counted(plan.replications, "replication"),
                     drawn_text(plan.drawn_fleets, plan.draw_replications), counted(total, "run"),
                     wanted < total ? fmt::format(", {} in this shard", wanted) : "", stored, store,
                     wanted - stored) +
         rejected_text(plan.rejected);
}

std::string plan_json(const StudyPlan& plan, const std::string& store) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  long long wanted = 0, stored = 0;
  for (const StudyPlan::Row& row : plan.rows) {
    rows.push_back({{"label", row.label},
                    {"replications", row.wanted},
                    {"stored", row.stored},
                    {"to_run", row.wanted - row.stored}});
    wanted += row.wanted;
    stored += row.stored;
  }
  nlohmann::ordered_json rejected = nlohmann::ordered_json::array();
  for (const RejectedFleet& fleet : plan.rejected)
    rejected.push_back({{"fleet", fleet.label}, {"reason", fleet.reason}});
  nlohmann::ordered_json json = {{"store", store},        {"replications", plan.replications},
                                 {"rows", rows},          {"rejected", rejected},
                                 {"total", plan.total()}, {"runs", wanted},
                                 {"stored", stored},      {"to_run", wanted - stored}};
  if (plan.drawn_fleets > 0) {
    json["drawn_fleets"] = plan.drawn_fleets;
    json["draw_replications"] = plan.draw_replications;
  }
  // Names of files are bytes, JSON is UTF-8.
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace fleetsim::cli
