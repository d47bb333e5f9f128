// Faults of the environment: a file, a disk, a missing tool. Exit code 3.
#pragma once

#include <stdexcept>
#include <string>

namespace fleetsim {

/// what() names the path or package and the cause, in one sentence.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fleetsim
