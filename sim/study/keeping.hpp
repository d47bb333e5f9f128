// Whether a fleet surely keeps its limits: the one word that questions turned round are answered with.
#pragma once

#include <string>

namespace fleetsim {

/// kept: surely every limit; broken: surely not one of them; open: an interval is too wide to say.
enum class Keeping { kept, open, broken };
[[nodiscard]] const char* to_string(Keeping keeping);  ///< "kept", "open", "broken"

struct LimitsJudgement {
  Keeping keeping = Keeping::open;
  std::string reason;  ///< of the first limit that is surely broken, else that is open; empty: all are kept
};

}  // namespace fleetsim
