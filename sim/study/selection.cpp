#include "sim/study/selection.hpp"

#include <algorithm>
#include <cmath>

#include "sim/study/statistics.hpp"

namespace fleetsim {

namespace {

/// The smallest mean of the candidates with most replications; the first of equals.
std::size_t smallest_mean(const std::vector<CandidateValues>& ranked, std::size_t most) {
  std::size_t best = ranked.size();
  double best_mean = 0.0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (ranked[i].values.size() < most) continue;
    const Summary s = summarise(ranked[i].values, "h");
    if (s.n == 0) continue;
    if (best == ranked.size() || s.mean < best_mean) {
      best = i;
      best_mean = s.mean;
    }
  }
  return best;
}

std::size_t smallest_mean(const std::vector<CandidateValues>& ranked) {
  std::size_t most = 0;
  for (const CandidateValues& c : ranked) {
    const bool defined =
        std::any_of(c.values.begin(), c.values.end(), [](double v) { return !std::isnan(v); });
    if (defined) most = std::max(most, c.values.size());
  }
  const std::size_t anchor = smallest_mean(ranked, most);
  if (anchor == ranked.size()) return anchor;
  // Means over different replications do not compare: what the anchor has in common with a shorter candidate
  // tells whether that one is ahead of it.
  std::size_t best = anchor;
  double ahead = 0.0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (ranked[i].values.size() >= most) continue;
    const RelativeDifference d = paired_difference(ranked[i].values, ranked[anchor].values, 0.95);
    if (d.percent < ahead) {
      best = i;
      ahead = d.percent;
    }
  }
  return best;
}

}  // namespace

BestSet select_best(SharingRule sharing, double k, const std::vector<CandidateValues>& ranked,
                    double indifference, double level, bool exact) {
  return compare_with_best(sharing, k, ranked, smallest_mean(ranked), indifference, level, exact);
}

BestSet compare_with_best(SharingRule sharing, double k, const std::vector<CandidateValues>& ranked,
                          std::size_t best, double indifference, double level, bool exact) {
  BestSet set;
  set.sharing = sharing;
  set.k = k;
  if (best >= ranked.size()) return set;
  int contenders = 0;
  for (const CandidateValues& c : ranked) contenders += summarise(c.values, "h").n > 0 ? 1 : 0;
  set.best = ranked[best].candidate;
  if (level <= 0.0) level = contenders > 1 ? 1.0 - 0.05 / (contenders - 1) : 0.95;
  const double zone = 100.0 * indifference;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const CandidateValues& c = ranked[i];
    if (i == best) {
      set.members.push_back(c.candidate);
      set.differences.push_back({c.candidate, 0.0, 0.0, 0.0});
      continue;
    }
    if (summarise(c.values, "h").n == 0) continue;
    const RelativeDifference d = paired_difference(c.values, ranked[best].values, level, exact);
    set.differences.push_back({c.candidate, d.percent, d.low, d.high});
    if (d.high <= zone) {
      set.members.push_back(c.candidate);
    } else if (!(d.low > zone)) {
      set.undecided.push_back(c.candidate);
    }
  }
  return set;
}

}  // namespace fleetsim
