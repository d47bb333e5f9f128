// The Pareto front of two figures: the fleets that no other one beats in both, and how sure that is.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim {

struct StudyResult;

/// One of the two figures.
struct FrontAxis {
  std::string name;  ///< as the scenario writes it: wait_s_p95(prototype), capex
  std::string unit;  ///< "s", "USD", "ratio", ...
  bool larger_is_better = false;
  bool exact = false;  ///< the same in every replication, so that it is compared without an interval
};

/// Mean of one fleet with its own 95 % t interval, as Summary. What decides is the differences of pairs.
struct FrontValue {
  double mean = std::numeric_limits<double>::quiet_NaN(), low = mean, high = mean;
  int n = 0;  ///< replications in which it was defined
};

enum class FrontStanding { on_front, undecided, dominated, left_out };
[[nodiscard]] const char* to_string(FrontStanding standing);  ///< "on the front", "left out", ...

struct FrontFleet {
  int candidate = 0;  ///< index into StudyResult::candidates
  std::string label;  ///< its full one
  FrontStanding standing = FrontStanding::undecided;
  std::array<FrontValue, 2> values;
  std::string by;      ///< a fleet that dominates it; of an undecided one a fleet that may
  int rivals = 0;      ///< how many do, or may
  std::string reason;  ///< of one left out
};

/// Fleets are compared within a sharing rule, as where the best is looked for.
struct FrontOfRule {
  SharingRule sharing{};
  double comparison_error = 0.0;  ///< both sides, of one interval; 0: nothing needs one
  std::vector<FrontFleet> fleets;
};

struct Front {
  std::array<FrontAxis, 2> axes;
  double confidence = 0.95;
  int looks = 1;  ///< numbers of replications that a pair of fleets may share; 1 unless searched by rounds
  std::vector<FrontOfRule> rules;
};

/// The figures of one candidate by replication, as they are (not as scores); both empty: not simulated.
using FrontSample = std::array<std::vector<double>, 2>;

/// The front of each sharing rule. `samples`: by candidate of the study. Fleets that may not be ranked are
/// left out with their first reason, and so are those that lack a figure in every replication or have an
/// infinite one. `looks`: see Front.
[[nodiscard]] Front lay_out_front(const Scenario& base, const StudyResult& study,
                                  const std::vector<FrontSample>& samples, int looks);

/// Of a candidate; null when the front does not speak of it.
[[nodiscard]] const FrontFleet* find_on_front(const Front& front, int candidate);

/// What is guaranteed, one or two sentences.
[[nodiscard]] std::string front_guarantee(const Front& front);

}  // namespace fleetsim
