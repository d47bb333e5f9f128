// How often a job should write a checkpoint, and what failures cost it.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario.hpp"

namespace fleetsim {

/// Work between two checkpoints that takes the least time in all, first order: sqrt(2 C M), for writing one
/// in C and a mean time between failures M. Source: Young 1974, CACM 17(9) 530-531. Seconds.
[[nodiscard]] double young_interval_s(double cost_s, double mtbf_s);

/// The same to higher order: sqrt(2 C M) (1 + sqrt(C / (2 M)) / 3 + C / (18 M)) - C while C < 2 M, else M.
/// Source: Daly 2006, Future Generation Computer Systems 22, 303-312. Seconds.
[[nodiscard]] double daly_interval_s(double cost_s, double mtbf_s);

/// Expected time on GPUs over work, for long jobs: M (e^((tau + C) / M) - 1) / tau. Source: Daly 2006,
/// complete model with a restart that takes no time.
[[nodiscard]] double expected_stretch(double interval_s, double cost_s, double mtbf_s);

/// One size of a class on the first pool of its partition that has nodes.
struct CheckpointAdvice {
  std::string job_class, pool;
  int gpus = 0, nodes = 0;
  double mtbf_s = 0.0;  ///< of the job: any failure of any of its nodes
  double young_s = 0.0, daly_s = 0.0;
  double stretch_daly = 0.0;   ///< expected_stretch() at Daly's interval
  double stretch_given = 0.0;  ///< at the scenario's; 0: it has none
};

/// Empty unless nodes fail and writing a checkpoint takes time.
[[nodiscard]] std::vector<CheckpointAdvice> checkpoint_advice(const Scenario& scenario);

}  // namespace fleetsim
