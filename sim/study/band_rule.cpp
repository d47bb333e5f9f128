#include "sim/study/band_rule.hpp"

#include <algorithm>
#include <optional>

namespace fleetsim {

namespace {

using BandComparison = std::function<WorseBy(std::size_t, std::size_t)>;

/// The best mean of those on one side of the band that surely keep their constraints; the first of equals.
std::optional<std::size_t> sure_leader(const std::vector<BandFleet>& fleets, bool inside,
                                       const BandComparison& worse) {
  std::optional<std::size_t> leader;
  for (std::size_t i = 0; i < fleets.size(); ++i) {
    if (fleets[i].inside != inside || fleets[i].keeps != Keeps::surely) continue;
    if (!leader || worse(i, *leader).percent < 0.0) leader = i;
  }
  return leader;
}

bool any_on_side(const std::vector<BandFleet>& fleets, bool inside) {
  return std::any_of(fleets.begin(), fleets.end(), [&](const BandFleet& f) { return f.inside == inside; });
}

}  // namespace

BandJudgement judge_band(const std::vector<BandFleet>& fleets, const BandComparison& worse, double zone) {
  BandJudgement judgement;
  if (!any_on_side(fleets, true) || !any_on_side(fleets, false)) return judgement;
  const auto within = sure_leader(fleets, true, worse), beside = sure_leader(fleets, false, worse);
  bool open_inside = false, open_outside = false;
  for (std::size_t i = 0; i < fleets.size(); ++i) {
    if (fleets[i].keeps == Keeps::broken) continue;
    if (fleets[i].inside) {
      if (beside && worse(i, *beside).low > zone) continue;
      open_inside = true;
    } else {
      if (within && worse(*within, i).high <= zone) continue;
      if (beside && i != *beside && worse(i, *beside).low > 0.0) continue;
      open_outside = true;
    }
    judgement.open.push_back(fleets[i].candidate);
  }
  if (beside && !open_inside) judgement.status = "refuted";
  if (within && !open_outside) judgement.status = "holds";
  if (judgement.status != "undecided") judgement.open.clear();
  return judgement;
}

}  // namespace fleetsim
