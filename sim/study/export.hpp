// study.json and candidates.csv: the study's result as files. Equal results give equal bytes.
#pragma once

#include <string>

#include "sim/study/study.hpp"

namespace fleetsim {

struct StudyHeader {
  std::string version, scenario_sha256;
  std::string dossier;  ///< JSON text, taken over whole; empty: left out
};
/// Keys sorted; an undefined or infinite number is null. Labels are full (fleet and sharing rule).
[[nodiscard]] std::string study_json(const Scenario& base, const StudyResult& study,
                                     const StudyHeader& header);

/// One row a candidate, one header line; `x_mean,x_ci95_low,x_ci95_high` for each metric x, empty where
/// undefined.
[[nodiscard]] std::string candidates_csv(const Scenario& base, const StudyResult& study);

}  // namespace fleetsim
