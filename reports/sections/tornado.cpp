// Tornado: what the best fleet, and its time to a result, become at both ends of each estimate's range.
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

using Quantity = PriceRobustness::Quantity;

constexpr std::size_t kMostBars = 10;

double swing(const Quantity& q, double home) {
  double most = 0.0;
  for (const PriceRobustness::Choice* end : {&q.at_low, &q.at_high})
    if (!std::isnan(end->hours)) most = std::max(most, std::abs(end->hours - home));
  return most;
}

/// Estimates that change the best fleet or its time, the strongest first.
std::vector<const Quantity*> strongest(const PriceRobustness& p) {
  std::vector<const Quantity*> moving;
  for (const Quantity& q : p.quantities)
    if (swing(q, p.at_values.hours) > 0.0) moving.push_back(&q);
  std::stable_sort(moving.begin(), moving.end(), [&](const Quantity* a, const Quantity* b) {
    return swing(*a, p.at_values.hours) > swing(*b, p.at_values.hours);
  });
  return moving;
}

void chart(const PriceRobustness& p, const std::vector<const Quantity*>& moving, std::vector<Block>& out) {
  const double home = p.at_values.hours;
  std::string csv = "item,low_h,high_h,low_best,high_best\n";
  std::string alt = fmt::format("Bars from {}.", hours(home));
  for (std::size_t i = 0; i < std::min(kMostBars, moving.size()); ++i) {
    const Quantity& q = *moving[i];
    const auto at = [&](const PriceRobustness::Choice& end) {
      return std::isnan(end.hours) ? home : end.hours;
    };
    const auto name = [&](const PriceRobustness::Choice& end) {
      return end.best.empty() ? std::string("?") : end.best;
    };
    csv += fmt::format("{},{:.3f},{:.3f},{},{}\n", csv_cell(q.item), at(q.at_low), at(q.at_high),
                       csv_cell(name(q.at_low)), csv_cell(name(q.at_high)));
    alt += fmt::format(" {}: {} at its low, {} at its high end.", q.item, hours(at(q.at_low)),
                       hours(at(q.at_high)));
  }
  const Quantity& first = *moving.front();
  out.emplace_back(Drawing{
      "tornado",
      "tornado",
      csv,
      {fmt::format("{:.3f}", home)},
      alt,
      fmt::format("{} moves the recommendation most: {} is best when it costs {}, {} when it costs {}. One "
                  "estimate moved at a time, the budget and the jobs as they are.",
                  text(first.item), text(first.at_low.best.empty() ? kNone : first.at_low.best),
                  quantity_text(first.unit, first.low),
                  text(first.at_high.best.empty() ? kNone : first.at_high.best),
                  quantity_text(first.unit, first.high))});
}

void table(const PriceRobustness& p, const std::vector<const Quantity*>& moving, std::vector<Block>& out) {
  const auto cell = [](const PriceRobustness::Choice& end) {
    if (end.best.empty()) return std::string(kNone);
    return fmt::format("{} ({}), {}", text(end.best), percent(end.share), hours(end.hours));
  };
  Table made;
  made.columns = {{"Estimate"}, {"Low end"}, {"Best fleet there"}, {"High end"}, {"Best fleet there"}};
  for (const Quantity* q : moving)
    made.rows.push_back({text(q->item), quantity_text(q->unit, q->low), cell(q->at_low),
                         quantity_text(q->unit, q->high), cell(q->at_high)});
  made.caption = fmt::format(
      "The best fleet at both ends of each estimate; with all at their values it is {}; the other {} of {} "
      "estimates change neither the best fleet nor its time",
      cell(p.at_values), p.quantities.size() - moving.size(), p.quantities.size());
  out.emplace_back(made);
}

void tornado_section(const Dossier& d, const ReportContext&, std::vector<Block>& out) {
  if (!d.study.prices || d.study.prices->draws == 0 || d.study.prices->at_values.best.empty()) return;
  const PriceRobustness& p = *d.study.prices;
  const std::vector<const Quantity*> moving = strongest(p);
  out.emplace_back(Heading{2, "What each estimate does to the recommendation"});
  if (moving.empty()) {
    out.emplace_back(
        Paragraph{fmt::format("None of the {} changes the best fleet or its time to a result anywhere "
                              "between the ends of its range.",
                              count(static_cast<int>(p.quantities.size()), "estimate"))});
    return;
  }
  chart(p, moving, out);
  table(p, moving, out);
}

const RegisterSection kTornado{{46, "tornado", tornado_section}};

}  // namespace
}  // namespace fleetsim
