#include "sim/study/judge_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/candidate_list.hpp"
#include "sim/study/constraints.hpp"
#include "sim/study/fleet_use.hpp"
#include "sim/study/price_comparison.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/verdict.hpp"

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
      : scenario_(base), use_(mean_use(base, candidate)) {
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
    return {purchase_money(prices, bill), cost_of_use(prices, bill, use_).total};
  }
  Scenario scenario_;
  PoolUse use_;
};

void count_draws(const Scenario& base, const PricePlan& plan, const PriceComparison& judge, int recommended,
                 const Purse* purse, const std::vector<SimulatedFleet>& fleets, PriceRobustness& out) {
  const auto n = static_cast<double>(plan.draws.size());
  std::vector<PriceRobustness::Fleet> all(plan.fleets.size());
  std::vector<double> share, load, s, capex, three_year;
  for (const PricePlan::Draw& draw : plan.draws) {
    const std::vector<CapsOfFleet> caps =
        judge.caps(draw.situation, with_quantities(base, plan.quantities, draw.values));
    const PriceOutcome outcome = judge.outcome(draw.situation, caps);
    for (std::size_t i = 0; i < caps.size(); ++i)
      all[static_cast<std::size_t>(draw.situation.fleets[i])].affordable += caps[i].kept ? 1.0 : 0.0;
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

/// A stretch of a scan on which neither what is on offer nor what the caps of years say changes.
struct Piece {
  double from = 0.0, to = 0.0;
  const PriceSituation* situation = nullptr;
  std::vector<CapsOfFleet> caps;
  PriceOutcome outcome;
};

/// What is said of the recommended fleet in one piece.
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
    nominal_.situation = &plan.nominal;
    nominal_.caps = judge_.caps(plan.nominal, base);
    nominal_.outcome = judge_.outcome(plan.nominal, nominal_.caps);
    here_ = standing(nominal_);
  }

  [[nodiscard]] const PriceOutcome& nominal() const { return nominal_.outcome; }

  void scan(std::size_t q, PriceRobustness::Quantity& out) const {
    const std::vector<PriceSegment>& segments = plan_.scans[q];
    std::vector<Piece> pieces;
    for (const PriceSegment& segment : segments) {
      out.not_looked_at += segment.situation.whole ? 0 : 1;
      out.moves_fleets = out.moves_fleets || segment.situation.fleets != segments.front().situation.fleets;
      pieces.push_back(
          {segment.from, segment.from, &segment.situation, caps_at(q, segment.situation, segment.from), {}});
      // By way of the value, so that no step of the halving hides what holds there.
      for (const double to : {std::clamp(out.value, segment.from, segment.to), segment.to})
        extend(q, to, caps_at(q, segment.situation, to), pieces);
    }
    for (Piece& piece : pieces) piece.outcome = judge_.outcome(*piece.situation, piece.caps);
    out.at_low = judge_.choice(*pieces.front().situation, pieces.front().outcome, moved(q, out.low));
    out.at_high = judge_.choice(*pieces.back().situation, pieces.back().outcome, moved(q, out.high));
    std::size_t home = 0;
    while (home + 1 < pieces.size() && pieces[home].to < out.value) ++home;
    for (const int step : {-1, 1}) {
      std::vector<const Piece*> path;
      for (auto i = static_cast<std::ptrdiff_t>(home) + step;
           i >= 0 && i < static_cast<std::ptrdiff_t>(pieces.size()); i += step)
        path.push_back(&pieces[static_cast<std::size_t>(i)]);
      walk(path, step, out);
    }
  }

 private:
  [[nodiscard]] Scenario moved(std::size_t q, double value) const {
    Scenario prices = base_;
    set_quantity(prices, plan_.quantities[q], value);
    return prices;
  }
  [[nodiscard]] std::vector<CapsOfFleet> caps_at(std::size_t q, const PriceSituation& situation,
                                                 double value) const {
    return judge_.caps(situation, moved(q, value));
  }

  /// Lengthens the last piece to `to`, of the same situation; by halving it finds where the caps' word
  /// changes and begins a piece there.
  void extend(std::size_t q, double to, std::vector<CapsOfFleet> caps, std::vector<Piece>& pieces) const {
    const double from = pieces.back().to, least = scan_step(plan_.quantities[q]);
    if (pieces.back().caps == caps) {
      pieces.back().to = to;
      return;
    }
    const PriceSituation* situation = pieces.back().situation;
    const double middle = scan_middle(from, to, least);
    if (to - from <= least || middle <= from) {
      pieces.push_back({to, to, situation, std::move(caps), {}});
      return;
    }
    extend(q, middle, caps_at(q, *situation, middle), pieces);
    extend(q, to, std::move(caps), pieces);
  }

  [[nodiscard]] Standing standing(const Piece& piece) const {
    Standing made;
    if (recommended_ < 0) return made;
    const PriceSituation& situation = *piece.situation;
    const PriceOutcome& outcome = piece.outcome;
    const std::string best =
        outcome.set.best < 0 ? "" : fleets_[static_cast<std::size_t>(outcome.set.best)].label;
    const auto unpaid = [&](const char* why) {
      return best.empty() || !situation.whole ? std::string(why) : fmt::format("{}, {} is best", why, best);
    };
    if (!situation.offers(recommended_))
      return {true, false, false, unpaid("the budget does not pay for it")};
    const auto at = std::lower_bound(situation.fleets.begin(), situation.fleets.end(), recommended_);
    if (!piece.caps[static_cast<std::size_t>(at - situation.fleets.begin())].kept)
      return {true, false, false, unpaid("it breaks the cap of a year")};
    if (!situation.whole) return made;
    if (names_candidate(outcome.set.members, recommended_)) return {true, false, true, "in the best set"};
    if (names_candidate(outcome.set.undecided, recommended_)) return {true, true, false, "undecided"};
    if (best.empty()) return {true, false, false, "no fleet keeps all constraints"};
    return {true, false, false, fmt::format("worse than {}", best)};
  }

  void walk(const std::vector<const Piece*>& path, int step, PriceRobustness::Quantity& out) const {
    bool fleet = recommended_ >= 0 && here_.kept, rule = rule_judged_;
    for (const Piece* piece : path) {
      const double at = step > 0 ? piece->from : piece->to;
      const Standing there = standing(*piece);
      if (fleet && there.known && there.open) {
        std::optional<double>& open = step > 0 ? out.open_above : out.open_below;
        if (!open) open = at;
      } else if (fleet && there.known && !there.kept) {
        out.flips.push_back({"fleet", at, here_.words, there.words});
        fleet = false;
      }
      const std::string& status = piece->outcome.rule;
      if (rule && piece->situation->whole && status != "undecided" && status != nominal().rule) {
        out.flips.push_back({"rule", at, nominal().rule, status});
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
  Piece nominal_;
  Standing here_;
};

}  // namespace

SimulatedFleet simulated_fleet(const Scenario& scenario, const CandidateResult& candidate,
                               std::vector<double> hours) {
  const bool but_for_caps = candidate.reasons == candidate.over_caps;
  const Keeps keeps = hours.empty() ? Keeps::broken
                                    : judge_bounds(scenario, scenario.study.constraints, candidate,
                                                   {kConstraintError, kConstraintError})
                                          .keeps;
  return {candidate.label, candidate.feasible || but_for_caps, std::move(hours), keeps,
          use_range(scenario, candidate)};
}

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
  const Scanner scanner(base, plan, judge, fleets, recommended, out.rule_judged);
  out.at_values = judge.choice(plan.nominal, scanner.nominal(), base);
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
