#include "sim/study/selection.hpp"

#include <cmath>

#include "sim/study/statistics.hpp"

namespace fleetsim {

BestSet select_best(SharingRule sharing, double k, const std::vector<CandidateValues>& ranked,
                    double indifference) {
  BestSet set;
  set.sharing = sharing;
  set.k = k;
  const CandidateValues* best = nullptr;
  double best_mean = 0.0;
  int contenders = 0;
  for (const CandidateValues& c : ranked) {
    const Summary s = summarise(c.values, "h");
    if (s.n == 0) continue;
    ++contenders;
    if (best == nullptr || s.mean < best_mean) {
      best = &c;
      best_mean = s.mean;
    }
  }
  if (best == nullptr) return set;
  set.best = best->candidate;
  const double level = contenders > 1 ? 1.0 - 0.05 / (contenders - 1) : 0.95;
  const double zone = 100.0 * indifference;
  for (const CandidateValues& c : ranked) {
    if (&c == best) {
      set.members.push_back(c.candidate);
      set.differences.push_back({c.candidate, 0.0, 0.0, 0.0});
      continue;
    }
    if (summarise(c.values, "h").n == 0) continue;
    const RelativeDifference d = paired_difference(c.values, best->values, level);
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
