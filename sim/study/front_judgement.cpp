#include "sim/study/front_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/study/statistics.hpp"

namespace fleetsim {

namespace {

struct Interval {
  double low = -kInfinity, high = kInfinity;
};
using Box = std::array<Interval, 2>;

/// Intervals of paired differences; the quantile of each number of pairs is looked up once.
class PairedIntervals {
 public:
  PairedIntervals(double error, std::size_t most_pairs)
      : error_(error), quantiles_(most_pairs + 1, kInfinity) {
    for (std::size_t n = 2; n < quantiles_.size(); ++n)
      quantiles_[n] = t_quantile(1.0 - error / 2.0, static_cast<int>(n) - 1);
  }

  /// Of mean(a - b). Two passes: the mean first, then squares about it.
  [[nodiscard]] Interval operator()(const std::vector<double>& a, const std::vector<double>& b) const {
    const std::size_t both = std::min(a.size(), b.size());
    std::size_t pairs = 0;
    double sum = 0.0;
    for (std::size_t r = 0; r < both; ++r) {
      const double d = a[r] - b[r];
      if (std::isnan(d)) continue;
      sum += d;
      ++pairs;
    }
    if (pairs < 2) return {};
    const auto n = static_cast<double>(pairs);
    const double mean = sum / n;
    double squares = 0.0;
    for (std::size_t r = 0; r < both; ++r) {
      const double d = a[r] - b[r];
      if (!std::isnan(d)) squares += (d - mean) * (d - mean);
    }
    if (squares == 0.0)
      return 1.0 - error_ <= tie_confidence(static_cast<int>(pairs)) ? Interval{mean, mean} : Interval{};
    const double half = quantiles_[pairs] * std::sqrt(squares / (n - 1.0) / n);
    return {mean - half, mean + half};
  }

 private:
  double error_;
  std::vector<double> quantiles_;
};

/// The same in every replication: the first that is defined.
double exact_value(const std::vector<double>& values) {
  const auto found = std::find_if(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
  return found == values.end() ? std::numeric_limits<double>::quiet_NaN() : *found;
}

/// Whether a fleet that is worse by `worse` than another one is dominated by it: at every corner of the box,
/// if `worse` holds the lower ends, at some point of it with the upper ones.
bool dominates(double worse0, double worse1) {
  return worse0 >= 0.0 && worse1 >= 0.0 && (worse0 > 0.0 || worse1 > 0.0);
}

/// What the box of `i` less `j` says of i.
struct Tally {
  int sure = 0, possible = 0;
  std::size_t sure_by = 0, possible_by = 0;
  void add(std::size_t by, const Box& box) {
    if (dominates(box[0].low, box[1].low) && sure++ == 0) sure_by = by;
    if (dominates(box[0].high, box[1].high) && possible++ == 0) possible_by = by;
  }
};

Box reversed(const Box& box) {
  return {Interval{-box[0].high, -box[0].low}, Interval{-box[1].high, -box[1].low}};
}

}  // namespace

double front_error(std::size_t fleets, const std::array<bool, 2>& exact, int looks, double confidence) {
  const double figures = (exact[0] ? 0.0 : 1.0) + (exact[1] ? 0.0 : 1.0);
  const auto k = static_cast<double>(fleets);
  const double intervals = k * (k - 1.0) / 2.0 * figures * looks;
  return intervals > 0.0 ? (1.0 - confidence) / intervals : 0.0;
}

std::vector<FrontJudgement> judge_front(const std::vector<FrontScores>& fleets,
                                        const std::array<bool, 2>& exact, double error) {
  std::size_t most = 0;
  for (const FrontScores& f : fleets)
    for (const auto& values : f) most = std::max(most, values.size());
  const PairedIntervals interval(error > 0.0 ? error : 1.0, most);
  std::array<std::vector<double>, 2> known;
  for (std::size_t q = 0; q < 2; ++q)
    for (const FrontScores& f : fleets) known[q].push_back(exact[q] ? exact_value(f[q]) : 0.0);
  std::vector<Tally> tallies(fleets.size());
  for (std::size_t i = 0; i < fleets.size(); ++i) {
    for (std::size_t j = i + 1; j < fleets.size(); ++j) {
      Box box;
      for (std::size_t q = 0; q < 2; ++q) {
        const double d = known[q][i] - known[q][j];
        box[q] = !exact[q]       ? interval(fleets[i][q], fleets[j][q])
                 : std::isnan(d) ? Interval{}
                                 : Interval{d, d};
      }
      tallies[i].add(j, box);
      tallies[j].add(i, reversed(box));
    }
  }
  std::vector<FrontJudgement> judgements;
  for (const Tally& t : tallies) {
    if (t.sure > 0) {
      judgements.push_back({FrontStanding::dominated, t.sure_by, t.sure});
    } else if (t.possible > 0) {
      judgements.push_back({FrontStanding::undecided, t.possible_by, t.possible});
    } else {
      judgements.push_back({FrontStanding::on_front, 0, 0});
    }
  }
  return judgements;
}

}  // namespace fleetsim
