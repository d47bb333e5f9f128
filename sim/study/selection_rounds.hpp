// Finding the best candidates in rounds: what is to be simulated next follows from what was simulated before.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/selection.hpp"

namespace fleetsim {

struct RoundsSettings {
  int first = 10;              ///< replications of every candidate in the first round, n0 >= 2
  int cap = 100;               ///< no candidate gets more
  double indifference = 0.02;  ///< the zone, relative
  double confidence = 0.95;    ///< of the whole study of these candidates
  /// Where everything is decided, the best one goes on until its own interval is this narrow, see
  /// judge_precision(); 0: it does not.
  double precision = 0.0;
  bool exact = false;  ///< the objective is known without a simulation, see paired_difference()
};

/// n0 = max(5, half of the replications that an exhaustive study would run), cap = `max_replications`, by
/// default five times these replications; n0 is never above the cap. Five: t quantiles of fewer degrees of
/// freedom than four are too wide to drop anything.
[[nodiscard]] RoundsSettings rounds_settings(int replications, int max_replications, double indifference);

/// Numbers of replications at which candidates are compared: n0, then each one and a half times the one
/// before, rounded up, until the cap. Smaller steps cost more rounds, larger ones more replications beyond
/// what a decision needs.
[[nodiscard]] std::vector<int> looks(const RoundsSettings& settings);

/// What is known of a candidate from its first n replications.
struct KnownCandidate {
  std::vector<double> values;  ///< the objective, by replication; lower is better; NaN: undefined there
  bool feasible = true;        ///< keeps its constraints, by their means so far
  std::string out;             ///< surely breaks one: why; such a candidate is not simulated further
};

/// The error that the procedure may make in all is 1 - confidence. Four fifths are for comparisons, one for
/// constraints.
struct RoundsErrors {
  double comparison = 0.0;  ///< of one interval of a pair at one look, both sides
  double constraint = 0.0;  ///< of one candidate's constraints at one look
};
[[nodiscard]] RoundsErrors rounds_errors(const RoundsSettings& settings, std::size_t candidates);

/// Sequential elimination by repeated confidence intervals: after each round every candidate is compared with
/// the best so far (compare_with_best), at a level that leaves all intervals of all looks valid together
/// (Bonferroni over pairs and looks). A candidate that is surely worse than the best by more than the zone,
/// or surely breaks a constraint, is not simulated further; one that is surely within the zone waits; the
/// undecided ones and the best go on. When the best changes, those that are not surely worse than the new
/// one are brought up to its number of replications first, so nothing is lost to a candidate that later
/// falls out itself.
///
/// Guarantee (approximately normal means; any dependence between candidates): with the given confidence the
/// truly best candidate that keeps the constraints is a member of the set or undecided; and when nothing is
/// undecided the chosen best is worse than the truly best by the zone at most.
///
/// Determinism: a round is computed from the values of earlier rounds alone, up to the replications that
/// these asked for; what else a store may hold changes nothing.
/// Cost: each decision compares each candidate once, O(K n).
/// Source: repeated confidence intervals: Jennison & Turnbull, J. Royal Stat. Soc. B 51 (1989) 305-361;
/// multiple comparison with the best: Hsu 1996; common random numbers: Nelson & Matejcik, Management Science
/// 41 (1995) 1935-1945; screening: Nelson, Swann, Goldsman & Song, Operations Research 49 (2001) 950-963;
/// docs/selection.md says why not the procedure KN of Kim & Nelson, ACM TOMACS 11 (2001) 251-273.
class SelectionRounds {
 public:
  SelectionRounds(const RoundsSettings& settings, std::size_t candidates);

  /// Replications from (included) to (excluded) of a candidate.
  struct Entry {
    std::size_t candidate = 0;
    int from = 0, to = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// From 1. Its list, by candidate; empty: the procedure has ended.
  [[nodiscard]] int round() const { return round_; }
  [[nodiscard]] const std::vector<Entry>& list() const { return list_; }
  [[nodiscard]] bool ended() const { return list_.empty(); }
  /// What is known after the round, of all candidates: candidate i has replications(i) values once the round
  /// is run. Goes on to the next round. Precondition: not ended.
  void tell(const std::vector<KnownCandidate>& known);

  /// That a candidate was asked to have, this round's included.
  [[nodiscard]] int replications(std::size_t candidate) const { return asked_[candidate]; }
  /// The last round that a candidate was in.
  [[nodiscard]] int last_round(std::size_t candidate) const { return last_round_[candidate]; }
  /// Why a candidate is not simulated further: "at least 2.4 % worse than candidate 7 ...". Empty while it
  /// may be, and for those that were in the last round of an ended procedure.
  enum class Standing { open, best, member, worse, out };
  [[nodiscard]] Standing standing(std::size_t candidate) const { return standing_[candidate]; }
  /// Comparison after the last round that was told; candidates are numbered as given.
  [[nodiscard]] const BestSet& set() const { return set_; }
  /// Ended with every candidate decided, not for want of replications.
  [[nodiscard]] bool decided() const { return decided_; }
  /// Coverage of each interval.
  [[nodiscard]] double level() const;

 private:
  void judge(const std::vector<KnownCandidate>& known);
  [[nodiscard]] bool too_wide(const std::vector<KnownCandidate>& known) const;
  [[nodiscard]] std::vector<std::size_t> next(int& to) const;

  RoundsSettings settings_;
  std::vector<int> looks_;
  int round_ = 1;
  std::vector<Entry> list_;
  std::vector<int> asked_, last_round_;
  std::vector<Standing> standing_;
  BestSet set_;
  bool decided_ = false;
};

}  // namespace fleetsim
