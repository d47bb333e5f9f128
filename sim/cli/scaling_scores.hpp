// What `validate scaling` prints: predictions by kind of row, and how far off they are.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/measured/score.hpp"

namespace fleetsim::cli {

struct ScalingReport {
  std::vector<Prediction> predictions;
  std::map<std::string, int> skipped;  ///< why -> rows, of all kinds
  Scores scores;
};
/// `unused`: further reasons why rows are not used, one a row.
[[nodiscard]] ScalingReport scaling_report(std::vector<Prediction> predictions,
                                           const std::vector<std::string>& unused = {});

[[nodiscard]] nlohmann::ordered_json scaling_json(const ScalingReport& report);
[[nodiscard]] std::string scaling_text(const ScalingReport& report);

}  // namespace fleetsim::cli
