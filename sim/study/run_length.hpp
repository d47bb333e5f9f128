// How long was simulated, where the scenario leaves it to the runs: warm-up and number of replications. Plain
// data.
#pragma once

#include <string>
#include <vector>

namespace fleetsim {

/// `time.warm_up: mser-5`, see warm_up.hpp.
struct WarmUpFound {
  struct Pilot {
    std::string fleet;    ///< "13+3 overflow"
    double hours = 0.0;   ///< to be cut off, by its own run
    bool settled = true;  ///< false: the best cut lies in the second half, or the run has too few jobs
    int waits = 0;        ///< so many jobs started in it
  };
  double hours = 0.0;  ///< that all runs have: the largest of the pilots, in whole hours
  std::vector<Pilot> pilots;
  std::string sentence;
};

/// `time.precision` of one fleet, see precision.hpp.
struct PrecisionReached {
  double asked = 0.0;    ///< half of the 95 % interval over the mean
  double reached = 0.0;  ///< NaN: there is no interval
  int replications = 0, most = 0;
  bool met = false;
  std::string sentence;
};

}  // namespace fleetsim
