// Faults of the environment: a file, a disk, a missing tool (exit code 3); and the user's wish to stop (130).
#pragma once

#include <stdexcept>
#include <string>

namespace fleetsim {

/// what() names the path or package and the cause, in one sentence.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Work that was stopped by SIGINT or SIGTERM and left nothing half-made. what() says what became of it.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fleetsim
