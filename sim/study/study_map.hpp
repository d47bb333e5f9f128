// The map of a study with axes of conditions: what each cell, a study of its own, found. Plain data.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim {

struct MapAxis {
  std::string path;                 ///< workload.demand.scale_share
  std::string name;                 ///< `s`, `load`, else the end of the path that no other axis has
  std::vector<std::string> values;  ///< as written in the scenario
};

/// What one sharing rule and one k give in a cell. NaN where nothing is ranked.
struct MapAnswer {
  SharingRule sharing{};
  double k = 30.0;
  std::string best;  ///< fleet, e.g. "13+3"; empty: no fleet keeps all constraints
  double best_share = std::numeric_limits<double>::quiet_NaN();
  double figure = std::numeric_limits<double>::quiet_NaN();  ///< of the best fleet: what fleets are ranked by
  double share_low = std::numeric_limits<double>::quiet_NaN();
  double share_high = std::numeric_limits<double>::quiet_NaN();  ///< of the best set
  std::vector<std::string> members, undecided;                   ///< fleets
  std::string status;                                            ///< of the rule: holds, refuted, undecided
  /// Of the best fleet inside the band against the best fleet; NaN where the band has no ranked fleet.
  double loss_percent = std::numeric_limits<double>::quiet_NaN();
};

/// Fleets that keep every limit under one sharing rule, by share.
struct MapMeets {
  SharingRule sharing{};
  std::vector<std::string> fleets;
  std::vector<double> shares;
  std::vector<int> places;  ///< of each among all fleets of the rule by share, from 0
};

struct MapCell {
  std::vector<std::size_t> at;  ///< index of the value on each axis
  double load = 0.0, s = 0.0;   ///< the demand of this cell
  double first_order_share = 0.0;
  int fleets = 0;    ///< simulated, under each sharing rule
  int rejected = 0;  ///< refused by the room or the rules
  std::vector<MapAnswer> answers;
  std::vector<MapMeets> meets;
};

/// Where the rule holds along s, from simulated cells, for the scenario's own sharing rule and k.
struct MapHolds {
  double load = 0.0;                ///< of the row of cells nearest to the scenario's own load
  std::optional<double> low, high;  ///< least and largest s of the longest run of cells where it holds;
                                    ///< empty: it holds in none of them
  std::string sentence;             ///< every row in words
};

struct StudyMap {
  std::string metric = "time_to_result_h";  ///< name of MapAnswer::figure, see objectives/
  bool of_k = true;                         ///< false: fleets are ranked by what has no k
  std::vector<MapAxis> axes;
  std::vector<MapCell> cells;       ///< the last axis runs fastest
  std::vector<std::string> limits;  ///< that `meets` speaks of, as written
  std::optional<MapHolds> holds;    ///< where s is an axis
};

/// Index of the axis over `workload.demand.scale_share` (s) or `workload.demand.load`; -1: there is none.
[[nodiscard]] int s_axis(const StudyMap& map);
[[nodiscard]] int load_axis(const StudyMap& map);
/// `s=20 %, load=0.5`
[[nodiscard]] std::string point_text(const std::vector<MapAxis>& axes, const std::vector<std::size_t>& at);
/// The answer of a sharing rule and k; null: the cell has none.
[[nodiscard]] const MapAnswer* find_answer(const MapCell& cell, SharingRule sharing, double k);

}  // namespace fleetsim
