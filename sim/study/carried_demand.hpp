// The most demand that a fleet carries: a question turned round, answered with an interval.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario.hpp"
#include "sim/study/keeping.hpp"

namespace fleetsim {

struct StudyResult;
struct StudyMap;

/// Where a fleet's limits end, from the judgement at each of n demands.
struct CarriedDemand {
  std::size_t kept = 0;    ///< so many of the least demands are surely carried, without a gap
  std::size_t broken = 0;  ///< so many of the largest are surely too much, without a gap
  bool monotone = true;    ///< false: a demand is called kept above one that is called broken
};

/// Shape:  `by_demand` by ascending demand, each judged with one-sided errors e (kept) and f (broken).
/// Result: "the first `kept` demands keep every limit" is wrong with at most e, and "the last `broken` break
///         one" with at most f, however many demands there are: each is a sequence of tests in a fixed order
///         that ends at the first that fails, so that a wrong claim needs an error in one particular test,
///         that of the first demand for which it is wrong. Where the limits of a fleet end at one border, it
///         so lies in [demand kept - 1, demand n - broken) with at least 1 - e - f. What lies between is
///         open.
/// Cost:   O(n).
/// Source: tests in a fixed order: Maurer, Hothorn & Lehmacher in Vollmar (ed.), Biometrie in der
///         chemisch-pharmazeutischen Industrie 6 (1995) 3-18; closed tests: Marcus, Peritz & Gabriel,
///         Biometrika 63 (1976) 655-660.
[[nodiscard]] CarriedDemand carried_demand(const std::vector<Keeps>& by_demand);

/// One fleet under one sharing rule, along the axis of demand.
struct FleetDemand {
  SharingRule sharing{};
  std::string fleet;                    ///< label without the sharing rule: "13+3"
  std::string place;                    ///< values of the other axes: "s=30 %"; empty: there are none
  std::vector<LimitsJudgement> judged;  ///< at each value of the axis
  CarriedDemand carried;
};

struct MostDemand {
  std::string path, name;           ///< of the axis, see MapAxis
  std::vector<std::string> values;  ///< as written, by ascending demand
  std::vector<double> loads;        ///< offered at each in the first row of cells
  std::vector<std::string> limits;  ///< beside the built-in ones, as written
  double confidence = 0.95;         ///< of each interval
  std::vector<FleetDemand> fleets;  ///< by place, then sharing rule, then as in the study
};

/// What one cell says of each of its fleets.
struct CellJudgement {
  struct Of {
    SharingRule sharing{};
    std::string fleet;
    LimitsJudgement judged;
  };
  std::vector<Of> fleets;
};

/// Errors of one judgement: half of what the confidence leaves is for "kept", half for "broken".
[[nodiscard]] CellJudgement judge_cell(const Scenario& cell, const StudyResult& study,
                                       double confidence = 0.95);

/// The answer of a map whose cells were judged, in their order; empty where no axis is one of demand, see
/// demand_axis(), and where s varies: such a map asks for the best share.
[[nodiscard]] std::optional<MostDemand> most_demand(const StudyMap& map,
                                                    const std::vector<CellJudgement>& cells);

/// The axis of demand: below `workload`, of several values, of which no two offer the same load in any row of
/// cells, in the same order in all rows; load before users before others, then the first. -1: there is none.
[[nodiscard]] int demand_axis(const StudyMap& map);

/// "load 0.5", "12 users", "per_user 4 /day": a value of the axis in a sentence.
[[nodiscard]] std::string demand_in_words(const MostDemand& most, std::size_t value);
/// "surely 12 users, surely not 16 users", "at least 24 users, the most that was tried", ...
[[nodiscard]] std::string carried_text(const MostDemand& most, const FleetDemand& fleet);
/// One sentence for each place: which fleets surely carry most under the sharing rule, and how much.
[[nodiscard]] std::vector<std::string> most_demand_sentences(const MostDemand& most, SharingRule sharing);
/// What is guaranteed, one or two sentences.
[[nodiscard]] std::string most_demand_guarantee(const MostDemand& most);

}  // namespace fleetsim
