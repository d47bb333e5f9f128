#include "sim/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace fleetsim {

AssertContext& assert_context() {
  thread_local AssertContext context;
  return context;
}

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "fleetsim: internal error: %s does not hold (%s:%d)\n", expression, file, line);
  const AssertContext& at = assert_context();
  if (at.active) {
    std::fprintf(stderr, "  at simulated time %.6f s, event %llu, seed %llu\n",
                 static_cast<double>(at.simulated_us) / 1e6, at.event, at.seed);
  }
  std::fprintf(stderr,
               "  This is a fault of fleetsim, not of the input. Please report it with the scenario.\n");
  std::abort();
}

}  // namespace fleetsim
