#include "sim/advice/tree.hpp"

#include <algorithm>

namespace fleetsim {

const char* to_string(AdviceStep step) {
  switch (step) {
    case AdviceStep::use:
      return "use";
    case AdviceStep::memory:
      return "memory";
    case AdviceStep::hardware:
      return "hardware";
    case AdviceStep::checks:
      return "checks";
  }
  return "";
}

const SizeBand* AdviceTree::band(const std::string& wanted) const {
  const auto at =
      std::find_if(bands.begin(), bands.end(), [&](const SizeBand& b) { return b.name == wanted; });
  return at == bands.end() ? nullptr : &*at;
}

const std::vector<std::string>& buyer_words() {
  static const std::vector<std::string> words = {
      "lab",          "startup", "company", "vision-research", "translation-research", "pretraining-research",
      "nlp-research", "kaggle",  "student", "little-money",    "one-machine"};
  return words;
}

}  // namespace fleetsim
