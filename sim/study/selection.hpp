// Which candidates may be called best, and what stays undecided.
#pragma once

#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

/// The score of one candidate in each replication, see objectives/ (lower is better, may lie below 0; NaN:
/// not defined there).
struct CandidateValues {
  int candidate = 0;  ///< index into StudyResult::candidates
  std::vector<double> values;
};

/// Multiple comparison with the best. The best is the smallest mean (the first of equals). Each other
/// candidate is compared with it by the paired relative difference, at two-sided level 1 - 0.05 / (K - 1) for
/// K candidates: by Bonferroni all K - 1 intervals hold together with 95 %, and the truly best candidate is
/// discarded with at most 5 %, although the candidate it is compared with was chosen from the same data.
///   member:     high <= zone: at most practically equal, whatever the sign
///   worse:      low > zone: significantly worse, and by more than is practically nothing
///   undecided:  the interval holds the zone's end: too wide to say
/// `indifference` is the zone, relative (0.02 = 2 %). Candidates without a defined value are left out; fewer
/// than two pairs leave a candidate undecided.
/// Source: Hsu, Multiple Comparisons (1996), chapter 4, with Bonferroni in place of the equal-variance
/// constant; Nelson & Matejcik 1995 for common random numbers.
///
/// Candidates may have unequal numbers of replications (all begin with the first): each pair is compared over
/// those that both have. The best is then the smallest mean of those with most replications, or a candidate
/// with fewer that is ahead of it over the replications they share.
/// `level`: the coverage of each interval; 0: 1 - 0.05 / (K - 1). `exact`: the scores are known without a
/// simulation, see paired_difference().
[[nodiscard]] BestSet select_best(SharingRule sharing, double k, const std::vector<CandidateValues>& ranked,
                                  double indifference, double level = 0.0, bool exact = false);

/// The same comparison with a best that was chosen otherwise: an index into `ranked`, whose values need not
/// be the smallest mean.
[[nodiscard]] BestSet compare_with_best(SharingRule sharing, double k,
                                        const std::vector<CandidateValues>& ranked, std::size_t best,
                                        double indifference, double level = 0.0, bool exact = false);

}  // namespace fleetsim
