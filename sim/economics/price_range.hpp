// What a bill costs when its estimates are other than taken.
#pragma once

#include "sim/economics/economics.hpp"

namespace fleetsim {

/// The bill with every estimate at its low and high end, and how much of it rests on estimates.
struct PriceRange {
  Money low, high, estimated;
};
[[nodiscard]] PriceRange price_range(const Bill& bill);

}  // namespace fleetsim
