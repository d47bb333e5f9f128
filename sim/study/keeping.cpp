#include "sim/study/keeping.hpp"

namespace fleetsim {

const char* to_string(Keeps keeps) {
  switch (keeps) {
    case Keeps::surely:
      return "kept";
    case Keeps::open:
      return "open";
    case Keeps::broken:
      return "broken";
  }
  return "?";
}

}  // namespace fleetsim
