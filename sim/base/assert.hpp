// Programmer errors. On in every build type; user errors never come here (see diagnostic.hpp).
#pragma once

namespace fleetsim {

/// What an assertion prints beside its text, set by the engine of this thread while it runs.
struct AssertContext {
  bool active = false;
  long long simulated_us = 0;
  unsigned long long event = 0;
  unsigned long long seed = 0;
};
AssertContext& assert_context();

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace fleetsim

#define FLEETSIM_ASSERT(expression)                     \
  (static_cast<bool>(expression) ? static_cast<void>(0) \
                                 : ::fleetsim::assertion_failed(#expression, __FILE__, __LINE__))
