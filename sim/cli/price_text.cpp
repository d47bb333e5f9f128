// `fleetsim price` on the screen.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units.hpp"
#include "sim/cli/findings_text.hpp"
#include "sim/cli/price.hpp"
#include "sim/cli/price_rent.hpp"
#include "sim/cli/table.hpp"

namespace fleetsim::cli {

namespace {

std::string marked(const std::string& item, bool estimate) {
  return estimate ? item + " *" : item;
}

/// Sources in the order in which lines name them, each once.
class Footnotes {
 public:
  /// `[3]`
  std::string mark(const Provenance& from) {
    const std::string source = from.estimate ? "estimate" : from.source;
    const std::string note = fmt::format("{}{}{}", source, from.note.empty() ? "" : ": " + from.note,
                                         from.as_of.empty() ? "" : fmt::format(" ({})", from.as_of));
    const auto known = std::find(notes_.begin(), notes_.end(), note);
    const auto number = static_cast<std::size_t>(known - notes_.begin()) + 1;
    if (known == notes_.end()) notes_.push_back(note);
    return fmt::format("[{}]", number);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < notes_.size(); ++i)
      text += wrapped(fmt::format("  {:>4} ", fmt::format("[{}]", i + 1)), notes_[i]);
    return text;
  }

 private:
  std::vector<std::string> notes_;
};

/// `2020-09 [1]`, or `estimate, 4,000 to 7,000 USD [2]`.
std::string origin(const BillLine& line, Footnotes& notes) {
  if (!line.priced) return "no price is known";
  const Figure<Money>& price = line.unit_price;
  if (!price.from.estimate)
    return fmt::format("{}{}{}", price.from.as_of, price.from.as_of.empty() ? "" : " ",
                       notes.mark(price.from));
  return fmt::format("estimate, {} to {} {}", money_digits(price.low), money_text(price.high),
                     notes.mark(price.from));
}

std::string unspent_text(const Scenario& scenario, const Priced& priced) {
  if (scenario.budget <= Money{}) return {};
  const Money rest = scenario.budget - priced.purchase;
  return fmt::format("  {} the budget of {}\n",
                     rest < Money{} ? money_text(-rest) + " more than" : money_text(rest) + " unspent of",
                     money_text(scenario.budget));
}

std::string bill_text(const Scenario& scenario, const Priced& priced) {
  const Bill& bill = priced.bill;
  Footnotes notes;
  Rows rows = {{"item", "quantity", "unit price", "total", "source and date"}};
  std::string group;
  for (const BillLine& line : bill.lines) {
    if (line.group != group) rows.push_back({line.group + ":"});
    group = line.group;
    rows.push_back({"  " + line.item, fmt::format("{}", line.quantity),
                    !line.settled.empty() ? line.settled
                    : line.priced         ? money_text(line.unit_price.value)
                                          : "unpriced",
                    line.priced ? money_text(line.total()) : "unpriced", origin(line, notes)});
  }
  rows.push_back({"nodes with their network adapters", "", "", money_text(bill.node_money), ""});
  rows.push_back({"shared equipment", "", "", money_text(bill.fixed_money), ""});
  rows.push_back({"bill of materials", "", "", money_text(bill.total), ""});
  for (const Charge& charge : priced.charges)
    rows.push_back({charge.item, "", "", money_text(charge.amount), charge.basis});
  if (!priced.charges.empty())
    rows.push_back({"purchase with all that is charged", "", "", money_text(priced.purchase), ""});
  return "Bill of materials\n" + aligned(rows, 1, true) + unspent_text(scenario, priced) + "\nSources\n" +
         notes.text();
}

/// Years side by side, as many as fit the width; the total beside the last of them.
std::string cost_by_year_text(const CostTable& cost, const EconomicsSpec& economics) {
  constexpr std::size_t kInARow = 6;
  const std::size_t years = cost.total_by_year.size();
  std::string text;
  for (std::size_t first = 0; first < years; first += kInARow) {
    const std::size_t end = std::min(first + kInARow, years);
    Rows rows = {{"item"}};
    for (std::size_t y = first; y < end; ++y) rows[0].push_back(fmt::format("year {}", y + 1));
    if (end == years) rows[0].emplace_back("total");
    const auto row = [&](const std::string& item, const std::vector<Money>& by_year) {
      std::vector<std::string> cells = {item};
      Money sum;
      for (const Money money : by_year) sum += money;
      for (std::size_t y = first; y < end; ++y) cells.push_back(money_text(by_year[y]));
      if (end == years) cells.push_back(money_text(sum));
      rows.push_back(std::move(cells));
    };
    for (const CostLine& line : cost.lines) row(marked(line.item, line.estimate), line.by_year);
    row("all", cost.total_by_year);
    if (first < economics.budget_by_year.size()) {
      std::vector<std::string> caps = {"cap of the year"};
      for (std::size_t y = first; y < std::min(end, economics.budget_by_year.size()); ++y)
        caps.push_back(money_text(economics.budget_by_year[y]));
      rows.push_back(std::move(caps));
    }
    text += (first == 0 ? "" : "\n") + aligned(rows, 1);
  }
  return text;
}

std::string cost_text(const Scenario& scenario, const Priced& priced) {
  std::string text = "Cost by year (* rests on an estimate)\n" + cost_by_year_text(priced.cost, scenario.economics);
  const Figure<double>& support = scenario.prices.support_per_year;
  for (const CostLine& line : priced.cost.lines) {
    const bool of_catalogue = line.item == "Support and repair" && line.estimate;
    const std::string range =
        of_catalogue ? fmt::format("; estimate, {:.4g} to {:.4g} %: {} ({})", 100.0 * support.low,
                                   100.0 * support.high, support.from.note, support.from.as_of)
                     : std::string();
    text += wrapped(fmt::format("  {}: ", line.item), line.basis + range);
  }
  if (scenario.economics.discount_rate > 0.0)
    text += fmt::format(
        "Present cost: {} (purchase at the start, the rest at the end of its year, {:.4g} % a year)\n",
        money_text(priced.present), 100.0 * scenario.economics.discount_rate);
  for (std::size_t y = 0; y < priced.book_value.size(); ++y)
    text += fmt::format("{}{}{}", y == 0 ? "Nodes in the books at the end of year 1, 2, ...: " : ", ",
                        money_text(priced.book_value[y]), y + 1 == priced.book_value.size() ? "\n" : "");
  for (const ExchangeRate& r : scenario.economics.exchange)
    text += fmt::format("1 {} = {} ({}, {})\n", r.currency, to_text(r.rate), r.source, r.as_of);
  for (const std::string& sentence : priced.broken_caps) text += fmt::format("Broken: {}\n", sentence);
  return text;
}

/// "GPU", "chip", or "accelerator" for a fleet of both.
std::string accelerator_word(const Scenario& scenario) {
  std::string word;
  for (const NodePool& pool : scenario.pools) {
    if (pool.count == 0) continue;
    const std::string own = fleetsim::accelerator_word(pool.node.gpu);
    if (!word.empty() && word != own) return "accelerator";
    word = own;
  }
  return word.empty() ? "GPU" : word;
}

std::string peak_power_text(const Scenario& scenario) {
  const double watts = peak_power_at_meter(scenario).count();
  return watts > 0.0
             ? fmt::format("Peak power at the meter: {:.1f} kW (every node at load x PUE)\n", watts / 1000.0)
             : std::string("Peak power at the meter: none of one's own\n");
}

}  // namespace

std::string price_text(const Scenario& scenario, const Priced& priced) {
  const std::string word = accelerator_word(scenario);
  std::string text = scenario.name + ":";
  for (const NodePool& pool : scenario.pools) {
    text += fmt::format(" {} x {} ({});", pool.count, pool.node.title, pool.name);
  }
  text += " " + counted(priced.gpus, word) + "\n\n";
  text += bill_text(scenario, priced);
  text += '\n' + cost_text(scenario, priced);
  text += '\n' + peak_power_text(scenario);
  text += fmt::format("Utilisation: {:.1f} % of {} time ({})\n", 100.0 * priced.utilisation, word,
                      priced.utilisation_basis);
  text += priced.gpu_hour ? fmt::format("Cost of a used {}-hour: {:.3f} USD over {} years{}\n", word,
                                        to_usd(*priced.gpu_hour), priced.cost.total_by_year.size(),
                                        priced.bill.unpriced.empty() ? "" : ", without what is unpriced")
                          : fmt::format("Cost of a used {0}-hour: not defined, no {0}-hour is used\n", word);
  text += wrapped("  ", kCostBasis);
  if (const auto& burst = scenario.scheduler.burst)
    text += wrapped(
        "Jobs that burst: ",
        fmt::format("not counted; which jobs wait longer than {} only 'fleetsim run' knows. A {}-hour "
                    "on {} costs {}",
                    to_text(burst->above_wait), fleetsim::accelerator_word(burst->node.gpu),
                    burst->node.title, money_text(burst->rate.value)));
  text += own_or_rent_text(scenario, priced.utilisation);
  for (const std::string& item : priced.bill.unpriced) text += fmt::format("Unpriced: {}\n", item);
  text += '\n' + findings_text(facility::check(scenario));
  return text;
}

}  // namespace fleetsim::cli
