#include "sim/study/price_comparison.hpp"

#include <algorithm>
#include <cmath>

#include "sim/study/selection.hpp"
#include "sim/study/statistics.hpp"
#include "sim/study/verdict.hpp"
#include "sim/study/year_caps.hpp"

namespace fleetsim {

namespace {

Keeps both_kept(Keeps a, Keeps b) {
  if (a == Keeps::broken || b == Keeps::broken) return Keeps::broken;
  return a == Keeps::surely ? b : a;
}

}  // namespace

PriceComparison::PriceComparison(const Scenario& base, const StudyResult& study, const PricePlan& plan,
                                 const std::vector<SimulatedFleet>& fleets)
    : base_(base), study_(study), plan_(plan), fleets_(fleets) {
  // Of a study by rounds only a fleet that was in to the end may be it.
  std::size_t most = 0;
  for (std::size_t i = 0; i < plan.own; ++i)
    if (fleets[i].feasible) most = std::max(most, fleets[i].hours.size());
  for (std::size_t i = 0; i < plan.own; ++i) {
    const SimulatedFleet& fleet = fleets[i];
    const double mean = summarise(fleet.hours, "h").mean;
    if (!fleet.feasible || std::isnan(mean) || fleet.hours.size() < most) continue;
    if (anchor_ < 0 || mean < summarise(fleets[static_cast<std::size_t>(anchor_)].hours, "h").mean)
      anchor_ = static_cast<int>(i);
  }
  for (const SimulatedFleet& fleet : fleets) level_.push_back(level(fleet));
}

std::vector<CapsOfFleet> PriceComparison::caps(const PriceSituation& situation,
                                               const Scenario& prices) const {
  std::vector<CapsOfFleet> made(situation.fleets.size());
  if (prices.economics.budget_by_year.empty()) return made;
  Scenario fleet_at = prices;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::vector<int>& counts = plan_.fleets[static_cast<std::size_t>(situation.fleets[i])];
    for (std::size_t p = 0; p < counts.size(); ++p) fleet_at.pools[p].count = counts[p];
    const PoolUseRange& use = fleet(situation.fleets[i]).use;
    made[i] = {caps_broken_by(fleet_at, use.mean).empty(), keeps_caps(fleet_at, use)};
  }
  return made;
}

PriceOutcome PriceComparison::outcome(const PriceSituation& situation,
                                      const std::vector<CapsOfFleet>& caps) const {
  PriceOutcome made;
  made.set = compare(situation, caps, false);
  const BestSet maximal = compare(situation, caps, true);
  made.rule = rule(situation, caps, maximal, made.best_share);
  return made;
}

PriceRobustness::Choice PriceComparison::choice(const PriceSituation& situation, const PriceOutcome& outcome,
                                                const Scenario& prices) const {
  PriceRobustness::Choice made{{}, kNan, kNan, outcome.rule};
  if (!situation.whole || outcome.set.best < 0) return made;
  const auto best = static_cast<std::size_t>(outcome.set.best);
  made.best = fleets_[best].label;
  made.hours = level_[best];
  const std::vector<int>& counts = plan_.fleets[best];
  Money money, scale;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const PoolId pool{static_cast<std::uint16_t>(p)};
    const Money of_pool = node_price(prices, pool) * counts[p];
    money += of_pool;
    if (pool == scale_pool(prices)) scale = of_pool;
  }
  if (money > Money{}) made.share = scale / money;
  return made;
}

double PriceComparison::level(const SimulatedFleet& fleet) const {
  const double plain = summarise(fleet.hours, "h").mean;
  if (anchor_ < 0 || fleet.hours.size() >= static_cast<std::size_t>(study_.replications)) return plain;
  const std::vector<double>& anchor = fleets_[static_cast<std::size_t>(anchor_)].hours;
  double own = 0.0, shared = 0.0;
  for (std::size_t r = 0; r < std::min(fleet.hours.size(), anchor.size()); ++r) {
    if (std::isnan(fleet.hours[r]) || std::isnan(anchor[r])) continue;
    own += fleet.hours[r];
    shared += anchor[r];
  }
  return shared > 0.0 ? own / shared * summarise(anchor, "h").mean : plain;
}

BestSet PriceComparison::compare(const PriceSituation& situation, const std::vector<CapsOfFleet>& caps,
                                 bool only_maximal) const {
  std::vector<CandidateValues> ranked;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < situation.fleets.size(); ++i) {
    const int number = situation.fleets[i];
    if (!fleet(number).feasible || !caps[i].kept || (only_maximal && situation.maximal[i] == 0)) continue;
    const double mean = level_[static_cast<std::size_t>(number)];
    if (!std::isnan(mean) &&
        (best >= ranked.size() || mean < level_[static_cast<std::size_t>(ranked[best].candidate)]))
      best = ranked.size();
    ranked.push_back({number, fleet(number).hours});
  }
  return compare_with_best(base_.scheduler.sharing, base_.study.prototypes_per_result, ranked, best,
                           base_.study.indifference);
}

/// The study's own judgement, of a study that has the maximal fleets of this situation for candidates.
std::string PriceComparison::rule(const PriceSituation& situation, const std::vector<CapsOfFleet>& caps,
                                  BestSet set, double& best_share) const {
  StudyResult small;
  small.replications = study_.replications;
  small.credibility = study_.credibility;
  small.band_low = study_.band_low;
  small.band_high = study_.band_high;
  std::vector<int> place(plan_.fleets.size(), -1);
  std::vector<CandidateValues> all;
  small.indifference = base_.study.indifference;
  for (std::size_t i = 0; i < situation.fleets.size(); ++i) {
    if (situation.maximal[i] == 0) continue;
    const auto number = static_cast<std::size_t>(situation.fleets[i]);
    place[number] = static_cast<int>(small.candidates.size());
    CandidateResult c;
    c.sharing = set.sharing;
    c.share = situation.share[i];
    c.feasible = fleets_[number].feasible && caps[i].kept;
    c.keeps = both_kept(fleets_[number].keeps, caps[i].sure);
    all.push_back({place[number], fleets_[number].hours});
    c.objective = {{set.k, Summary{level_[number], kNan, kNan, 1, "h"}}};
    if (situation.fleets[i] == set.best) best_share = c.share;
    small.candidates.push_back(std::move(c));
  }
  const auto move = [&](int& number) { number = place[static_cast<std::size_t>(number)]; };
  if (set.best >= 0) move(set.best);
  std::for_each(set.members.begin(), set.members.end(), move);
  std::for_each(set.undecided.begin(), set.undecided.end(), move);
  for (BestSet::Difference& d : set.differences) move(d.candidate);
  set.band = judge_band_of(small, set.sharing, all);
  return study_.pool_names.size() == 2 ? judge_rule(small, set).status : "undecided";
}

}  // namespace fleetsim
