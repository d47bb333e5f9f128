// Whether a fleet surely keeps its limits: the word that verdicts and questions turned round rest on.
#pragma once

#include <string>

namespace fleetsim {

/// surely: every limit is kept; broken: one surely is not; open: an interval is too wide to say.
enum class Keeps { surely, open, broken };
[[nodiscard]] const char* to_string(Keeps keeps);  ///< "kept", "open", "broken"

struct LimitsJudgement {
  Keeps keeps = Keeps::open;
  std::string reason;  ///< of the first limit that is surely broken, else that is open; empty: all are kept
};

}  // namespace fleetsim
