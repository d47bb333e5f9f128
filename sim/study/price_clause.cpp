// The verdict's sentence about uncertain prices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/study/judge_prices.hpp"

namespace fleetsim {

namespace {

std::string whole_percent(double share) {
  return fmt::format("{:.0f} %", 100.0 * share);
}

struct Nearest {
  const PriceRobustness::Quantity* quantity = nullptr;
  const PriceRobustness::Flip* flip = nullptr;
  double distance = 0.0;  ///< from the value, in widths of the range
};

/// Flips of one kind, nearest to the value first.
std::vector<Nearest> flips_of(const PriceRobustness& prices, const std::string& what) {
  std::vector<Nearest> all;
  for (const PriceRobustness::Quantity& q : prices.quantities) {
    for (const PriceRobustness::Flip& flip : q.flips)
      if (flip.what == what) all.push_back({&q, &flip, std::abs(flip.at - q.value) / (q.high - q.low)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Nearest& a, const Nearest& b) { return a.distance < b.distance; });
  return all;
}

std::string flip_text(const Nearest& n) {
  const bool above = n.flip->at > n.quantity->value;
  return fmt::format("{} of {} or {} ({})", n.quantity->item, quantity_text(n.quantity->unit, n.flip->at),
                     above ? "more" : "less", n.flip->to);
}

std::string flips_text(const PriceRobustness& prices, const std::string& what, const std::string& subject) {
  constexpr std::size_t kMost = 2;
  const std::vector<Nearest> all = flips_of(prices, what);
  if (all.empty()) return fmt::format(" No single estimate flips {} within its range.", subject);
  std::string text = fmt::format(" It takes {} to flip {}", flip_text(all[0]), subject);
  for (std::size_t i = 1; i < std::min(all.size(), kMost); ++i)
    text += fmt::format(", or {}", flip_text(all[i]));
  if (all.size() > kMost)
    text += fmt::format(", or one of {} other{}", all.size() - kMost, all.size() == kMost + 1 ? "" : "s");
  return text + ".";
}

}  // namespace

std::string price_clause(const PriceRobustness& prices) {
  if (prices.draws == 0) return {};
  std::string text = fmt::format(" Prices are estimates: over {} draw{} from their ranges", prices.draws,
                                 prices.draws == 1 ? "" : "s");
  if (!prices.recommended.empty()) {
    text += fmt::format(" the budget pays for {} in {}, and it is in the best set in {}", prices.recommended,
                        whole_percent(prices.affordable), whole_percent(prices.in_best_set));
    if (prices.undecided > 0.0) text += fmt::format(" (undecided in {})", whole_percent(prices.undecided));
  }
  if (prices.rule_judged)
    text += fmt::format("{} the rule holds in {}, is refuted in {} and undecided in {}",
                        prices.recommended.empty() ? "" : ";", whole_percent(prices.holds), whole_percent(prices.refuted),
                        whole_percent(prices.rule_undecided));
  if (!std::isnan(prices.best_share.p50))
    text += fmt::format("; the best fleet of a draw has {} of node money on {} (90 % of draws: {} to {})",
                        whole_percent(prices.best_share.p50), prices.scale_pool, whole_percent(prices.best_share.p5),
                        whole_percent(prices.best_share.p95));
  text += ".";
  if (!prices.recommended.empty()) text += flips_text(prices, "fleet", "the recommendation");
  if (prices.rule_judged) text += flips_text(prices, "rule", "the judgement of the rule");
  return text;
}

}  // namespace fleetsim
