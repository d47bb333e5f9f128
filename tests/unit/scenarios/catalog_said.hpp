// What the tests of the catalogue ask of its prices and of its messages.
#pragma once

#include <string>

#include "sim/base/units.hpp"

namespace fleetsim {

/// Whole dollars.
inline std::int64_t dollars(Money m) {
  return m.count() / 1'000'000;
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace fleetsim
