#include "sim/study/selection.hpp"

#include <cmath>

#include "sim/study/statistics.hpp"

namespace fleetsim {

BestSet select_best(SharingRule sharing, double k, const std::vector<CandidateValues>& ranked,
                    double indifference) {
  std::size_t best = ranked.size();
  double best_mean = 0.0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const Summary s = summarise(ranked[i].values, "h");
    if (s.n == 0) continue;
    if (best == ranked.size() || s.mean < best_mean) {
      best = i;
      best_mean = s.mean;
    }
  }
  return compare_with_best(sharing, k, ranked, best, indifference);
}

BestSet compare_with_best(SharingRule sharing, double k, const std::vector<CandidateValues>& ranked,
                          std::size_t best, double indifference) {
  BestSet set;
  set.sharing = sharing;
  set.k = k;
  if (best >= ranked.size()) return set;
  int contenders = 0;
  for (const CandidateValues& c : ranked) contenders += summarise(c.values, "h").n > 0 ? 1 : 0;
  set.best = ranked[best].candidate;
  const double level = contenders > 1 ? 1.0 - 0.05 / (contenders - 1) : 0.95;
  const double zone = 100.0 * indifference;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const CandidateValues& c = ranked[i];
    if (i == best) {
      set.members.push_back(c.candidate);
      set.differences.push_back({c.candidate, 0.0, 0.0, 0.0});
      continue;
    }
    if (summarise(c.values, "h").n == 0) continue;
    const RelativeDifference d = paired_difference(c.values, ranked[best].values, level);
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
