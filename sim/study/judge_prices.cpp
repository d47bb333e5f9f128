#include "sim/study/judge_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/fleet_use.hpp"
#include "sim/study/price_comparison.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/verdict.hpp"
#include "sim/study/candidate_list.hpp"

namespace fleetsim {

namespace {

/// Nearest rank: the smallest value that at least `p` of all do not exceed.
double quantile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return kNan;
  const double rank = std::ceil(p * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

DrawQuantiles quantiles(std::vector<double> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }),
               values.end());
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.05), quantile(values, 0.50), quantile(values, 0.95)};
}

/// Price and three-year cost of one fleet.
class Purse {
 public:
  Purse(const Scenario& base, const CandidateResult& candidate)
      : scenario_(base), busy_(busy_by_pool(candidate)), rented_(rented_a_year(base, candidate)) {
    for (std::size_t i = 0; i < candidate.counts.size(); ++i) scenario_.pools[i].count = candidate.counts[i];
  }
  struct Cost {
    Money capex, three_year;
  };
  [[nodiscard]] Cost at(const std::vector<UncertainQuantity>& quantities,
                        const std::vector<double>& values) const {
    return of(with_quantities(scenario_, quantities, values));
  }
  [[nodiscard]] Cost at(const UncertainQuantity& quantity, double value) const {
    Scenario moved = scenario_;
    set_quantity(moved, quantity, value);
    return of(moved);
  }

 private:
  [[nodiscard]] Cost of(const Scenario& prices) const {
    const Bill bill = bill_of_materials(prices);
    return {purchase_money(prices, bill),
            cost_by_year(prices, bill, {mean_power(prices, busy_), rented_}).total};
  }
  Scenario scenario_;
  std::vector<double> busy_;
  double rented_;  ///< GPU-hours a year
};

void count_draws(const Scenario& base, const PricePlan& plan, const PriceComparison& judge, int recommended,
                 const Purse* purse, const std::vector<SimulatedFleet>& fleets, PriceRobustness& out) {
  const auto n = static_cast<double>(plan.draws.size());
  std::vector<PriceRobustness::Fleet> all(plan.fleets.size());
  std::vector<double> share, load, s, capex, three_year;
  for (const PricePlan::Draw& draw : plan.draws) {
    const PriceOutcome outcome = judge.outcome(draw.situation);
    for (const int f : draw.situation.fleets) all[static_cast<std::size_t>(f)].affordable += 1.0;
    for (const int f : outcome.set.members) all[static_cast<std::size_t>(f)].in_best_set += 1.0;
    for (const int f : outcome.set.undecided) all[static_cast<std::size_t>(f)].undecided += 1.0;
    if (outcome.set.best >= 0) all[static_cast<std::size_t>(outcome.set.best)].best += 1.0;
    (outcome.rule == "holds"     ? out.holds
     : outcome.rule == "refuted" ? out.refuted
                                 : out.rule_undecided) += 1.0;
    share.push_back(outcome.best_share);
    load.push_back(draw.load);
    s.push_back(draw.s);
    if (purse == nullptr) continue;
    const Purse::Cost cost = purse->at(plan.quantities, draw.values);
    capex.push_back(to_usd(cost.capex));
    three_year.push_back(to_usd(cost.three_year));
  }
  if (plan.draws.empty()) return;
  // Whole counts first, one division after: 53 of 200 is 0.265, whatever the order.
  for (double* shares : {&out.holds, &out.refuted, &out.rule_undecided}) *shares /= n;
  for (PriceRobustness::Fleet& fleet : all)
    for (double* shares : {&fleet.affordable, &fleet.in_best_set, &fleet.undecided, &fleet.best})
      *shares /= n;
  out.best_share = quantiles(std::move(share));
  out.load = quantiles(std::move(load));
  out.s = quantiles(std::move(s));
  out.capex_usd = quantiles(std::move(capex));
  out.three_year_usd = quantiles(std::move(three_year));
  const PoolId scale = scale_pool(base);
  for (std::size_t f = 0; f < all.size(); ++f) {
    PriceRobustness::Fleet& fleet = all[f];
    fleet.label = fleets[f].label;
    fleet.counts = plan.fleets[f];
    fleet.of_study = f < plan.own;
    Money money;
    for (std::size_t p = 0; p < fleet.counts.size(); ++p)
      money += node_price(base, PoolId{static_cast<std::uint16_t>(p)}) * fleet.counts[p];
    if (money > Money{}) fleet.share = node_price(base, scale) * fleet.counts[index(scale)] / money;
    if (static_cast<int>(f) == recommended) {
      out.affordable = fleet.affordable;
      out.in_best_set = fleet.in_best_set;
      out.undecided = fleet.undecided;
      out.best = fleet.best;
    }
  }
  const auto own_end = all.begin() + static_cast<std::ptrdiff_t>(plan.own);
  out.fleets.assign(all.begin(), own_end);
  std::vector<PriceRobustness::Fleet> others(own_end, all.end());
  std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) {
    return a.in_best_set != b.in_best_set ? a.in_best_set > b.in_best_set : a.counts < b.counts;
  });
  for (PriceRobustness::Fleet& fleet : others)
    if (fleet.in_best_set > 0.0) out.fleets.push_back(std::move(fleet));
}

/// What is said of the recommended fleet in one segment.
struct Standing {
  bool known = false, open = false, kept = false;
  std::string words;
};

class Scanner {
 public:
  Scanner(const Scenario& base, const PricePlan& plan, const PriceComparison& judge,
          const std::vector<SimulatedFleet>& fleets, int recommended, bool rule_judged)
      : base_(base),
        plan_(plan),
        judge_(judge),
        fleets_(fleets),
        recommended_(recommended),
        rule_judged_(rule_judged) {
    nominal_ = judge_.outcome(plan.nominal);
    here_ = standing(plan.nominal, nominal_);
  }

  void scan(std::size_t q, PriceRobustness::Quantity& out) const {
    const std::vector<PriceSegment>& segments = plan_.scans[q];
    std::vector<PriceOutcome> outcomes;
    for (const PriceSegment& segment : segments) {
      outcomes.push_back(judge_.outcome(segment.situation));
      out.not_looked_at += segment.situation.whole ? 0 : 1;
      out.moves_fleets = out.moves_fleets || segment.situation.fleets != segments.front().situation.fleets;
    }
    const auto moved = [&](double value) {
      Scenario prices = base_;
      set_quantity(prices, plan_.quantities[q], value);
      return prices;
    };
    out.at_low = judge_.choice(segments.front().situation, outcomes.front(), moved(out.low));
    out.at_high = judge_.choice(segments.back().situation, outcomes.back(), moved(out.high));
    std::size_t home = 0;
    while (home + 1 < segments.size() && segments[home].to < out.value) ++home;
    for (const int step : {-1, 1}) {
      std::vector<std::size_t> path;
      for (auto i = static_cast<std::ptrdiff_t>(home) + step;
           i >= 0 && i < static_cast<std::ptrdiff_t>(segments.size()); i += step)
        path.push_back(static_cast<std::size_t>(i));
      walk(segments, outcomes, path, step, out);
    }
  }

 private:
  [[nodiscard]] Standing standing(const PriceSituation& situation, const PriceOutcome& outcome) const {
    Standing made;
    if (recommended_ < 0) return made;
    const std::string best =
        outcome.set.best < 0 ? "" : fleets_[static_cast<std::size_t>(outcome.set.best)].label;
    if (!situation.offers(recommended_))
      return {true, false, false,
              best.empty() || !situation.whole
                  ? "the budget does not pay for it"
                  : fmt::format("the budget does not pay for it, {} is best", best)};
    if (!situation.whole) return made;
    if (names_candidate(outcome.set.members, recommended_)) return {true, false, true, "in the best set"};
    if (names_candidate(outcome.set.undecided, recommended_)) return {true, true, false, "undecided"};
    if (best.empty()) return {true, false, false, "no fleet keeps all constraints"};
    return {true, false, false, fmt::format("worse than {}", best)};
  }

  void walk(const std::vector<PriceSegment>& segments, const std::vector<PriceOutcome>& outcomes,
            const std::vector<std::size_t>& path, int step, PriceRobustness::Quantity& out) const {
    bool fleet = recommended_ >= 0 && here_.kept, rule = rule_judged_;
    for (const std::size_t i : path) {
      const double at = step > 0 ? segments[i].from : segments[i].to;
      const Standing there = standing(segments[i].situation, outcomes[i]);
      if (fleet && there.known && there.open) {
        std::optional<double>& open = step > 0 ? out.open_above : out.open_below;
        if (!open) open = at;
      } else if (fleet && there.known && !there.kept) {
        out.flips.push_back({"fleet", at, here_.words, there.words});
        fleet = false;
      }
      const std::string& status = outcomes[i].rule;
      if (rule && segments[i].situation.whole && status != "undecided" && status != nominal_.rule) {
        out.flips.push_back({"rule", at, nominal_.rule, status});
        rule = false;
      }
    }
  }

  const Scenario& base_;
  const PricePlan& plan_;
  const PriceComparison& judge_;
  const std::vector<SimulatedFleet>& fleets_;
  int recommended_;
  bool rule_judged_;
  PriceOutcome nominal_;
  Standing here_;
};

}  // namespace

PriceRobustness judge_prices(const Scenario& base, const StudyResult& study, const PricePlan& plan,
                             const std::vector<SimulatedFleet>& fleets) {
  PriceRobustness out;
  out.asked = base.study.price_draws;
  out.draws = static_cast<int>(plan.draws.size());
  out.replications = draw_replications(base);
  out.fleets_added = static_cast<int>(plan.extra());
  out.fleets_left_out = static_cast<int>(plan.left_out);
  out.sharing = to_string(base.scheduler.sharing);
  out.scale_pool = study.scale_pool;
  out.k = base.study.prototypes_per_result;
  out.rule_judged = study.pool_names.size() == 2;

  const Recommendation recommendation = recommend(base, study);
  int recommended = -1;
  std::optional<Purse> purse;
  if (recommendation.feasible) {
    const CandidateResult& c = study.candidates[static_cast<std::size_t>(recommendation.candidate)];
    out.recommended = c.label;
    const auto own_end = plan.fleets.begin() + static_cast<std::ptrdiff_t>(plan.own);
    const auto at = std::find(plan.fleets.begin(), own_end, c.counts);
    if (at != own_end) recommended = static_cast<int>(at - plan.fleets.begin());
    purse.emplace(base, c);
  }
  const PriceComparison judge(base, study, plan, fleets);
  count_draws(base, plan, judge, recommended, purse ? &*purse : nullptr, fleets, out);
  out.at_values = judge.choice(plan.nominal, judge.outcome(plan.nominal), base);
  const Scanner scanner(base, plan, judge, fleets, recommended, out.rule_judged);
  for (std::size_t q = 0; q < plan.quantities.size(); ++q) {
    const UncertainQuantity& quantity = plan.quantities[q];
    PriceRobustness::Quantity made;
    made.item = quantity.item;
    made.unit = quantity.unit;
    made.low = quantity.low;
    made.value = quantity.value;
    made.high = quantity.high;
    if (purse) {
      const Purse::Cost low = purse->at(quantity, quantity.low), high = purse->at(quantity, quantity.high);
      made.capex_at_low = low.capex;
      made.capex_at_high = high.capex;
      made.three_year_at_low = low.three_year;
      made.three_year_at_high = high.three_year;
    }
    scanner.scan(q, made);
    out.quantities.push_back(std::move(made));
  }
  std::stable_sort(out.quantities.begin(), out.quantities.end(), [](const auto& a, const auto& b) {
    return a.capex_at_high - a.capex_at_low > b.capex_at_high - b.capex_at_low;
  });
  return out;
}

std::string quantity_text(const std::string& unit, double value) {
  if (unit == "USD") return money_text(usd(value));
  if (unit == "ratio") return fmt::format("{:.3g} %", 100.0 * value);
  return fmt::format("{:.4g} {}", value, unit);
}

}  // namespace fleetsim
