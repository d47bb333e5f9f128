// What a study by rounds tells of its rounds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fleetsim {

struct RoundsSummary {
  struct Round {
    int candidates = 0;     ///< that were simulated in it
    std::int64_t runs = 0;  ///< simulations
    int up_to = 0;          ///< the most replications that a candidate had after it
  };
  std::vector<Round> rounds;
  int first = 0, cap = 0;  ///< replications of the first round, and the most of any candidate
  double confidence = 0.95;
  double comparison_error = 0.0;  ///< of all intervals of one table at one look, so the level of one is
                                  ///< 1 - comparison_error / (candidates of its sharing rule - 1)
  std::int64_t runs = 0;          ///< of all rounds
  std::int64_t exhaustive = 0;    ///< that a study of all candidates up to the cap would have cost
  int not_simulated = 0;          ///< candidates
  bool decided = false;           ///< under the scenario's own sharing rule nothing is undecided
  std::string guarantee;          ///< in words
};

}  // namespace fleetsim
