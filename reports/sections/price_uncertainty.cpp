// What uncertain prices do to the verdict: draws from their ranges, and the price at which it flips.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"
#include "sim/study/judge_prices.hpp"

namespace fleetsim {
namespace {

constexpr std::size_t kMostNewFleets = 8;

std::string from_to(const DrawQuantiles& q, std::string (*one)(double)) {
  if (std::isnan(q.p50)) return kNone;
  return fmt::format("{} (90{}% of draws: {} to {})", one(q.p50), kNbsp, one(q.p5), one(q.p95));
}
std::string as_dollars(double value) {
  return dollars(usd(value));
}
std::string as_percent(double value) {
  return percent(value);
}
std::string as_ratio(double value) {
  return fmt::format("{:.2f}", value);
}

std::string opening(const PriceRobustness& p) {
  std::string line = fmt::format(
      "Every price that is an estimate was drawn {} from its range (triangular, most likely at the value "
      "used), one item at one price in all nodes. Budget and jobs stay as they are, so each draw affords "
      "other fleets and is another load; the fleets of a draw are compared as those of the study.",
      p.draws == 1 ? "once" : fmt::format("{} times", p.draws));
  if (!p.recommended.empty()) {
    line +=
        " " + bold(fmt::format("The budget pays for {} in {} of the draws, and it is in the best set in {}.",
                               text(p.recommended), percent(p.affordable), percent(p.in_best_set)));
    if (p.undecided > 0.0)
      line += fmt::format(" In {} its interval is too wide to say.", percent(p.undecided));
  }
  if (p.rule_judged)
    line += fmt::format(" The guide's rule holds in {}, does not hold in {} and is undecided in {}.",
                        percent(p.holds), percent(p.refuted), percent(p.rule_undecided));
  return line;
}

std::vector<std::string> spreads(const Dossier& d, const PriceRobustness& p) {
  std::vector<std::string> items;
  if (!p.recommended.empty()) {
    items.push_back(fmt::format("Purchase of {}: {}", text(p.recommended), from_to(p.capex_usd, as_dollars)));
    items.push_back(fmt::format("The same with {} of use: {}", years_text(d.cost.total_by_year.size()),
                                from_to(p.three_year_usd, as_dollars)));
  }
  if (!std::isnan(p.best_share.p50))
    items.push_back(fmt::format("Share of node money on {} in the best fleet of a draw: {}",
                                text(d.study.scale_pool), from_to(p.best_share, as_percent)));
  items.push_back(fmt::format("Load: {}", from_to(p.load, as_ratio)));
  if (p.rule_judged)
    items.push_back(fmt::format("Share of scale-up in the demand's money: {}", from_to(p.s, as_percent)));
  return items;
}

/// The study's own fleets and those new ones that are most often in the best set.
std::vector<const PriceRobustness::Fleet*> shown(const PriceRobustness& p) {
  std::vector<const PriceRobustness::Fleet*> fleets;
  std::size_t others = 0;
  for (const PriceRobustness::Fleet& f : p.fleets)
    if (f.of_study || ++others <= kMostNewFleets) fleets.push_back(&f);
  return fleets;
}

void fleet_table(const Dossier& d, const PriceRobustness& p, std::vector<Block>& out) {
  Table table;
  table.columns = {{"Fleet"},
                   {"Share on " + text(d.study.scale_pool), Align::right},
                   {"Offered", Align::right},
                   {"In the best set", Align::right},
                   {"Undecided", Align::right},
                   {"Best", Align::right}};
  std::size_t news = 0;
  for (const PriceRobustness::Fleet* f : shown(p)) {
    news += f->of_study ? 0 : 1;
    table.rows.push_back({text(f->label) + (f->of_study ? "" : "\\*"), percent(f->share),
                          percent(f->affordable), percent(f->in_best_set), percent(f->undecided),
                          percent(f->best)});
  }
  std::size_t all_new = 0;
  for (const PriceRobustness::Fleet& f : p.fleets) all_new += f.of_study ? 0 : 1;
  table.caption = fmt::format("Share of {} in which each fleet is affordable, in the best set, and best",
                              count(p.draws, "draw"));
  if (news > 0)
    table.caption += fmt::format(
        "; \\* only drawn prices make it{}",
        all_new > news
            ? fmt::format(" ({} more of these are in a best set now and then: study.json)", all_new - news)
            : std::string());
  out.emplace_back(table);
}

void chart(const PriceRobustness& p, std::vector<Block>& out) {
  std::string csv = "fleet,in_pct,open_pct\n", alt = "Bars, percent of draws in the best set.";
  int rows = 0;
  std::vector<const PriceRobustness::Fleet*> fleets = shown(p);
  std::stable_sort(fleets.begin(), fleets.end(),
                   [](const auto* a, const auto* b) { return a->share < b->share; });
  for (const PriceRobustness::Fleet* f : fleets) {
    if (f->in_best_set + f->undecided <= 0.0) continue;
    csv +=
        fmt::format("{},{:.1f},{:.1f}\n", csv_cell(f->label), 100.0 * f->in_best_set, 100.0 * f->undecided);
    alt += fmt::format(" {} {}.", f->label, percent(f->in_best_set));
    ++rows;
  }
  if (rows < 2) return;
  const auto most = std::max_element(p.fleets.begin(), p.fleets.end(), [](const auto& a, const auto& b) {
    return a.in_best_set < b.in_best_set;
  });
  out.emplace_back(
      Drawing{"price_draws",
              "price_draws",
              csv,
              {},
              alt,
              fmt::format("{} is most often in the best set, in {} of {}. Fleets by share of node money; the "
                          "grey part is undecided.",
                          text(most->label), percent(most->in_best_set), count(p.draws, "price draw"))});
}

std::string flip_cell(const PriceRobustness::Quantity& q, const std::string& what) {
  std::string cell;
  for (const PriceRobustness::Flip& flip : q.flips) {
    if (flip.what != what) continue;
    cell += fmt::format("{}{} {}: {}", cell.empty() ? "" : "; ", flip.at > q.value ? "from" : "up to",
                        quantity_text(q.unit, flip.at), text(flip.to));
  }
  return cell.empty() ? kNone : cell;
}

void flip_table(const PriceRobustness& p, std::vector<Block>& out) {
  Table table;
  table.columns = {{"Estimate"}, {"Range", Align::right}, {"Used", Align::right}, {"Purchase", Align::right}};
  if (!p.recommended.empty()) table.columns.push_back({p.recommended + " flips"});
  if (p.rule_judged) table.columns.push_back({"Rule flips"});
  int flipping = 0;
  for (const PriceRobustness::Quantity& q : p.quantities) {
    std::vector<std::string> row{
        text(q.item), fmt::format("{} to {}", quantity_text(q.unit, q.low), quantity_text(q.unit, q.high)),
        quantity_text(q.unit, q.value),
        q.capex_at_high > q.capex_at_low
            ? fmt::format("{} to {}", dollars(q.capex_at_low), dollars(q.capex_at_high))
            : std::string(kNone)};
    if (!p.recommended.empty()) row.push_back(flip_cell(q, "fleet"));
    if (p.rule_judged) row.push_back(flip_cell(q, "rule"));
    flipping += q.flips.empty() ? 0 : 1;
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return;
  table.caption =
      fmt::format("One estimate moved over its range, the others as used: {} of {} flip the verdict{}",
                  flipping, p.quantities.size(),
                  p.recommended.empty() ? "" : fmt::format("; purchase is that of {}", text(p.recommended)));
  out.emplace_back(table);
}

std::vector<std::string> limits(const Dossier& d, const PriceRobustness& p) {
  std::vector<std::string> items;
  items.push_back(
      fmt::format("{} that only drawn prices make {} simulated beside the study's own, with {} each{}.",
                  count(p.fleets_added, "fleet"), p.fleets_added == 1 ? "was" : "were",
                  count(p.replications, "replication"),
                  p.replications < d.replications ? ": their intervals are wider" : ""));
  if (p.draws < p.asked)
    items.push_back(fmt::format("Of {} draws only the first {} were evaluated: more need too many fleets.",
                                p.asked, p.draws));
  if (p.fleets_left_out > 0)
    items.push_back(fmt::format("{} of the one-by-one ranges were not simulated; flips there are not seen.",
                                count(p.fleets_left_out, "fleet")));
  return items;
}

void price_uncertainty_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.prices || d.study.prices->draws == 0) return;
  const PriceRobustness& p = *d.study.prices;
  out.emplace_back(Heading{1, "Price uncertainty"});
  out.emplace_back(Paragraph{opening(p)});
  out.emplace_back(BulletList{spreads(d, p)});
  chart(p, out);
  fleet_table(d, p, out);
  out.emplace_back(Heading{2, "The price at which the verdict flips"});
  flip_table(p, out);
  out.emplace_back(BulletList{limits(d, p)});
}

const RegisterSection kPriceUncertainty{{45, "price_uncertainty", price_uncertainty_section}};

}  // namespace
}  // namespace fleetsim
