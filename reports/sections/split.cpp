// The split study: every fleet with its interval under each sharing rule, the curve, the best sets over k,
// the rule.
#include "reports/sections/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

const CandidateResult& at(const StudyResult& study, int i) {
  return study.candidates[static_cast<std::size_t>(i)];
}

Table demand(const Dossier& d) {
  const StudyResult& study = d.study;
  Table table;
  table.columns = {
      {"Class"},         {"Jobs a day", Align::right},           {"Nodes kept busy", Align::right},
      {"Cheapest pool"}, {"Money of these nodes", Align::right}, {"Cannot run", Align::right}};
  std::vector<ClassDemand> all = study.demand.classes;
  if (study.demand.trace) all.push_back(*study.demand.trace);
  for (const ClassDemand& c : all) {
    table.rows.push_back(
        {text(c.name), grouped(c.jobs_per_day, c.jobs_per_day < 10 ? 2 : 0), grouped(c.busy_nodes, 1),
         c.cheapest_node.empty() ? std::string("none") : text(c.cheapest_node), dollars(c.money),
         percent(c.impossible_share, c.impossible_share > 0.0 && c.impossible_share < 0.1 ? 1 : 0)});
  }
  table.caption =
      fmt::format("{} keep {} of the {} of {} busy; {} of it is for scale-up",
                  study.demand.closed_loop ? "If nobody waited, the demand of the closed loop would, at most,"
                                           : "The demand would",
                  percent(study.demand.load), d.budget > Money{} ? "node budget" : "fleet's node money",
                  dollars(study.demand.node_budget), percent(study.demand.s));
  if (d.budget > Money{} && !study.demand.node_budget_basis.empty())
    table.caption += fmt::format(" (node budget: {})", text(study.demand.node_budget_basis));
  return table;
}

std::string caption_over_k(const StudyResult& study) {
  int inside = 0, answered = 0;
  for (const BestSet& set : study.best_sets) {
    if (set.best < 0) continue;
    ++answered;
    inside += std::any_of(set.members.begin(), set.members.end(),
                          [&](int i) { return in_band(study, at(study, i)); })
                  ? 1
                  : 0;
  }
  if (study.bought_pools() != 2) return "Best fleets by sharing rule and k";
  if (answered == 0) return "No combination of sharing rule and k has a fleet that meets every requirement";
  if (inside == 0) {
    return fmt::format(
        "In none of {} combinations of sharing rule and k does a fleet inside the guide's {} belong to the "
        "best set",
        answered, band_text(study));
  }
  return fmt::format(
      "In {} of {} combinations of sharing rule and k a fleet inside the guide's {} belongs to the best set",
      inside, answered, band_text(study));
}

Table over_k(const Dossier& d) {
  const StudyResult& study = d.study;
  Table table;
  table.columns = {{"Sharing rule"},
                   {"k", Align::right},
                   {"Best fleet"},
                   {objective_of(study).of_k ? "Time to result" : objective_of(study).column, Align::right},
                   {"Shares of the best set", Align::right},
                   {"Undecided", Align::right},
                   {"Inside the band"}};
  for (const SharingRule rule : sharing_rules(d)) {
    for (const double k : objective_of(study).of_k ? study.ks : std::vector<double>{d.k}) {
      const BestSet* set = best_set(study, rule, k);
      if (set == nullptr) continue;
      std::vector<std::string> row{text(title_of(rule)), objective_of(study).of_k ? k_text(k) : kNone};
      if (set->best < 0) {
        row.insert(row.end(), {"none qualifies", kNone, kNone, kNone, kNone});
      } else {
        const CandidateResult& best = at(study, set->best);
        const bool member = std::any_of(set->members.begin(), set->members.end(),
                                        [&](int i) { return in_band(study, at(study, i)); });
        row.insert(row.end(),
                   {fmt::format("{} ({})", text(best.label), percent(best.share)),
                    figure_text(study, ranked_figure(study, best, k).mean), share_range(study, set->members),
                    grouped(static_cast<double>(set->undecided.size())),
                    in_band(study, best) ? "yes, the best"
                    : member             ? "yes, in the set"
                                         : "no"});
      }
      table.rows.push_back(row);
    }
  }
  table.caption = caption_over_k(study);
  return table;
}

/// The guide's rule: the first-order line, the range of s, what the best fleet inside the band loses.
std::vector<std::string> rule_lines(const Dossier& d) {
  const StudyResult& study = d.study;
  std::vector<std::string> lines;
  if (study.bought_pools() != 2) return lines;  // the rule speaks of two pools
  const BestSet* set = own_best_set(d);
  if (study.first_order_share > 0.0) {
    std::string line = bold("First order:") +
                       fmt::format(
                           " the share of node money follows the share of demand, s = {}, so {} "
                           "of the money would go to {}{}.",
                           percent(study.demand.s), percent(study.first_order_share), text(study.scale_pool),
                           study.demand.closed_loop ? "; s is that of a lab in which nobody waits" : "");
    if (set != nullptr && set->best >= 0) {
      const double best = at(study, set->best).share;
      line +=
          fmt::format(" The simulated best is {}, {} points {}; shares of the best set: {}.", percent(best),
                      grouped(std::abs(best - study.first_order_share) * 100.0),
                      best >= study.first_order_share ? "more" : "less", share_range(study, set->members));
    }
    lines.push_back(line);
  }
  if (study.s_high > study.s_low && !(study.map && study.map->holds)) {  // else the map says it
    lines.push_back(
        bold("Range:") +
        fmt::format(" the first-order line lies in the guide's {} while s is between {} and {}. This "
                    "range is not simulated.",
                    band_text(study), percent(study.s_low), percent(study.s_high)));
  }
  if (study.loss_percent.n > 0 && std::isfinite(study.loss_percent.mean)) {
    lines.push_back(
        bold("Price of the rule:") +
        fmt::format(" {} on the best fleet inside the band, against the best fleet: {} (95{}% "
                    "interval {}).",
                    objective_of(study).larger_is_better
                        ? fmt::format("loss of {}", objective_of(study).ranked)
                    : objective_of(study).of_k ? std::string("time to result")
                                               : std::string(objective_of(study).ranked),
                    signed_percent(study.loss_percent.mean), kNbsp,
                    between(study.loss_percent.ci95_low, study.loss_percent.ci95_high, signed_percent)));
  }
  return lines;
}

void split_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.kind != "study" || d.study.pooling || d.candidates == "pool-sizes") return;
  const StudyResult& study = d.study;
  const bool given = d.candidates == "as-given";
  out.emplace_back(Heading{1, given ? "The fleet under each sharing rule" : "How to split the budget"});
  out.emplace_back(Paragraph{fmt::format(
      "{} simulated {} under each sharing rule, all with the same arrivals. Share means the {} pool's share "
      "of node money. {}",
      given ? std::string("The fleet that the scenario gives was the only one to be studied. It was")
      : d.candidates == "affordable-fleets"
          ? fmt::format(
                "Every fleet of whole nodes that the budget affords{} was compared, also those that leave "
                "money over, {}. Each was",
                study.rejected.empty() ? "" : " and the room takes",
                count(static_cast<long long>(candidates_of(study, d.sharing).size()), "fleet"))
          : fmt::format(
                "Nodes come in whole numbers, so {} compared; no further node {} beside them. Each was",
                study.rejected.empty()
                    ? fmt::format(
                          "the budget affords the {} that are",
                          count(static_cast<long long>(candidates_of(study, d.sharing).size()), "fleet"))
                    : fmt::format(
                          "the {} that the budget affords and the room takes are",
                          count(static_cast<long long>(candidates_of(study, d.sharing).size()), "fleet")),
                study.rejected.empty() ? "is affordable" : "is affordable or would fit"),
      (study.rounds ? "up to " : "") + count(study.replications, "time"), text(study.scale_pool),
      objective_of(study).of_k
          ? fmt::format(
                "A result is {} and then one large run; its time is the sum of their turnarounds, from "
                "submission to end.",
                d.k == 1.0 ? std::string("one prototype") : k_text(d.k) + " prototypes in sequence")
          : fmt::format("Fleets are ranked by {}{}.", text(objective_of(study).ranked),
                        study.demand.closed_loop
                            ? ": who waits in a closed loop asks for less, so that the time "
                              "to a result alone would hide what a slow fleet costs"
                            : ""))});
  if (!study.demand.classes.empty()) {
    out.emplace_back(demand(d));
    if (!study.demand.identity.empty()) out.emplace_back(Paragraph{sentence(study.demand.identity)});
  }
  const auto unpriced = std::count_if(study.candidates.begin(), study.candidates.end(),
                                      [](const CandidateResult& c) { return !c.unpriced.empty(); });
  if (unpriced > 0) {
    out.emplace_back(Callout{
        fmt::format("{} of the {} simulated combinations of fleet and sharing rule need parts without "
                    "a known price; their purchase is a lower bound. They are marked in candidates.csv.",
                    unpriced, study.candidates.size())});
  }
  split::curve(d, out);
  const auto lines = rule_lines(d);
  if (!lines.empty()) out.emplace_back(BulletList{lines});
  if (!study.best_sets.empty()) {
    const bool timed = objective_of(study).of_k;
    out.emplace_back(Heading{2, timed ? "Best sets by sharing rule and k" : "Best sets by sharing rule"});
    out.emplace_back(Paragraph{
        !timed
            ? fmt::format("The best set holds the fleets that are surely at most {0} worse than the best; a "
                          "fleet that may be or may not be is undecided, all others are surely more than {0} "
                          "worse.",
                          percent(study.indifference))
            : fmt::format(
                  "k is the number of prototypes run in sequence per result: 1, the scenario's own value, "
                  "and one over the "
                  "promotion probability. The best set holds the fleets that are surely at most {0} slower "
                  "than the best; a fleet "
                  "that may be or may not be is undecided, all others are surely more than {0} slower.",
                  percent(study.indifference))});
    out.emplace_back(over_k(d));
  }
  for (const SharingRule rule : sharing_rules(d)) {
    out.emplace_back(Heading{2, "Interval table: " + text(title_of(rule))});
    out.emplace_back(split::interval_table(d, rule));
  }
  out.emplace_back(Paragraph{
      "Against the best: paired difference in " +
      std::string(objective_of(study).of_k ? "time to result" : objective_of(study).ranked) +
      ", with intervals adjusted for "
      "comparing every fleet with the "
      "best. A saturated fleet cannot keep up, so its mean time depends on how long one watches: "
      "it is not ranked. An end "
      "point gives some class no node in the partitions that its sharing rule opens to it. Every reason "
      "is in study.json."});
}

const RegisterSection kSplit{{40, "split", split_section}};

}  // namespace
}  // namespace fleetsim
