// What fleets are ranked by. One file an objective; a new one is named in objective.cpp.
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.hpp"

namespace fleetsim {

struct Objective {
  const char* name;     ///< key below study.objective
  const char* metric;   ///< the figure in study.json and candidates.csv, with its unit
  const char* meaning;  ///< one line, for the reference page
  const char* ranked;   ///< in words: "ranked by time to a result"
  const char* column;   ///< head of its column in tables
  const char* worst;    ///< what a worse fleet does: "takes {} longer", {} a percentage
  bool larger_is_better = false;
  bool of_k = false;         ///< depends on k, the number of prototypes a result: one ranking for each k
  bool money = false;        ///< USD, known without a simulation: has no interval
  bool needs_chain = false;  ///< without a class that promotes to another it has no meaning
  /// By replication, lower is better: the figure, or less than 0 the figure where more of it is better. NaN:
  /// not defined.
  std::vector<double> (*scores)(const CandidateResult& fleet, const Scenario& scenario,
                                const std::vector<RunResult>& runs, double k);
  /// The figure with its interval; n = 0 where it is not defined.
  Summary (*value)(const CandidateResult& fleet, double k);
  /// "82.1 h to a result, 95 %: 80.0 to 84.2"
  std::string (*in_words)(const Summary& value);
};

extern const Objective kTimeToResult, kResultsPerWeek, kCapex;

[[nodiscard]] const std::vector<const Objective*>& objectives();
/// Null for a name that is none.
[[nodiscard]] const Objective* find_objective(const std::string& name);
/// Asserts that the name is one: the loader reads no other, nor does the reader of dossiers.
[[nodiscard]] const Objective& objective_named(const std::string& name);
[[nodiscard]] const Objective& objective_of(const StudySpec& study);

/// The k of a study's rankings: objective_ks(), or the scenario's own alone where the objective has none (it
/// is then a mere name of the ranking).
[[nodiscard]] std::vector<double> ranking_ks(const Scenario& scenario);

/// "takes 3.2 % longer", "delivers 3.2 % fewer results"
[[nodiscard]] std::string worse_text(const Objective& objective, const std::string& percentage);

/// "95.1 h, 95 %: 90.0 to 100.2" with these digits; the interval only where there is one.
[[nodiscard]] std::string interval_text(const Summary& value, const std::string& unit, int digits);

}  // namespace fleetsim
