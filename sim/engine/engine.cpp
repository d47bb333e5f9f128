#include "sim/engine/engine.hpp"

#include <stdexcept>

#include "sim/engine/run.hpp"

namespace fleetsim {

EngineResult run_engine(const EngineInput& input, Observer* observer) {
  if (input.requests == nullptr || input.truth == nullptr) {
    throw std::invalid_argument("the engine needs requests and truth");
  }
  return Run(input, observer).run();
}

}  // namespace fleetsim
