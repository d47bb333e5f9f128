// The Pareto front of two figures: a chart of the fleets under the scenario's own sharing rule, and their
// table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/markdown.hpp"
#include "reports/money.hpp"
#include "reports/numbers.hpp"
#include "reports/reading.hpp"
#include "reports/section.hpp"

namespace fleetsim {
namespace {

/// What a figure is shown in: seconds as hours, ratios as percent, all else as it is.
double shown(const FrontAxis& axis, double value) {
  return axis.unit == "s" ? value / 3600.0 : axis.unit == "ratio" ? 100.0 * value : value;
}

std::string shown_unit(const FrontAxis& axis) {
  return axis.unit == "s" ? "h" : axis.unit == "ratio" ? "%" : axis.unit;
}

std::string title(const FrontAxis& axis) {
  const std::string unit = shown_unit(axis);
  return axis.name + (unit.empty() ? "" : ", " + unit);
}

std::string figure(const FrontAxis& axis, double value) {
  return std::isfinite(value) ? grouped(shown(axis, value), axis.unit == "USD" ? 0 : 2) : std::string(kNone);
}

std::string interval(const FrontAxis& axis, const FrontValue& v) {
  if (axis.exact) return "exact";
  if (!std::isfinite(v.low) || !std::isfinite(v.high)) return kNone;
  return fmt::format("{} to {}", figure(axis, v.low), figure(axis, v.high));
}

std::string judged(const FrontFleet& fleet) {
  const std::string more = fleet.rivals > 1 ? fmt::format(" and {} more", fleet.rivals - 1) : "";
  switch (fleet.standing) {
    case FrontStanding::on_front:
      return bold("on the front");
    case FrontStanding::dominated:
      return fmt::format("dominated by {}{}", text(fleet.by), more);
    case FrontStanding::undecided:
      return fmt::format("undecided: {}{} may dominate it", text(fleet.by), more);
    case FrontStanding::left_out:
      return "left out: " + text(fleet.reason);
  }
  return {};
}

const FrontOfRule* own_rule(const Dossier& d) {
  for (const FrontOfRule& rule : d.study.front->rules)
    if (rule.sharing == d.sharing) return &rule;
  return nullptr;
}

std::vector<std::string> labels(const FrontOfRule& rule, FrontStanding standing) {
  std::vector<std::string> all;
  for (const FrontFleet& fleet : rule.fleets)
    if (fleet.standing == standing) all.push_back(text(fleet.label));
  return all;
}

/// All of them where that reads well, else how many; the table names the rest.
std::string some(const std::vector<std::string>& fleets) {
  return fleets.size() <= 6 ? listed(fleets) : count(static_cast<long long>(fleets.size()), "fleet");
}

std::string finding(const FrontOfRule& rule) {
  const auto front = labels(rule, FrontStanding::on_front);
  const auto open = labels(rule, FrontStanding::undecided);
  std::string words = front.empty() ? std::string("Of no fleet it is certain that it is on the front")
                                    : fmt::format("Certainly on the front: {}", some(front));
  if (!open.empty()) words += fmt::format("; undecided: {}", some(open));
  return words;
}

void chart(const Front& front, const FrontOfRule& rule, std::vector<Block>& out) {
  std::string csv = "fleet,x,x_lo,x_hi,y,y_lo,y_hi,standing\n";
  int points = 0;
  for (const FrontFleet& fleet : rule.fleets) {
    if (fleet.standing == FrontStanding::left_out) continue;
    std::string row = csv_cell(fleet.label);
    for (std::size_t q = 0; q < 2; ++q) {
      const FrontValue& v = fleet.values[q];
      const bool bounded = std::isfinite(v.low) && std::isfinite(v.high);
      const FrontAxis& axis = front.axes[q];
      row += fmt::format(",{:.6g},{:.6g},{:.6g}", shown(axis, v.mean), shown(axis, bounded ? v.low : v.mean),
                         shown(axis, bounded ? v.high : v.mean));
    }
    csv += fmt::format("{},{}\n", row, static_cast<int>(fleet.standing));
    ++points;
  }
  if (points < 2) return;
  out.emplace_back(Drawing{
      "front",
      "front",
      csv,
      {title(front.axes[0]), title(front.axes[1])},
      fmt::format("Each fleet by {} and {}. {}.", text(front.axes[0].name), text(front.axes[1].name),
                  finding(rule)),
      fmt::format("{}. Bars are the 95 % intervals of each fleet; what decides is the differences of pairs, "
                  "which are known better. Named: the fleets on the front and the undecided ones.",
                  finding(rule))});
}

void front_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.front) return;
  const Front& front = *d.study.front;
  const FrontOfRule* rule = own_rule(d);
  if (rule == nullptr) return;
  out.emplace_back(Heading{1, fmt::format("No fleet is better in both: {} and {}", text(front.axes[0].name),
                                          text(front.axes[1].name))});
  std::string opening =
      "A fleet is on the Pareto front when no other one is at least as good in both figures and better in "
      "one: "
      "what is better in one of them costs something in the other. ";
  for (const FrontAxis& axis : front.axes)
    opening += fmt::format("Of {} {} is better. ", text(axis.name), axis.larger_is_better ? "more" : "less");
  out.emplace_back(Paragraph{opening + text(front_guarantee(front))});
  chart(front, *rule, out);
  Table table;
  table.columns = {{"Fleet"},
                   {text(title(front.axes[0])), Align::right},
                   {"95 %", Align::right},
                   {text(title(front.axes[1])), Align::right},
                   {"95 %", Align::right},
                   {"Standing"}};
  for (const FrontFleet& fleet : rule->fleets)
    table.rows.push_back({text(fleet.label), figure(front.axes[0], fleet.values[0].mean),
                          interval(front.axes[0], fleet.values[0]),
                          figure(front.axes[1], fleet.values[1].mean),
                          interval(front.axes[1], fleet.values[1]), judged(fleet)});
  table.caption = finding(*rule);
  out.emplace_back(std::move(table));
}

const RegisterSection kFront{{43, "front", front_section}};

}  // namespace
}  // namespace fleetsim
