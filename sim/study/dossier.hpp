// Everything a report needs, self-contained: written into study.json and result.json, read back by `report`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/facility/facility.hpp"
#include "sim/study/dossier_economics.hpp"
#include "sim/study/energy_info.hpp"
#include "sim/study/interconnect_value.hpp"
#include "sim/study/study.hpp"

namespace fleetsim {

struct AdviceBeside;

/// A figure that drives the result, with its source. Estimates carry a range.
struct Assumption {
  std::string what;              ///< e.g. RTX 3080 10 GB, price
  std::string value, low, high;  ///< with unit, as printed; low and high empty without a range
  std::string source, as_of;
  bool estimate = false;
  std::string used_for;  ///< price | speed | power | workload
};

struct ScalingPoint {
  std::string series;  ///< e.g. "BERT-large on 8x RTX 3090"
  int gpus = 1;
  double efficiency = 1.0;
};

struct PoolInfo {
  std::string name, node, title, gpu_title, cooling;
  int count = 0;
  int gpus_per_node = 0;
  Money node_price;              ///< with adapters
  Watts load_power, idle_power;  ///< per node
};

struct Dossier {
  std::string kind;  ///< "study" | "run"
  std::string version, scenario_name, scenario_sha256, canonical_scenario, command;
  std::uint64_t seed = 0;
  int replications = 0;
  std::string replay_hash;  ///< hex
  Money budget;
  double k = 30.0;
  SharingRule sharing{};
  // The recommended fleet (study) or the simulated one (run):
  std::string recommended;     ///< label
  int recommended_index = -1;  ///< into study.candidates
  std::vector<PoolInfo> pools;
  Bill bill;
  CostTable cost;
  EconomicsInfo economics;
  std::optional<Money> unspent;  ///< below 0: more than the budget; empty without a budget
  std::string candidates;        ///< "maximal-fleets": every fleet of the budget; "as-given": one fleet
  bool maximal_fleet = false;    ///< the budget pays for no further node of any pool beside this fleet
  double gpu_hours_useful_per_year = 0.0;
  Money cost_per_useful_gpu_hour;    ///< 0 when the fleet did no useful work
  double energy_kwh_per_year = 0.0;  ///< at the meter
  EnergyInfo energy;                 ///< whose it is
  Watts peak_power_at_meter;
  Watts power_limit;  ///< of the site, at the meter; 0: none given
  int racks = 0;
  // Figures:
  std::vector<ScalingPoint> scaling;
  /// Of the scenario's models on catalogue hardware. Not kept in JSON: `report` computes it.
  std::vector<ValueCurve> interconnect;
  /// What the guide advises beside the study. Not kept in JSON: `report` computes it; null: nothing to say.
  std::shared_ptr<const AdviceBeside> advice;
  std::string fabric_dot, node_dot;  ///< Graphviz text, positions pinned
  FabricCounts fabric_counts;
  std::string fabric_link, fabric_shape;
  // Text parts:
  std::vector<Assumption> assumptions;
  std::vector<NotEvaluated> not_evaluated;
  std::vector<std::string> limitations;
  std::vector<facility::Finding> facility;  ///< room and rules, of this fleet
  StudyResult study;                        ///< a run holds one candidate and no best sets
};

/// JSON text (keys sorted, locale-independent, shortest round-trip numbers) and back. from_json throws
/// std::runtime_error with a sentence when the text is not a dossier.
[[nodiscard]] std::string to_json(const Dossier& dossier);
[[nodiscard]] Dossier dossier_from_json(const std::string& text);

/// Builds the dossier from the scenario of the recommended (or simulated) fleet and the study's result;
/// `candidate` indexes study.candidates. Left to the caller: version, scenario_sha256, canonical_scenario,
/// interconnect and command; `kind` is "run" when the study has one candidate. With candidate -1 (no feasible
/// fleet) the scenario's own fleet is priced, at the offered load. Throws std::invalid_argument when the
/// fabric cannot be wired.
[[nodiscard]] Dossier make_dossier(const Scenario& scenario, const StudyResult& study, int candidate);

}  // namespace fleetsim
