// Cost by year: purchase and running, as a table and a chart, and what one useful GPU hour costs.
#include <fmt/format.h>

#include <algorithm>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

std::string years_title(std::size_t years) {
  static const char* const kWords[] = {"", "One", "Two", "Three", "Four", "Five", "Six", "Seven"};
  return years < 8 ? kWords[years] : grouped(static_cast<double>(years));
}

Table by_year(const Dossier& d) {
  Table table;
  table.columns = {{"Cost"}};
  const std::size_t years = d.cost.total_by_year.size();
  for (std::size_t y = 0; y < years; ++y)
    table.columns.push_back({fmt::format("Year {}", y + 1), Align::right});
  table.columns.push_back({"Total", Align::right});
  for (const CostLine& line : d.cost.lines) {
    std::vector<std::string> row{text(line.item) + (line.estimate ? " (estimate)" : "")};
    for (std::size_t y = 0; y < years; ++y) {
      const Money amount = y < line.by_year.size() ? line.by_year[y] : Money{};
      row.push_back(amount == Money{} ? std::string(kNone) : exact_dollars(amount));
    }
    row.push_back(exact_dollars(sum(line)));
    table.rows.push_back(row);
  }
  std::vector<std::string> total{"Total"};
  for (const Money amount : d.cost.total_by_year) total.push_back(exact_dollars(amount));
  total.push_back(exact_dollars(d.cost.total));
  table.total_rows.push_back(static_cast<int>(table.rows.size()));
  table.rows.push_back(total);
  const auto& cash = d.economics.cash_flow;
  if (std::any_of(cash.begin(), cash.end(), [](const CashYear& y) { return y.cap.has_value(); })) {
    std::vector<std::string> caps{"Cap of the year"};
    for (const CashYear& y : cash) caps.push_back(y.cap ? exact_dollars(*y.cap) : std::string(kNone));
    caps.emplace_back(kNone);
    table.rows.push_back(caps);
  }
  table.caption = fmt::format("Cost by year, {} in all", exact_dollars(d.cost.total));
  if (d.cost_per_useful_gpu_hour > Money{}) {
    table.caption += fmt::format("; that is {} for each useful GPU hour", cents(d.cost_per_useful_gpu_hour));
  }
  return table;
}

/// What the scenario's economics section adds, one sentence each.
void economics(const Dossier& d, std::vector<std::string>& basis) {
  const EconomicsInfo& e = d.economics;
  if (!e.asked) return;
  if (e.discount_rate > 0.0)
    basis.push_back(
        fmt::format("{} {}: the purchase at the start, everything else at the end of its year, at {} a year.",
                    bold("Present cost:"), exact_dollars(e.present_cost), percent(e.discount_rate, 1)));
  if (!e.book_value_by_year.empty())
    basis.push_back(fmt::format("{} the nodes stand at {} at the end of year {}, by straight line.",
                                bold("Books:"), exact_dollars(e.book_value_by_year.back()),
                                e.book_value_by_year.size()));
  if (e.cost_per_result > Money{})
    basis.push_back(fmt::format("{} {}, the cost of all years over the results of all years.",
                                bold("Cost of a result:"), exact_dollars(e.cost_per_result)));
  for (const ExchangeRate& r : e.exchange)
    basis.push_back(fmt::format("{} 1{}{} = {}{}USD ({}, {}).", bold("Exchange:"), kNbsp, r.currency,
                                to_usd(r.rate), kNbsp, text(r.source), text(r.as_of)));
}

/// At most six items reach the chart; smaller ones are joined.
std::vector<CostLine> chart_items(const CostTable& cost) {
  std::vector<CostLine> lines;
  for (const CostLine& line : cost.lines)
    if (sum(line) > Money{}) lines.push_back(line);
  while (lines.size() > 6) {
    const auto smallest =
        std::min_element(lines.begin() + 1, lines.end() - 1,
                         [](const CostLine& a, const CostLine& b) { return sum(a) < sum(b); });
    CostLine& last = lines.back();
    last.item = "Other";
    last.by_year.resize(std::max(last.by_year.size(), smallest->by_year.size()));
    for (std::size_t y = 0; y < smallest->by_year.size(); ++y) last.by_year[y] += smallest->by_year[y];
    lines.erase(smallest);
  }
  return lines;
}

void chart(const Dossier& d, std::vector<Block>& out) {
  const auto items = chart_items(d.cost);
  const std::size_t years = d.cost.total_by_year.size();
  if (items.empty() || years < 2) return;
  for (const CostLine& line : d.cost.lines)
    for (const Money amount : line.by_year)
      if (amount < Money{}) return;  // a stack cannot show income; the table does
  std::string csv = "year",
              alt = fmt::format("Stacked bars, {} years, {} in all.", years, dollars(d.cost.total));
  for (const CostLine& line : items) {
    csv += "," + csv_cell(line.item);
    alt += fmt::format(" {} {}.", line.item, dollars(sum(line)));
  }
  for (std::size_t y = 0; y < years; ++y) {
    csv += fmt::format("\nYear {}", y + 1);
    for (const CostLine& line : items)
      csv += fmt::format(",{:.1f}", y < line.by_year.size() ? to_usd(line.by_year[y]) / 1000.0 : 0.0);
  }
  const Money first = d.cost.total_by_year.front(), last = d.cost.total_by_year.back();
  std::string caption =
      fmt::format("Year 1 carries {} of the cost ({})", percent(first / d.cost.total), dollars(first));
  caption += last < first ? fmt::format("; by year {} it is down to {}.", years, dollars(last))
                          : fmt::format("; year {} costs {}.", years, dollars(last));
  out.emplace_back(Drawing{"cost_year", "cost_year", csv + "\n", {}, alt, caption});
}

void cost_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (d.cost.lines.empty() || d.cost.total_by_year.empty()) return;
  out.emplace_back(Heading{1, years_title(d.cost.total_by_year.size()) + "-year cost"});
  out.emplace_back(by_year(d));
  chart(d, out);
  std::vector<std::string> basis;
  for (const CostLine& line : d.cost.lines)
    if (!line.basis.empty()) basis.push_back(bold(text(line.item) + ":") + " " + sentence(line.basis));
  if (d.energy_kwh_per_year > 0.0) {
    basis.push_back(fmt::format("{} {} of electricity a year at the meter.", bold("Energy:"),
                                grouped(d.energy_kwh_per_year) + kNbsp + "kWh"));
  }
  if (d.gpu_hours_useful_per_year > 0.0) {
    basis.push_back(
        fmt::format("{} {} GPU hours a year, those that jobs hold times their scaling efficiency.",
                    bold("Useful work:"), grouped(d.gpu_hours_useful_per_year)));
  }
  economics(d, basis);
  if (!basis.empty()) out.emplace_back(BulletList{basis});
  for (const std::string& broken : d.economics.broken_caps)
    out.emplace_back(Callout{bold("Over the cap:") + " " + sentence(text(broken))});
}

const RegisterSection kCost{{30, "cost", cost_section}};

}  // namespace
}  // namespace fleetsim
