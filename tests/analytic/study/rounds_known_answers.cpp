// Does the study by rounds find what is known to be best, and what does that cost? docs/selection.md holds
// the figures that this prints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/study/selection_rounds.hpp"
#include "tests/catch.hpp"

using namespace fleetsim;

namespace {

constexpr int kStudies = 200;
/// If the set held the true best with probability 0.95 only, at most 4 misses in 200 studies had probability
/// 0.026 (binomial): so few misses show, with 97 % confidence, that it is more than 0.95.
constexpr int kMostMisses = 4;

/// Candidates whose true means are known. All see the same random numbers of a replication, `common`; what a
/// candidate makes of them is `value`, which may draw numbers of its own.
struct Space {
  std::string name;
  std::vector<double> truth;
  std::function<std::vector<double>(Rng& rng)> common;
  std::function<double(std::size_t candidate, const std::vector<double>& common, std::uint64_t study,
                       std::uint32_t replication)>
      value;
};

std::size_t best_of(const Space& space) {
  return static_cast<std::size_t>(std::min_element(space.truth.begin(), space.truth.end()) -
                                  space.truth.begin());
}

/// The first n values of a candidate, drawn when they are asked for.
class Data {
 public:
  Data(const Space& space, std::uint64_t study)
      : space_(&space), study_(study), values_(space.truth.size()) {}
  const std::vector<double>& first(std::size_t candidate, int n) {
    while (static_cast<int>(common_.size()) < n) {
      Rng rng(study_, static_cast<std::uint32_t>(common_.size()), "common");
      common_.push_back(space_->common(rng));
    }
    std::vector<double>& drawn = values_[candidate];
    while (static_cast<int>(drawn.size()) < n) {
      const std::size_t r = drawn.size();
      drawn.push_back(space_->value(candidate, common_[r], study_, static_cast<std::uint32_t>(r)));
    }
    first_.assign(drawn.begin(), drawn.begin() + n);
    return first_;
  }

 private:
  const Space* space_;
  std::uint64_t study_;
  std::vector<std::vector<double>> common_, values_;
  std::vector<double> first_;
};

struct Answer {
  std::size_t best = 0;
  std::vector<char> may_be_best;  ///< member or undecided, by candidate
  int left = 0, undecided = 0;    ///< how many may be best, and how many of these are undecided
  std::int64_t runs = 0;
};

Answer answer_of(const BestSet& set, std::size_t candidates) {
  Answer a;
  a.best = static_cast<std::size_t>(set.best);
  a.may_be_best.assign(candidates, 0);
  for (const auto* list : {&set.members, &set.undecided})
    for (const int c : *list) a.may_be_best[static_cast<std::size_t>(c)] = 1;
  a.left = static_cast<int>(set.members.size() + set.undecided.size());
  a.undecided = static_cast<int>(set.undecided.size());
  return a;
}

Answer by_rounds(const Space& space, const RoundsSettings& settings, Data& data) {
  const std::size_t n = space.truth.size();
  SelectionRounds rounds(settings, n);
  std::vector<KnownCandidate> known(n);
  std::int64_t runs = 0;
  while (!rounds.ended()) {
    for (const auto& entry : rounds.list()) {
      known[entry.candidate].values = data.first(entry.candidate, entry.to);
      runs += entry.to - entry.from;
    }
    rounds.tell(known);
  }
  Answer a = answer_of(rounds.set(), n);
  a.runs = runs;
  return a;
}

Answer exhaustive(const Space& space, double zone, int n, Data& data) {
  std::vector<CandidateValues> ranked;
  for (std::size_t i = 0; i < space.truth.size(); ++i)
    ranked.push_back({static_cast<int>(i), data.first(i, n)});
  return answer_of(select_best(SharingRule{}, 0.0, ranked, zone), space.truth.size());
}

/// An exhaustive study is of equal confidence when in 95 % of the studies it leaves no more candidates and no
/// more undecided ones than the study by rounds did on the same data, and has the true best among them.
int equal_allocation(const Space& space, const RoundsSettings& settings, const std::vector<Answer>& answers) {
  constexpr std::size_t kSample = 60;
  std::vector<Data> samples;
  for (std::size_t s = 0; s < kSample; ++s) samples.emplace_back(space, s);
  const auto enough = [&](int n) {
    int same = 0;
    for (std::size_t s = 0; s < kSample; ++s) {
      const Answer all = exhaustive(space, settings.indifference, n, samples[s]);
      same += all.left <= answers[s].left && all.undecided <= answers[s].undecided &&
                      all.may_be_best[best_of(space)] != 0
                  ? 1
                  : 0;
    }
    return same * 100 >= 95 * static_cast<int>(kSample);
  };
  int low = settings.first / 2, high = settings.first;
  while (!enough(high)) low = std::exchange(high, 2 * high);
  while (high - low > std::max(1, low / 20)) {
    const int middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

void check_space(const Space& space, const RoundsSettings& settings) {
  const std::size_t truly = best_of(space);
  std::vector<Answer> answers;
  int misses = 0, beyond_zone = 0, decided = 0;
  double regret = 0.0, runs = 0.0, left = 0.0;
  for (std::uint64_t s = 0; s < kStudies; ++s) {
    Data data(space, s);
    answers.push_back(by_rounds(space, settings, data));
    const Answer& a = answers.back();
    const double loss = space.truth[a.best] / space.truth[truly] - 1.0;
    misses += a.may_be_best[truly] == 0 ? 1 : 0;
    beyond_zone += loss > settings.indifference ? 1 : 0;
    decided += a.undecided == 0 ? 1 : 0;
    regret += loss / kStudies;
    runs += static_cast<double>(a.runs) / kStudies;
    left += a.left / static_cast<double>(kStudies);
  }
  const int equal = equal_allocation(space, settings, answers);
  const double share = runs / (static_cast<double>(space.truth.size()) * equal);
  fmt::print(
      "{}: {} candidates, {} studies: true best in the set {:.1f} %, chosen one within the zone {:.1f} %, "
      "mean "
      "regret {:.3f} %, {:.1f} candidates left, {:.0f} % decided; {:.1f} replications a candidate, {:.1f} % "
      "of "
      "the {} of an exhaustive study of equal confidence\n",
      space.name, space.truth.size(), kStudies, 100.0 - 100.0 * misses / kStudies,
      100.0 - 100.0 * beyond_zone / kStudies, 100.0 * regret, left, 100.0 * decided / kStudies,
      runs / static_cast<double>(space.truth.size()), 100.0 * share, equal);
  CHECK(misses <= kMostMisses);
  CHECK(beyond_zone <= kMostMisses);
  CHECK(regret < 0.01);
  CHECK(share <= 0.20);
}

/// Erlang C: probability that an arrival waits, a = lambda / mu offered erlangs, c servers, a < c.
///   C = B / (1 - a/c (1 - B)),   B(0) = 1, B(n) = a B(n-1) / (n + a B(n-1))
double erlang_c(double a, int c) {
  double b = 1.0;
  for (int n = 1; n <= c; ++n) b = a * b / (n + a * b);
  return b / (1.0 - a / c * (1.0 - b));
}

/// Waits of the first customers of a stationary M/M/c queue (service rate 1) by the recursion of Kiefer and
/// Wolfowitz (1955): the wait is the least remaining work of a server. It begins in the stationary state, so
/// the mean over customers has the mean of Erlang C exactly:
///   W = C(a, c) / (c - a),   P(N = n) = P(0) a^n / n! up to c, then times a/c each.
class StationaryQueue {
 public:
  StationaryQueue(double arrival_rate, int servers) : servers_(servers) {
    double p = 1.0, sum = 0.0;
    for (int n = 0; n < 2000; ++n) {
      below_.push_back(sum += p);
      p *= arrival_rate / std::min(n + 1, servers_);
    }
    for (double& b : below_) b /= sum;
  }
  /// `numbers`: a uniform that says how many are there, then `customers` gaps before arrivals, then services
  /// of those that come, then of those that are there.
  [[nodiscard]] double mean_wait(const std::vector<double>& numbers, std::size_t customers) const {
    const auto there =
        static_cast<std::size_t>(std::upper_bound(below_.begin(), below_.end(), numbers[0]) - below_.begin());
    std::vector<double> free(static_cast<std::size_t>(servers_), 0.0);  // when each server is free, ascending
    const std::size_t old = numbers.size() - 1 - 2 * customers;
    for (std::size_t i = 0; i < there; ++i) serve(free, 0.0, numbers[1 + 2 * customers + i % old]);
    double now = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < customers; ++i) {
      now += numbers[1 + i];
      sum += std::max(0.0, free.front() - now);
      serve(free, now, numbers[1 + customers + i]);
    }
    return sum / static_cast<double>(customers);
  }
  static std::vector<double> numbers(Rng& rng, double arrival_rate, std::size_t customers) {
    std::vector<double> all{rng.uniform()};
    for (std::size_t i = 0; i < customers; ++i) all.push_back(rng.exponential(1.0 / arrival_rate));
    for (std::size_t i = 0; i < 2 * customers; ++i) all.push_back(rng.exponential(1.0));
    return all;
  }

 private:
  static void serve(std::vector<double>& free, double now, double service) {
    const double end = std::max(now, free.front()) + service;
    std::size_t i = 1;
    for (; i < free.size() && free[i] < end; ++i) free[i - 1] = free[i];
    free[i - 1] = end;
  }
  int servers_;
  std::vector<double> below_;  ///< P(N <= n)
};

/// Servers cost 1 each, a waiting customer kWaitCost, per unit of time: c + kWaitCost * lambda W.
Space erlang_fleets() {
  constexpr double kRate = 20.0, kWaitCost = 1.0;
  constexpr int kFirst = 22, kLast = 81;
  constexpr std::size_t kCustomers = 150;
  Space space{"M/M/c fleets", {}, {}, {}};
  std::vector<StationaryQueue> queues;
  for (int c = kFirst; c <= kLast; ++c) {
    space.truth.push_back(c + kWaitCost * kRate * erlang_c(kRate, c) / (c - kRate));
    queues.emplace_back(kRate, c);
  }
  space.common = [](Rng& rng) { return StationaryQueue::numbers(rng, kRate, kCustomers); };
  space.value = [queues](std::size_t i, const std::vector<double>& numbers, std::uint64_t, std::uint32_t) {
    return kFirst + static_cast<double>(i) + kWaitCost * kRate * queues[i].mean_wait(numbers, kCustomers);
  };
  return space;
}

/// Two groups, each with q GPUs of its own at 1 an hour, renting at kRent what its demand is above: two
/// newsvendors under one budget. Demand is exponential with mean m, so
///   E cost = sum of q + kRent m e^(-q/m), least at q = m ln kRent.
Space budget() {
  constexpr double kRent = 4.0;
  static constexpr double kMean[2] = {100.0, 60.0};
  constexpr std::size_t kSteps = 16, kDays = 30;
  Space space{"own or rent for two groups (newsvendor)", {}, {}, {}};
  const auto size = [](std::size_t step) { return 12.0 + 25.0 * static_cast<double>(step); };
  for (std::size_t i = 0; i < kSteps * kSteps; ++i) {
    double cost = 0.0;
    for (const auto& [q, m] : {std::pair{size(i / kSteps), kMean[0]}, {size(i % kSteps), kMean[1]}})
      cost += q + kRent * m * std::exp(-q / m);
    space.truth.push_back(cost);
  }
  space.common = [](Rng& rng) {
    std::vector<double> demand;
    for (std::size_t d = 0; d < kDays; ++d)
      for (const double m : kMean) demand.push_back(rng.exponential(m));
    return demand;
  };
  space.value = [size](std::size_t i, const std::vector<double>& demand, std::uint64_t, std::uint32_t) {
    const double q[2] = {size(i / kSteps), size(i % kSteps)};
    double rented = 0.0;
    for (std::size_t d = 0; d < demand.size(); ++d) rented += std::max(0.0, demand[d] - q[d % 2]);
    return q[0] + q[1] + kRent * rented / kDays;
  };
  return space;
}

/// 20 x 15 designs around a flat valley. A value is its mean times log-normal noise: e^(s z - s^2/2) has mean
/// 1; part of the noise is common to all, the rest grows with the distance from the best.
Space many_designs() {
  Space space{"300 designs", {}, {}, {}};
  std::vector<double> spread;
  for (int x = 0; x < 20; ++x) {
    for (int y = 0; y < 15; ++y) {
      const double u = (x - 7.3) / 10.0, v = (y - 5.6) / 7.5;
      const double far = u * u + 0.7 * v * v + 0.4 * u * v;
      space.truth.push_back(100.0 * (1.0 + 1.5 * far));
      spread.push_back(0.06 * (1.0 + std::min(2.0, far)));
    }
  }
  const auto noise = [](Rng& rng, double s) { return std::exp(s * rng.normal() - s * s / 2.0); };
  space.common = [noise](Rng& rng) { return std::vector<double>{noise(rng, 0.3)}; };
  space.value = [truth = space.truth, spread, noise](std::size_t i, const std::vector<double>& common,
                                                     std::uint64_t study, std::uint32_t r) {
    Rng own(study, r, "own", i);
    return truth[i] * common[0] * noise(own, spread[i]);
  };
  return space;
}

}  // namespace

TEST_CASE("the stationary queue has the mean wait of Erlang C") {
  const StationaryQueue queue(4.0, 5);
  double sum = 0.0;
  constexpr int kRuns = 4000;
  for (std::uint32_t r = 0; r < kRuns; ++r) {
    Rng rng(1, r, "queue");
    sum += queue.mean_wait(StationaryQueue::numbers(rng, 4.0, 200), 200);
  }
  // C(4, 5) = 0.5541, W = 0.5541 / (5 - 4).
  CHECK(erlang_c(4.0, 5) == Approx(0.5541).epsilon(1e-3));
  CHECK(sum / kRuns == Approx(0.5541).epsilon(0.03));
}

TEST_CASE("rounds find the best M/M/c fleet of Erlang C at a fifth of the cost") {
  check_space(erlang_fleets(), rounds_settings(20, 200, 0.02));
}

TEST_CASE("rounds find how much to own and how much to rent at a fifth of the cost") {
  check_space(budget(), rounds_settings(20, 200, 0.02));
}

TEST_CASE("rounds find the best of 300 designs at a fifth of the cost") {
  check_space(many_designs(), rounds_settings(40, 0, 0.02));
}
