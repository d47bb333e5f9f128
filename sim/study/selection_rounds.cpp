#include "sim/study/selection_rounds.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/study/candidate_list.hpp"
#include "sim/study/precision.hpp"
#include "sim/study/statistics.hpp"

namespace fleetsim {

namespace {

constexpr double kComparisonShare = 0.8;  ///< of the error; the rest is for constraints
constexpr double kGrowth = 1.5;
constexpr int kLeastFirst = 5;

}  // namespace

RoundsSettings rounds_settings(int replications, int max_replications, double indifference) {
  RoundsSettings settings;
  settings.cap = max_replications > 0 ? max_replications : 5 * replications;
  settings.first = std::min(std::max(kLeastFirst, (replications + 1) / 2), settings.cap);
  settings.indifference = indifference;
  return settings;
}

std::vector<int> looks(const RoundsSettings& settings) {
  std::vector<int> all{settings.first};
  while (all.back() < settings.cap)
    all.push_back(std::min(settings.cap, static_cast<int>(std::ceil(kGrowth * all.back()))));
  return all;
}

RoundsErrors rounds_errors(const RoundsSettings& settings, std::size_t candidates) {
  const double error = 1.0 - settings.confidence;
  const auto count = static_cast<double>(looks(settings).size());
  const auto pairs = static_cast<double>(candidates > 1 ? candidates - 1 : 1);
  return {kComparisonShare * error / (count * pairs), (1.0 - kComparisonShare) * error / count};
}

SelectionRounds::SelectionRounds(const RoundsSettings& settings, std::size_t candidates)
    : settings_(settings),
      looks_(looks(settings)),
      asked_(candidates, settings.first),
      last_round_(candidates, 1),
      standing_(candidates, Standing::open) {
  FLEETSIM_ASSERT(settings.first >= 1 && settings.first <= settings.cap);
  for (std::size_t i = 0; i < candidates; ++i) list_.push_back({i, 0, settings.first});
  decided_ = candidates == 0;
}

double SelectionRounds::level() const {
  return 1.0 - rounds_errors(settings_, asked_.size()).comparison;
}

void SelectionRounds::tell(const std::vector<KnownCandidate>& known) {
  FLEETSIM_ASSERT(!ended() && known.size() == asked_.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    FLEETSIM_ASSERT(known[i].values.size() == static_cast<std::size_t>(asked_[i]));
  judge(known);
  int to = 0;
  std::vector<std::size_t> going_on = next(to);
  if (going_on.empty() && too_wide(known)) {
    const auto best = static_cast<std::size_t>(set_.best);
    going_on.push_back(best);
    to = *std::upper_bound(looks_.begin(), looks_.end(), asked_[best]);
  }
  list_.clear();
  if (going_on.empty()) {
    decided_ =
        std::none_of(standing_.begin(), standing_.end(), [](Standing s) { return s == Standing::open; });
    return;
  }
  ++round_;
  for (const std::size_t i : going_on) {
    list_.push_back({i, asked_[i], to});
    asked_[i] = to;
    last_round_[i] = round_;
  }
}

void SelectionRounds::judge(const std::vector<KnownCandidate>& known) {
  std::vector<CandidateValues> ranked;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i].feasible && known[i].out.empty()) ranked.push_back({static_cast<int>(i), known[i].values});
  set_ = select_best(SharingRule{}, 0.0, ranked, settings_.indifference, level(), settings_.exact);
  for (std::size_t i = 0; i < known.size(); ++i) {
    Standing& standing = standing_[i];
    standing = Standing::open;
    if (!known[i].out.empty()) {
      standing = Standing::out;
    } else if (static_cast<int>(i) == set_.best) {
      standing = Standing::best;
    } else if (set_.best >= 0) {
      // Also one that breaks a constraint by its mean, not for sure: when it is surely slower than a fleet
      // that keeps all, it does not matter.
      const auto& best = known[static_cast<std::size_t>(set_.best)].values;
      const RelativeDifference d = paired_difference(known[i].values, best, level(), settings_.exact);
      if (d.low > 100.0 * settings_.indifference) standing = Standing::worse;
      if (known[i].feasible && names_candidate(set_.members, static_cast<int>(i)))
        standing = Standing::member;
    }
  }
}

/// The best one, for the precision that is asked for, and not yet at the cap.
bool SelectionRounds::too_wide(const std::vector<KnownCandidate>& known) const {
  if (settings_.precision <= 0.0 || settings_.exact || set_.best < 0) return false;
  const auto best = static_cast<std::size_t>(set_.best);
  if (asked_[best] >= settings_.cap) return false;
  return !judge_precision(summarise(known[best].values, ""), settings_.precision, asked_[best], settings_.cap)
              .met;
}

/// Who is in the next round, and up to which replication.
std::vector<std::size_t> SelectionRounds::next(int& to) const {
  int most = 0;
  bool open = false;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (standing_[i] == Standing::out || standing_[i] == Standing::worse) continue;
    most = std::max(most, asked_[i]);
    open = open || standing_[i] == Standing::open;
  }
  const auto behind = [&](std::size_t i) { return asked_[i] < most; };
  const auto best = static_cast<std::size_t>(set_.best);
  to = most;
  // A best with few replications makes all comparisons wide: it is brought up alone.
  if (set_.best >= 0 && behind(best)) return {best};
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < asked_.size(); ++i)
    if (standing_[i] == Standing::open && behind(i)) all.push_back(i);
  if (!all.empty() || !open || most >= settings_.cap) return all;
  to = *std::upper_bound(looks_.begin(), looks_.end(), most);
  for (std::size_t i = 0; i < asked_.size(); ++i)
    if (standing_[i] == Standing::open || standing_[i] == Standing::best) all.push_back(i);
  return all;
}

}  // namespace fleetsim
