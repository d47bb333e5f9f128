// What a study varies beside fleets and sharing rules: `study.axes`. Plain data.
#pragma once

#include <string>
#include <vector>

namespace fleetsim {

/// choice: the lab picks one, so candidates of different values are compared with each other. condition: the
/// lab does not pick it, so every value is a cell of a map, with candidates and a verdict of its own.
enum class AxisRole { choice, condition };

struct StudyAxis {
  std::string path;                 ///< of the scenario, dotted: fabric.link
  std::vector<std::string> values;  ///< as YAML on one line, each as the path's own key takes it
  AxisRole role = AxisRole::condition;
};

}  // namespace fleetsim
