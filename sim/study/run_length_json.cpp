#include "sim/study/run_length_json.hpp"

namespace fleetsim {

nlohmann::json warm_up_json(const WarmUpFound& found) {
  nlohmann::json pilots = nlohmann::json::array();
  for (const WarmUpFound::Pilot& pilot : found.pilots)
    pilots.push_back(
        {{"fleet", pilot.fleet}, {"hours", pilot.hours}, {"settled", pilot.settled}, {"waits", pilot.waits}});
  return {{"rule", "mser-5"},
          {"hours", found.hours},
          {"pilots", std::move(pilots)},
          {"sentence", found.sentence}};
}

nlohmann::json precision_json(const PrecisionReached& reached) {
  return {{"asked", reached.asked}, {"reached", reached.reached}, {"replications", reached.replications},
          {"most", reached.most},   {"met", reached.met},         {"sentence", reached.sentence}};
}

}  // namespace fleetsim
