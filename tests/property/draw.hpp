// Draws that all property tests share.
#pragma once

#include <rapidcheck.h>

namespace draw {

/// A whole number from low to high, both included; over the whole range from the first case on: rapidcheck would begin with
/// ranges of one value.
inline int in(int low, int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}

}  // namespace draw
