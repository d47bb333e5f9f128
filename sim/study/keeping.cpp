#include "sim/study/keeping.hpp"

namespace fleetsim {

const char* to_string(Keeping keeping) {
  switch (keeping) {
    case Keeping::kept:
      return "kept";
    case Keeping::open:
      return "open";
    case Keeping::broken:
      return "broken";
  }
  return "?";
}

}  // namespace fleetsim
