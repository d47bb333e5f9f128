// Summary and decision: the ask in one sentence, key figures, the verdict, what could be wrong with it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string pools_in_words(const Dossier& d) {
  std::vector<std::string> parts;
  for (const PoolInfo& pool : d.pools) {
    if (pool.count > 0)
      parts.push_back(fmt::format("{} × {} ({})", pool.count, text(pool.title), text(pool.name)));
  }
  return parts.empty() ? text(d.recommended) : listed(parts);
}

std::string result_in_words(double k) {
  return fmt::format("{} in sequence and one large run",
                     k == 1.0 ? "one prototype" : k_text(k) + " prototypes");
}

std::string two_digits(double value) {
  return grouped(value, 2);
}

std::string with_interval(const StudyResult& study, const Summary& s) {
  const std::string range = between(s.ci95_low, s.ci95_high, objective_of(study).of_k ? hours : two_digits);
  const std::string mean = figure_text(study, s.mean);
  if (objective_of(study).money) return mean;
  return range == kNone ? fmt::format("{} (one replication, no interval)", mean)
                        : fmt::format("{} (95{}% interval {})", mean, kNbsp, range);
}

std::string standing(const Dossier& d, const BestSet& set) {
  const bool timed = objective_of(d.study).of_k;
  const char* const slower = timed ? "slower" : "worse";
  const char* const lowest = timed ? "lowest" : "best";
  const std::size_t others = set.members.size() - 1;
  if (candidates_of(d.study, d.sharing).size() == 1) return "It is the only fleet that was compared.";
  if (!set.undecided.empty() && others == 0) {
    return fmt::format("It has the {} mean; {} may still be less than {} {}.", lowest,
                       count(static_cast<long long>(set.undecided.size()), "other fleet"),
                       percent(d.study.indifference), slower);
  }
  const std::size_t ranked = static_cast<std::size_t>(
      std::count_if(d.study.candidates.begin(), d.study.candidates.end(),
                    [&](const CandidateResult& c) { return c.sharing == d.sharing && c.feasible; }));
  if (ranked == 1) return "It is the only one that meets every requirement.";
  if (set.best == d.recommended_index) {
    return others == 0 ? fmt::format("Every other fleet that meets the requirements is more than {} {}.",
                                     percent(d.study.indifference), slower)
                       : fmt::format("It has the {} mean; {} {} at most {} {}.", lowest,
                                     count(static_cast<long long>(others), "other fleet"),
                                     others == 1 ? "is" : "are", percent(d.study.indifference), slower);
  }
  return fmt::format("It is one of the {} fleets of the best set; the {} mean belongs to {}.",
                     set.members.size(), lowest,
                     text(d.study.candidates[static_cast<std::size_t>(set.best)].label));
}

void ask_answered(const Dossier& d, std::vector<Block>& out) {
  const BestSet& set = *own_best_set(d);
  const CandidateResult& fleet = *subject(d);
  const bool provisional = !set.undecided.empty() || d.replications < 2 || doubted(d.study);
  const bool nothing = d.bill.lines.empty() || d.economics.purchase == Money{};
  std::string lead = bold(
      nothing ? fmt::format("We recommend buying nothing: {} with {}, shared by the {} rule{}.",
                            text(d.recommended), pools_in_words(d), text(to_string(d.sharing)),
                            provisional ? ", provisionally" : "")
              : fmt::format("We recommend buying {}: {}, {} in all, for {}, to be shared by the {} rule{}.",
                            text(d.recommended), pools_in_words(d), count(gpus_of(d), "GPU"),
                            dollars(d.economics.purchase), text(to_string(d.sharing)),
                            provisional ? ", provisionally" : ""));
  if (const Summary* time = time_to_result(fleet, d.k); time != nullptr && time->n > 0) {
    lead += fmt::format(" A result, that is {}, then takes {}. {}", result_in_words(d.k),
                        with_interval(d.study, *time), standing(d, set));
  } else if (const Summary figure = ranked_figure(d.study, fleet, d.k); figure.n > 0) {
    lead += fmt::format(" Fleets are ranked by {}: it has {}. {}", text(objective_of(d.study).ranked),
                        with_interval(d.study, figure), standing(d, set));
  }
  lead += " " + meaning_of(d.sharing);
  lead +=
      fmt::format(" Buying and running it for {} costs {}.",
                  count(static_cast<long long>(d.cost.total_by_year.size()), "year"), dollars(d.cost.total));
  out.emplace_back(Paragraph{lead});
}

/// What a reason is about, without the figures of one fleet: "wait_s_p95(prototype) <= 4 h: mean 5.04 h" and
/// "21.3 % of the work is unserved (limit 1 %)" become "wait_s_p95(prototype) <= 4 h" and "work is unserved
/// (limit 1 %)".
std::string requirement_of(const std::string& reason) {
  const std::string share = " % of the ";
  const std::size_t of = reason.find(share);
  if (of != std::string::npos && reason.find_first_not_of("0123456789.") == of)
    return reason.substr(of + share.size());
  // "year 1 costs 238,064.15 USD, which is ... more than its cap"
  if (const std::size_t costs = reason.find(" costs ");
      reason.starts_with("year ") && costs != std::string::npos)
    return reason.substr(0, costs) + " costs more than its cap";
  return reason.substr(0, reason.find(": "));
}

/// Reasons over the fleets of the scenario's own sharing rule, most frequent first.
std::vector<std::string> common_reasons(const Dossier& d) {
  std::map<std::string, int> tally;
  for (const CandidateResult& candidate : d.study.candidates) {
    if (candidate.sharing != d.sharing) continue;
    for (const std::string& reason : candidate.reasons) ++tally[requirement_of(reason)];
  }
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [reason, times] : tally) order.emplace_back(-times, reason);
  std::sort(order.begin(), order.end());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < order.size() && i < 4; ++i)
    lines.push_back(fmt::format("{}: {}", count(-order[i].first, "fleet"), text(order[i].second)));
  return lines;
}

void ask_unanswered(const Dossier& d, std::vector<Block>& out) {
  const auto own = candidates_of(d.study, d.sharing);
  if (own.empty()) {
    out.emplace_back(
        Paragraph{bold("We recommend no purchase: no fleet of this scenario could be simulated.") +
                  " The fleets and the reasons are listed under \"Room and rules\"."});
    return;
  }
  std::string which = "the fleet that was studied does not meet every requirement";
  if (d.candidates != "as-given") {
    which = fmt::format("none of the {} that {} affords{} meets every requirement",
                        count(static_cast<long long>(own.size()), "fleet"), dollars(d.budget),
                        d.study.rejected.empty() ? "" : " and the room takes");
  }
  std::string lead = bold(
      fmt::format("We recommend no purchase yet: {} (sharing rule: {}).", which, text(to_string(d.sharing))));
  const CandidateResult* fleet = subject(d);
  if (fleet != nullptr && !(fleet->results_per_week > 0.0)) {
    lead += fmt::format(
        " None delivers a result. The figures below describe {} as an example, not as a proposal.",
        text(fleet->label));
  } else if (fleet != nullptr && own.size() == 1) {
    lead += fmt::format(" The figures below describe {}; it is shown as a reference, not as a proposal.",
                        text(fleet->label));
  } else if (fleet != nullptr) {
    lead += fmt::format(
        " The figures below describe {}: no fleet delivers more results a week. It is shown as a reference, "
        "not as a proposal.",
        text(fleet->label));
  }
  out.emplace_back(Paragraph{lead});
  const auto reasons = common_reasons(d);
  if (!reasons.empty()) {
    out.emplace_back(Paragraph{"What the fleets break, most frequent first:"});
    out.emplace_back(BulletList{reasons});
  }
}

void ask_run(const Dossier& d, std::vector<Block>& out) {
  const CandidateResult* fleet = subject(d);
  std::string lead =
      bold(fmt::format("This report describes one fleet and recommends nothing: {}, {} in all, for {}.",
                       pools_in_words(d), count(gpus_of(d), "GPU"), dollars(d.economics.purchase)));
  lead +=
      fmt::format(" Buying and running it for {} costs {}.",
                  count(static_cast<long long>(d.cost.total_by_year.size()), "year"), dollars(d.cost.total));
  lead +=
      d.budget > Money{}
          ? " A recommendation needs a comparison: `fleetsim study` runs every fleet that the budget affords."
          : " A recommendation needs a comparison: give the scenario a budget, and `fleetsim study` runs "
            "every fleet that it affords.";
  out.emplace_back(Paragraph{lead});
  if (fleet != nullptr && !fleet->feasible && !fleet->reasons.empty()) {
    std::vector<std::string> items;
    for (const std::string& reason : fleet->reasons) items.push_back(text(reason));
    out.emplace_back(Paragraph{"This fleet breaks requirements of the scenario:"});
    out.emplace_back(BulletList{items});
  }
}

void key_figures(const Dossier& d, std::vector<Block>& out) {
  KeyFigures figures;
  const bool proposal = d.kind == "study" && has_answer(d);
  if (!d.bill.lines.empty())
    figures.items.push_back({dollars(d.economics.purchase), proposal ? "to approve now" : "to buy"});
  if (d.cost.total > Money{}) {
    figures.items.push_back(
        {dollars(d.cost.total), fmt::format("{}-year cost", d.cost.total_by_year.size())});
  }
  if (const CandidateResult* fleet = subject(d)) {
    const Summary* time = time_to_result(*fleet, d.k);
    if (time != nullptr && time->n > 0 && !fleet->saturated)
      figures.items.push_back({hours(time->mean), fmt::format("to a result, k = {}", k_text(d.k))});
    if (objective_of(d.study).larger_is_better && !fleet->saturated)
      figures.items.push_back(
          {grouped(ranked_figure(d.study, *fleet, d.k).mean, 2), objective_of(d.study).ranked});
    const double busy = mean(metric(*fleet, "utilisation_allocated"));
    if (std::isfinite(busy)) figures.items.push_back({percent(busy), "of GPU time allocated"});
  }
  if (!figures.items.empty()) out.emplace_back(figures);
}

std::string rule_line(const StudyResult& study) {
  std::string status = "not judged";
  if (study.bought_pools() != 2) return sentence(study.verdict);
  if (study.rule_status == "holds") status = "holds here";
  if (study.rule_status == "refuted") status = "does not hold here";
  if (study.rule_status == "undecided") status = "undecided";
  std::string line = bold(fmt::format(
      "The guide's rule (66-80 / 20-33 of the money, read as {} for scaling up: 66 + 33 is 99): {}.",
      band_text(study), status));
  return study.verdict.empty() ? line : line + " " + sentence(study.verdict);
}

std::string sure_line(const Dossier& d) {
  const BestSet* set = own_best_set(d);
  if (set == nullptr || set->best < 0) return {};
  std::string line =
      bold("How sure:") + fmt::format(" {}{} of common random numbers;", d.study.rounds ? "up to " : "",
                                      count(d.replications, "replication"));
  const std::string pool = text(d.study.scale_pool);
  line += fmt::format(" the best set holds {}, with {} of node money on {}.",
                      count(static_cast<long long>(set->members.size()), "fleet"),
                      share_range(d.study, set->members), pool);
  if (!set->undecided.empty()) {
    line += fmt::format(" {} may lie within {} of the best or not; more replications would decide.",
                        count(static_cast<long long>(set->undecided.size()), "fleet"),
                        percent(d.study.indifference));
  }
  return line;
}

std::string wait_line(const Dossier& d) {
  const CandidateResult* fleet = subject(d);
  std::vector<std::string> parts;
  if (fleet != nullptr) {
    for (const ClassSummary& c : fleet->classes) {
      const Summary* p95 = metric(c, "wait_s_p95");
      if (p95 != nullptr && p95->n > 0) parts.push_back(fmt::format("{} {}", text(c.name), wait(p95->mean)));
    }
  }
  if (parts.empty()) return {};
  return bold("Waits:") + fmt::format(" 95 of 100 jobs start within: {}.", listed(parts));
}

/// Why the fleet cannot stand in the room; empty when it can.
std::vector<std::string> refusals(const Dossier& d) {
  std::vector<std::string> reasons;
  for (const facility::Finding& f : d.facility)
    if (f.severity == facility::Severity::hard) reasons.push_back(text(f.message));
  return reasons;
}

std::vector<std::string> caveats(const Dossier& d) {
  std::vector<std::string> lines;
  for (const std::string& reason : refusals(d))
    lines.push_back(bold("Room and rules:") + fmt::format(" {}. Settle it before buying.", reason));
  PriceRange range = price_range(d.bill);
  if (d.economics.asked) {
    range.low = d.economics.purchase_low;
    range.high = d.economics.purchase_high;
  }
  if (range.estimated > Money{}) {
    lines.push_back(
        bold("Prices:") +
        fmt::format(
            " {} of the {} rests on estimates; with all of them low or high the purchase costs {} to {}{}.",
            percent(range.estimated / d.bill.total),
            d.economics.charges.empty() ? "purchase" : "bill of materials", dollars(range.low),
            dollars(range.high),
            d.budget > Money{} && range.high > d.budget
                ? fmt::format(", at most {} over the budget", dollars(range.high - d.budget))
                : std::string()));
  }
  if (!d.bill.unpriced.empty()) {
    std::vector<std::string> items;
    for (const std::string& item : d.bill.unpriced) items.push_back(text(item));
    lines.push_back(bold("Not in the total, for want of a price:") + " " + listed(items) + ".");
  }
  if (d.unspent && *d.unspent > Money{}) {
    lines.push_back(bold("Unspent:") +
                    fmt::format(" {} of {}{}.", dollars(*d.unspent), dollars(d.budget),
                                d.maximal_fleet ? " buys no further node" : " stays unspent"));
  }
  if (!d.not_evaluated.empty()) {
    lines.push_back(bold("Left out:") +
                    fmt::format(" {} of the scenario {} not evaluated (see assumptions).",
                                count(static_cast<long long>(d.not_evaluated.size()), "key"),
                                d.not_evaluated.size() == 1 ? "is" : "are"));
  }
  return lines;
}

void money_chart(const Dossier& d, std::vector<Block>& out) {
  const auto parts = money_parts(d);
  if (parts.size() < 2 || d.cost.total <= Money{}) return;
  for (const MoneyPart& part : parts)
    if (part.amount < Money{}) return;  // bars of a whole cannot show a discount or a sale; the tables do
  std::string csv = "item,kusd,kind\n";
  Money purchase, running;
  const MoneyPart* largest_running = nullptr;
  for (const MoneyPart& part : parts) {
    csv += fmt::format("{},{:.1f},{}\n", csv_cell(part.name), to_usd(part.amount) / 1000.0,
                       part.running ? "running" : "purchase");
    (part.running ? running : purchase) += part.amount;
    if (part.running && (largest_running == nullptr || part.amount > largest_running->amount))
      largest_running = &part;
  }
  std::string caption = fmt::format("The purchase is {} of the {}-year cost",
                                    percent(purchase / (purchase + running)), d.cost.total_by_year.size());
  if (largest_running != nullptr) {
    caption += fmt::format("; running adds {}, most of it {} ({})", dollars(running),
                           text(lowered(largest_running->name)), dollars(largest_running->amount));
  }
  std::string alt = fmt::format("Bars, thousand US dollars over {} years.", d.cost.total_by_year.size());
  for (const MoneyPart& part : parts)
    alt += fmt::format(" {} {}.", part.name, grouped(to_usd(part.amount) / 1000.0));
  out.emplace_back(Drawing{"money", "money", csv, {}, alt, caption + "."});
}

std::string warning(const Dossier& d) {
  if (d.kind != "study") return {};
  if (doubted(d.study))
    return bold("The simulator does not reproduce the recorded waits.") +
           " Find out why before buying: the section above lays recorded and simulated waits side by side.";
  const BestSet* set = own_best_set(d);
  if (set == nullptr || set->best < 0) {
    return bold("No fleet qualifies.") +
           fmt::format(
               " Relax a requirement, {} or lower the demand, then run the study again. Do not buy on the "
               "figures of this report.",
               d.budget > Money{} ? "raise the budget" : "give a larger fleet");
  }
  if (d.replications < 2)
    return bold("One replication only.") +
           " Without intervals nothing is proven; run more replications first.";
  if (const auto reasons = refusals(d); !reasons.empty())
    return bold("The fleet cannot stand in this room.") + fmt::format(" {}.", listed(reasons));
  if (!set->undecided.empty()) {
    return bold("Not fully decided.") + fmt::format(
                                            " Of some fleets it is open whether they are within {} of the "
                                            "best. More replications narrow the "
                                            "intervals; the tables of the split study mark what is open.",
                                            percent(d.study.indifference));
  }
  return {};
}

void decision_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.study.pooling) return;  // the pooling section answers
  const bool study = d.kind == "study";
  out.emplace_back(Heading{1, study ? "Summary and decision" : "Summary"});
  if (!study) {
    ask_run(d, out);
  } else if (has_answer(d)) {
    ask_answered(d, out);
  } else {
    ask_unanswered(d, out);
  }
  key_figures(d, out);
  if (const std::string note = warning(d); !note.empty()) out.emplace_back(Callout{note});
  BulletList list;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) list.items.push_back(line);
  };
  if (study) {
    add(rule_line(d.study));
    add(sure_line(d));
  }
  add(wait_line(d));
  for (const std::string& line : caveats(d)) add(line);
  if (!list.items.empty()) out.emplace_back(list);
  money_chart(d, out);
}

const RegisterSection kDecision{{10, "decision", decision_section}};

}  // namespace
}  // namespace fleetsim
