// What this program holds on the heap: every allocation through operator new is counted.
#pragma once

#include <cstddef>

namespace fleetsim {

[[nodiscard]] std::size_t heap_bytes();
/// The most since the last forget_peak().
[[nodiscard]] std::size_t heap_peak_bytes();
void forget_peak();

}  // namespace fleetsim
